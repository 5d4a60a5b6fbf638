"""What doctor sees at home: settings, the store and the archive."""

import json
import os

import pytest

from infra.cli.checks import doctor
from infra.cli.checks.diagnosis import judge_settings, look_at_archive, run_checks, settings_checks
from infra.cli.checks.diagnosis_services import look_at_clock
from infra.storage.object_folder import ObjectFolder
from shared.domain.errors import ObjectLocked
from shared.settings import SETTINGS, Settings
from tests.support.group import ANSWER_URL, EXTRACT_URL, MAINTENANCE_URL, SECRET, TOKEN, running_group
from tests.support.queues import INVOKER
from tests.unit.infra.cli.checks.doctors import of, patient_of, worst

pytestmark = pytest.mark.wall_clock
PARTS = set(doctor.LOOKS)
PROJECT = f"doctor-{os.getpid()}"  # of its own, on an emulator that others use, too


async def test_wrong_settings_are_all_named_and_nothing_else_is_tried(run_doctor):
    code, result = await run_doctor(LOG_LEVEL="loud", SPOMYN_PORT="x", TELEGRAM_BOT_TOKEN="my-secret")
    assert (code, result["errors"]) == (2, 3)
    assert [text.split()[0] for _, text in of(result, "settings")] == ["TELEGRAM_BOT_TOKEN", "SPOMYN_PORT", "LOG_LEVEL"]
    assert all(of(result, part) == [("unchecked", "The settings are wrong.")] for part in PARTS)
    assert "my-secret" not in json.dumps(result)


async def test_a_setting_that_another_one_needs_is_named(run_doctor):
    code, result = await run_doctor(SPOMYN_STORE="firestore")
    assert (code, result["errors"]) == (2, 1)
    assert "GOOGLE_CLOUD_PROJECT" in of(result, "settings")[0][1]


async def test_a_store_that_cannot_be_opened_is_a_wrong_setting(run_doctor, tmp_path):
    (tmp_path / "file").write_text("x")
    code, result = await run_doctor(SPOMYN_STORE="sqlite:file/below/spomyn.db")
    assert (code, worst(result)["settings"]) == (2, "error")


async def test_a_file_that_is_no_database_is_a_wrong_setting(run_doctor, tmp_path):
    (tmp_path / "notes.txt").write_text("these are no documents, but a text of some length" * 100)
    code, result = await run_doctor(SPOMYN_STORE="sqlite:notes.txt")
    assert (code, worst(result)["settings"], worst(result)["store"]) == (2, "error", "unchecked")


@pytest.mark.parametrize(
    ("changes", "severity", "told"),
    [
        ({}, "ok", "others have their defaults"),
        ({"TELEGRAM_WEBHOOK_SECRET": "new,old"}, "warning", "Two webhook secrets"),
        ({"OIDC_CHECK": "false"}, "warning", "look at no token"),
        ({"TELEGRAM_WEBHOOK_SECRET": ""}, "error", "Anybody may pretend to be Telegram"),
    ],
)
def test_what_opens_a_deployment_wider_than_it_should_be_is_told(changes, severity, told):
    env = {"TELEGRAM_BOT_TOKEN": TOKEN, "TELEGRAM_WEBHOOK_SECRET": SECRET, "GEMINI_API_KEY": "k"}
    env |= {"SPOMYN_QUEUE": "cloud-tasks", "GOOGLE_CLOUD_PROJECT": PROJECT, "OIDC_INVOKER_EMAIL": INVOKER}
    env |= {"ANSWER_URL": ANSWER_URL, "EXTRACT_URL": EXTRACT_URL, "MAINTENANCE_URL": MAINTENANCE_URL} | changes
    checks = settings_checks(judge_settings(env), Settings.from_env(env))
    assert (checks[-1].severity, told in checks[-1].text) == (severity, True)
    assert "new" not in checks[-1].text


def test_settings_are_listed_with_secrets_masked():
    listed = {each.name: each for each in judge_settings({"GEMINI_API_KEY": "AIza-very-secret"})}
    assert list(listed) == [setting.name for setting in SETTINGS]
    assert (listed["GEMINI_API_KEY"].value, listed["GEMINI_API_KEY"].chosen) == ("(set)", True)
    assert (listed["TELEGRAM_BOT_TOKEN"].value, listed["TIMEZONE"].value) == ("", "Europe/Kyiv")


async def test_an_archive_is_tried_and_left_as_it_was(run_doctor, tmp_path):
    code, result = await run_doctor(SPOMYN_ARCHIVE="folder:archive")
    assert (code, of(result, "archive")) == (0, [("ok", "A probe was put, got and deleted (folder:archive).")])
    archive = ObjectFolder(tmp_path / "archive")
    assert [each async for each in archive.list("")] == []


class Locked(ObjectFolder):
    async def delete(self, key):
        raise ObjectLocked("retention", keys=(key,))


class Forgetful(ObjectFolder):
    async def get(self, key):
        yield b"something else"


@pytest.mark.parametrize(("kind", "severity"), [(Locked, "warning"), (Forgetful, "error")])
async def test_an_archive_that_keeps_or_changes_what_it_is_given_is_told(sqlite_store, tmp_path, kind, severity):
    async with running_group(sqlite_store) as group:
        patient = await patient_of(group, group.runtime.settings, archive=kind(tmp_path / "archive"))
        [check] = await look_at_archive(patient)
    assert check.severity == severity


async def test_a_check_that_breaks_does_not_stop_the_others(sqlite_store):
    async def breaks(_):
        raise OSError("no such device")

    async with running_group(sqlite_store) as group:
        patient = await patient_of(group, group.runtime.settings)
        checks = await run_checks(patient, {"disk": breaks, "clock": look_at_clock})
    assert [(check.part, check.severity) for check in checks] == [("disk", "error"), ("clock", "error")]
