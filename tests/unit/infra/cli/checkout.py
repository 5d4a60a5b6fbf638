"""A checkout that is about to be deployed, and how what is said of it is read."""

import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[4]
TOKEN = "123456:fake-token"
PROJECT = {"lifecycleState": "ACTIVE", "name": "x", "projectId": "my-project", "projectNumber": "987"}
APIS = ("cloudresourcemanager", "serviceusage", "cloudfunctions", "cloudtasks", "firestore", "logging")


def write_bundle(root, name):
    with zipfile.ZipFile(root / "build" / f"{name}.zip", "w") as bundle:
        bundle.writestr("main.py", f"# functions/{name}/main.py\n")
        bundle.writestr("requirements.txt", "made by the bundler")
        bundle.writestr("shared/a.py", "# shared/a.py\n")
        bundle.writestr("infra/b.py", "# infra/b.py\n")


def by_part(checks):
    told: dict[str, list[str]] = {}
    for check in checks:
        told.setdefault(check["part"], []).append(line(check["severity"], check["text"], check["remedy"]))
    return told


def line(severity, text, remedy=""):
    return f"{severity}: {text} {remedy}".strip()


def lines(checks):
    return [line(check.severity, check.text, check.remedy) for check in checks]


def wrong(told):
    return {part: found for part, found in told.items() if any(not each.startswith("ok") for each in found)}
