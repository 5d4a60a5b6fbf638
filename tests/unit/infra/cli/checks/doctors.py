"""What doctor says, by part, and what it looks at."""

from dataclasses import replace

from infra.cli.checks.diagnosis import Environment


async def patient_of(group, settings, **parts):
    return Environment(replace(group.runtime.app, **parts), settings)


def of(result, part):
    return [(check["severity"], check["text"]) for check in result["checks"] if check["part"] == part]


def worst(result):
    order = ["ok", "unchecked", "warning", "error"]
    parts = {check["part"] for check in result["checks"]}
    return {part: max((s for s, _ in of(result, part)), key=order.index) for part in parts}
