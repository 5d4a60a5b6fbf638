"""`preflight`: everything that would keep a deployment from working is said at once, in one sentence each.

Terraform is the real one, over the repository's own variables.tf; gcloud is a strict stand-in on PATH.
"""

import asyncio
import json
import os
import shutil
import zipfile
from pathlib import Path

import pytest

from infra.cli.checks.diagnosis import Check
from infra.cli.checks.preflight_bot import BUNDLES, deployed_settings, look_at_bot, look_at_bundles, look_at_key
from infra.cli.checks.preflight_google import (
    Target,
    look_at_billing,
    look_at_credentials,
    look_at_names,
    look_at_project,
    look_at_state,
)
from infra.cli.root import main
from infra.cli.terraform import Terraform, terraform_environment, without_validations
from infra.system import SystemClock
from shared.settings import SETTINGS, Settings
from tests.support.gemini.server import FakeGemini
from tests.support.google.gcloud import FakeGcloud
from tests.support.telegram.bot_api import FakeBotApi

ROOT = Path(__file__).resolve().parents[5]
TOKEN = "123456:fake-token"
PROJECT = {"lifecycleState": "ACTIVE", "name": "x", "projectId": "my-project", "projectNumber": "987"}
TARGET = Target("my-project", "europe-west1", "spomyn", "(default)", "987")
APIS = ("cloudresourcemanager", "serviceusage", "cloudfunctions", "cloudtasks", "firestore", "logging")
BACKEND = 'terraform {\n  backend "gcs" {\n    # bucket = "not-this"\n    bucket = "my-state"\n  }\n}\n'


@pytest.fixture(autouse=True)
def terraform_there():
    """Real Terraform; in CI its absence is a failure, elsewhere a skip that names the remedy."""
    if shutil.which("terraform") is None:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)("Install Terraform 1.11 or newer.")


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A folder with what is looked at: variables, bundles made of sources, secrets in `.env`."""
    for setting in SETTINGS:
        monkeypatch.delenv(setting.name, raising=False)
    for name in [name for name in os.environ if name.startswith(("TF_", "GOOGLE_"))]:
        monkeypatch.delenv(name)
    for path in ("shared/a.py", "infra/b.py", *(f"functions/{name}/main.py" for name in BUNDLES)):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(f"# {path}\n")
    (tmp_path / "build").mkdir()
    for name in BUNDLES:
        write_bundle(tmp_path, name)
    (tmp_path / "terraform").mkdir()
    for file in (ROOT / "terraform").glob("variables*.tf"):
        shutil.copy(file, tmp_path / "terraform")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_bundle(root, name):
    with zipfile.ZipFile(root / "build" / f"{name}.zip", "w") as bundle:
        bundle.writestr("main.py", f"# functions/{name}/main.py\n")
        bundle.writestr("requirements.txt", "made by the bundler")
        bundle.writestr("shared/a.py", "# shared/a.py\n")
        bundle.writestr("infra/b.py", "# infra/b.py\n")


@pytest.fixture
def gcloud(tmp_path, monkeypatch):
    fake = FakeGcloud(tmp_path / "bin")
    fake.update(
        account=True,
        adc=True,
        projects={"my-project": PROJECT},
        billing={"my-project": True},
        apis=[f"{api}.googleapis.com" for api in APIS],
        functions=[],
        queues=[],
        deleted_queues=[],
        databases={},
        buckets={"my-state": True},
    )
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    return fake


@pytest.fixture
async def api():
    async with FakeBotApi(TOKEN) as server:
        yield server


@pytest.fixture
async def gemini():
    async with FakeGemini("a-key") as server:
        yield server


@pytest.fixture
def given(checkout, api, gemini):
    """Writes `.env` and terraform.tfvars; all that is needed but for what is changed."""

    def write(*lines, settings=(), **secrets):
        chosen = {
            "BOT_USERNAME": "spomyn_bot",
            "TELEGRAM_API_URL": api.url,
            "GOOGLE_GEMINI_BASE_URL": gemini.url,
            **dict(settings),
        }
        env = {
            "TELEGRAM_BOT_TOKEN": TOKEN,
            "TELEGRAM_WEBHOOK_SECRET": "s-1",
            "GEMINI_API_KEY": "a-key",
            "BOT_USERNAME": "spomyn_bot",
            **secrets,
        }
        (checkout / ".env").write_text("".join(f"{name}={value}\n" for name, value in env.items() if value))
        variables = ['project_id = "my-project"', f"settings = {json.dumps(chosen)}", *lines]
        (checkout / "terraform" / "terraform.tfvars").write_text("\n".join(variables) + "\n")

    write()
    return write


@pytest.fixture
def run(given, gcloud, capsys):
    """Runs the command; its exit code and the checks by part, as "severity: text remedy"."""

    async def call(*arguments):
        code = await asyncio.to_thread(main, ["preflight", "--json", *arguments])
        captured = capsys.readouterr()
        assert "fake-token" not in captured.out + captured.err
        return code, by_part(json.loads(captured.out)["checks"])

    return call


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


# --- All is well ---------------------------------------------------------------------------------


async def test_an_empty_project_with_everything_given_is_ready_and_nothing_is_changed(run, checkout, gcloud, api):
    (checkout / "terraform" / "backend.tf").write_text(BACKEND)
    code, told = await run()
    assert (code, wrong(told)) == (0, {})
    assert set(told) == {
        *("variables", "project", "credentials", "billing", "state", "names", "bot", "models", "bundles"),
    }
    assert told["state"] == ["ok: It is kept in my-state."]
    assert told["bot"] == ["ok: The token is that of @spomyn_bot."]
    assert len(told["models"]) == 3
    verbs = {word for call in gcloud.calls for word in call if word in ("create", "enable", "update", "delete", "link")}
    assert verbs == set()
    assert {call.method for call in api.calls} == {"getMe", "getWebhookInfo"}


async def test_people_get_a_line_each_and_a_sum(given, gcloud, capsys):
    code = await asyncio.to_thread(main, ["preflight"])
    out = capsys.readouterr().out
    assert code == 0
    assert "ok        project: my-project is there.\n" in out
    assert "warning   state: Terraform's state is kept in this folder only" in out
    assert out.endswith("0 errors, 1 warnings.\n")


# --- What is given -------------------------------------------------------------------------------


async def test_everything_that_is_missing_is_said_at_once(run, checkout):
    (checkout / ".env").unlink()
    (checkout / "terraform" / "terraform.tfvars").write_text('region = "europe-west99"\nregoin = 1\n')
    shutil.rmtree(checkout / "build")
    code, told = await run()
    assert code == 1
    assert sorted(each.partition(" ")[2].partition(" ")[0] for each in told["variables"]) == [
        *("project_id", "region", "regoin"),
    ]
    assert told["settings"] == [
        "error: TELEGRAM_BOT_TOKEN is not set. Put it into .env: @BotFather gives it.",
        "error: TELEGRAM_WEBHOOK_SECRET is not set. Put it into .env: make one with `openssl rand -hex 32`.",
        (
            "error: GEMINI_API_KEY is not set. "
            "Put it into .env: aistudio.google.com gives one; or set gemini = false in terraform/terraform.tfvars."
        ),
    ]
    assert told["project"] == ["unchecked: There is no project_id."]
    assert told["bundles"] == [f"error: {name}.zip is not made yet. Run `make bundle`." for name in BUNDLES]


async def test_a_broken_file_of_variables_is_named_with_its_line(checkout):
    (checkout / "terraform" / "terraform.tfvars").write_text("project_id = \n")
    read = await Terraform(terraform_environment({})).variables()
    assert read.values == {}
    assert "terraform.tfvars, line 1" in read.problems[0]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ('regoin = "us-east1"', "regoin is no variable of ours: see terraform/variables.tf for its right name."),
        ("functions = { webhook = { memroy = 1 } }", "functions.webhook.memroy is no variable of ours"),
        ("secret_versions = { gemini_api_key = 2 }", "secret_versions.gemini_api_key is no variable of ours"),
        ('telegram_bot_token = "123456:x"', "terraform.tfvars holds telegram_bot_token: a secret stands only in .env"),
        ("region = us-east1", "A text stands without quotes (terraform.tfvars, line 3): write it like"),
    ],
)
async def test_what_would_not_be_read_as_it_was_meant_is_an_error(run, given, wrong, told):
    given(wrong)
    code, checks = await run()
    assert code == 1
    [said] = checks["variables"]
    assert said.startswith(f"error: {told}")
    assert "123456:x" not in said


async def test_names_that_maps_and_sizes_may_have_are_read(run, given):
    given('labels = { team = "x" }', "functions = { webhook = { max_instances = 3 } }", "backups = { daily_days = 3 }")
    code, checks = await run()
    assert (code, checks["variables"]) == (
        0,
        ["ok: They are whole: my-project, europe-west1, names begin with spomyn."],
    )


async def test_variables_come_from_the_environment_and_from_files_as_for_terraform_itself(checkout, monkeypatch):
    monkeypatch.setenv("TF_VAR_project_id", "another-project")
    monkeypatch.setenv("TF_VAR_region", "us-central1")
    (checkout / "terraform" / "own.auto.tfvars").write_text('project_id = "my-project"\n')
    read = await Terraform(terraform_environment(SECRETS)).variables()
    assert (read.problems, read.unread) == ((), ())
    assert [read.values[name] for name in ("project_id", "region", "prefix")] == ["my-project", "us-central1", "spomyn"]
    assert read.values["telegram_bot_token"] is None  # ephemeral: no plan holds it


def settings_of(env, **values):
    checks, settings = deployed_settings({"BOT_USERNAME": "a_bot"} | env, values)
    return lines(checks), settings


SECRETS = {"TELEGRAM_BOT_TOKEN": TOKEN, "TELEGRAM_WEBHOOK_SECRET": "s-1", "GEMINI_API_KEY": "a-key"}
NAMED = {"BOT_USERNAME": "a_bot"}


def test_the_functions_have_the_secrets_and_what_terraform_says_and_nothing_else():
    told, settings = settings_of({**SECRETS, "TIMEZONE": "Europe/London"}, settings=NAMED)
    assert (told, settings.bot_username, settings.timezone) == ([], "a_bot", "Europe/Kyiv")


def test_settings_of_the_wrong_form_are_all_refused():
    env = {**SECRETS, "TELEGRAM_BOT_TOKEN": "fake", "TELEGRAM_WEBHOOK_SECRET": "a b"}
    told, _ = settings_of(env, settings=NAMED | {"TIMEZONE": "Kyiv"})
    assert [each.split()[1] for each in told] == ["TELEGRAM_BOT_TOKEN", "TELEGRAM_WEBHOOK_SECRET", "TIMEZONE"]


def test_a_setting_that_is_none_is_refused():
    told, _ = settings_of(SECRETS, settings={"BOT_USERNAME": "a_bot", "TIMEZON": "Europe/Kyiv"})
    assert told == ["error: settings holds TIMEZON, which is none. See docs/settings.md for its right name."]


def test_a_bot_that_only_quotes_memory_needs_no_key():
    assert settings_of({**SECRETS, "GEMINI_API_KEY": ""}, settings=NAMED, gemini=False)[0] == []


def test_a_name_that_differs_between_its_two_places_is_found():
    told, _ = settings_of(SECRETS, settings={})
    assert told == [
        "error: BOT_USERNAME is a_bot in .env and gryag_bot in Terraform's settings. Write the bot's name into both."
    ]


# --- The tools -----------------------------------------------------------------------------------


async def test_without_the_tools_everything_else_is_still_looked_at(run, given, monkeypatch):
    given(TELEGRAM_WEBHOOK_SECRET="")
    monkeypatch.setenv("PATH", "/nowhere")
    code, told = await run()
    assert code == 1
    assert "Terraform is not installed: install 1.11 or newer" in told["terraform"][0]
    assert "gcloud is not installed: install the Google Cloud CLI" in told["gcloud"][0]
    assert "TELEGRAM_WEBHOOK_SECRET is not set" in told["settings"][0]
    assert told["bundles"] == ["ok: They are made of the sources as they are."]


async def test_gcloud_alone_may_be_missing(run, checkout, tmp_path, monkeypatch):
    only = tmp_path / "only"
    only.mkdir()
    (only / "terraform").symlink_to(shutil.which("terraform"))
    monkeypatch.setenv("PATH", str(only))
    code, told = await run()
    assert code == 1
    assert "gcloud is not installed: install the Google Cloud CLI" in told["gcloud"][0]
    assert told["bot"] == ["ok: The token is that of @spomyn_bot."]


async def test_an_old_terraform_is_refused_before_it_is_used(run, gcloud, tmp_path):
    old = tmp_path / "bin" / "terraform"
    old.write_text("""#!/bin/sh\necho '{"terraform_version": "1.9.8"}'\n""")
    old.chmod(0o755)
    code, told = await run()
    assert code == 1
    assert "Terraform is of version 1.9.8: older than 1.11" in told["terraform"][0]


async def test_a_terraform_that_does_not_run_is_an_error_and_no_trace(run, checkout, tmp_path, capsys):
    broken = tmp_path / "bin" / "terraform"
    broken.write_text(
        """#!/bin/sh\ncase $2 in version) echo '{"terraform_version": "1.12.0"}';; *) echo no >&2; exit 1; esac\n"""
    )
    broken.chmod(0o755)
    code, told = await run()
    assert (code, told["variables"]) == (1, ["error: Terraform fails: no"])
    assert await asyncio.to_thread(main, ["logs"]) == 1
    assert "Traceback" not in capsys.readouterr().err


async def test_an_old_gcloud_is_to_be_updated(run, tmp_path, gcloud):
    (tmp_path / "bin" / "gcloud").write_text("#!/bin/sh\necho \"ERROR: (gcloud) Invalid choice: 'x'.\" >&2; exit 2\n")
    code, told = await run()
    assert code == 1
    assert "it does not know `gcloud projects describe my-project`: run `gcloud components update`" in told["gcloud"][0]


# --- The project ---------------------------------------------------------------------------------


async def test_who_is_not_logged_in_is_told_how(run, gcloud):
    gcloud.update(account=False)
    code, told = await run()
    assert (code, told["project"]) == (1, ["error: Nobody is logged in to gcloud. Run `gcloud auth login`."])
    assert "names" not in told


async def test_terraform_needs_a_login_of_its_own(checkout, gcloud, monkeypatch):
    assert lines(await look_at_credentials()) == ["ok: Terraform can log in."]
    gcloud.update(adc=False)
    [told] = lines(await look_at_credentials())
    assert told.startswith("error: Terraform has no credentials")
    assert "Run `gcloud auth application-default login`." in told
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", "key.json")
    assert lines(await look_at_credentials()) == ["ok: Terraform takes GOOGLE_APPLICATION_CREDENTIALS."]


async def test_a_project_must_be_there_and_active(checkout, gcloud):
    assert await look_at_project("my-project") == ([Check("project", "ok", "my-project is there.")], "987")
    gcloud.update(projects={"my-project": PROJECT | {"lifecycleState": "DELETE_REQUESTED"}})
    [told] = lines((await look_at_project("my-project"))[0])
    assert told.startswith("error: The project my-project is not active (DELETE_REQUESTED).")
    [told] = lines((await look_at_project("no-project"))[0])
    assert told.startswith("error: The project no-project cannot be reached: [me@example.org] does not have permission")


async def test_somebody_must_pay(checkout, gcloud):
    assert lines(await look_at_billing("my-project")) == ["ok: It is on."]
    gcloud.update(billing={"my-project": False})
    assert (
        "gcloud billing projects link my-project --billing-account=ID" in lines(await look_at_billing("my-project"))[0]
    )


@pytest.mark.parametrize(
    ("buckets", "told"),
    [
        ({"my-state": True}, "ok: It is kept in my-state."),
        ({}, "error: The state's bucket my-state is not there. Run `gcloud storage buckets create gs://my-state"),
        ({"my-state": False}, "warning: The state's bucket keeps no older versions."),
    ],
)
async def test_the_state_has_a_bucket_with_versions(checkout, gcloud, buckets, told):
    (checkout / "terraform" / "backend.tf").write_text(BACKEND)
    gcloud.update(buckets=buckets)
    assert lines(await look_at_state(TARGET, checkout / "terraform"))[0].startswith(told)


async def test_a_bucket_that_nobody_named_yet_is_not_asked_for(checkout, gcloud):
    shutil.copy(ROOT / "terraform" / "backend.tf.example", checkout / "terraform" / "backend.tf")
    [told] = lines(await look_at_state(TARGET, checkout / "terraform"))
    assert told == "error: PROJECT_ID-tfstate is no bucket's name. Name yours in terraform/backend.tf."
    assert gcloud.calls == []


# --- Names ---------------------------------------------------------------------------------------


@pytest.fixture
def names(checkout, gcloud):
    """What is said of names, where Terraform made nothing yet."""

    async def look():
        return lines(await look_at_names(Terraform(terraform_environment({})), TARGET))

    return look


TAKEN = [
    ({"functions": ["spomyn-webhook"]}, "a function spomyn-webhook already that this Terraform did not make"),
    ({"queues": ["spomyn"]}, "a queue spomyn already that this Terraform did not make"),
    ({"databases": {"(default)": "FIRESTORE_NATIVE"}}, "terraform import google_firestore_database.memory"),
    ({"databases": {"(default)": "DATASTORE_MODE"}}, "a database (default) in Datastore mode already"),
    ({"deleted_queues": ["spomyn"]}, "A queue spomyn was deleted within seven days"),
]


@pytest.mark.parametrize(("knows", "complaint"), TAKEN)
async def test_a_name_that_somebody_else_has_is_found(names, gcloud, knows, complaint):
    gcloud.update(**knows)
    [told] = await names()
    assert told.startswith("error: ")
    assert complaint in told


async def test_what_this_terraform_made_is_not_taken(names, checkout, gcloud):
    gcloud.update(functions=["spomyn-webhook"], queues=["spomyn"], databases={"(default)": "FIRESTORE_NATIVE"})
    module = 'resource "terraform_data" "x" {}\noutput "made" { value = terraform_data.x.id }\n'
    (checkout / "terraform" / "x.tf").write_text(module)
    (checkout / "terraform" / "terraform.tfstate").write_text(json.dumps(state_of(MADE)))
    assert await names() == ["ok: What is there is this deployment's own."]


MADE = (
    ("google_cloudfunctions2_function", "function", {"index_key": "webhook"}),
    ("google_cloud_tasks_queue", "tasks", {}),
    ("google_firestore_database", "memory", {}),
)


def state_of(made):
    """A file of Terraform's state; terraform.io/builtin/terraform is the one provider that needs no download."""
    of = {"mode": "managed", "provider": 'provider["terraform.io/builtin/terraform"]'}
    resources = [
        {**of, "type": kind, "name": name, "instances": [{"schema_version": 0, "attributes": {}, **key}]}
        for kind, name, key in made
    ]
    return {"version": 4, "terraform_version": "1.11.0", "serial": 1, "lineage": "x", "resources": resources}


async def test_a_terraform_that_cannot_start_says_why(names, checkout, gcloud):
    gcloud.update(queues=["spomyn"])
    (checkout / "terraform" / "x.tf").write_text("resource {}\n")
    [told] = await names()
    assert told.startswith("error: Terraform cannot be started: ")
    assert "python -m infra.cli.terraform init" in told


async def test_where_an_api_is_off_there_is_nothing_to_ask_for(names, gcloud):
    gcloud.update(apis=["serviceusage.googleapis.com"])
    assert await names() == [
        (
            "error: cloudresourcemanager.googleapis.com must be on before Terraform can look at the project. "
            "Run `gcloud services enable cloudresourcemanager.googleapis.com --project=my-project`."
        ),
        "ok: None is taken.",
    ]


# --- The bot and its model -----------------------------------------------------------------------


@pytest.fixture
def bot(api):
    """What is said of the bot."""

    async def look(*, name="spomyn_bot", token=TOKEN, force=False):
        env = {"TELEGRAM_BOT_TOKEN": token, "TELEGRAM_API_URL": api.url, "BOT_USERNAME": name}
        settings = Settings.from_env(env)
        return lines(await look_at_bot(settings, SystemClock(), hosts=TARGET.webhook_host, force=force))

    return look


async def test_the_token_of_another_bot_is_found(bot):
    [told] = await bot(name="gryag_bot")
    assert told.startswith("error: TELEGRAM_BOT_TOKEN is that of @spomyn_bot, not of @gryag_bot. Put BOT_USERNAME = ")


async def test_a_token_that_telegram_does_not_know_is_found(bot):
    [told] = await bot(token="654321:fake-token")
    assert "Telegram does not know the token" in told


async def test_a_telegram_that_is_not_reached_says_nothing_against_the_token(bot, api):
    api.fail_next("getMe", status=502)
    [told] = await bot()
    assert told.startswith("error: Telegram does not answer: ")
    assert told.endswith("Check the network, then try again.")


async def test_updates_are_taken_from_somebody_else_only_by_force(bot, api):
    api.webhook = {"url": "https://other.example.org/secret-path"}
    _, told = await bot()
    assert told.startswith("error: Updates of @spomyn_bot go to other.example.org now")
    assert "make plan FORCE=1" in told
    assert "secret-path" not in told
    _, told = await bot(force=True)
    assert told.startswith("warning: ")


async def test_updates_that_come_to_this_deployment_already_are_well(bot, api):
    api.webhook = {"url": "https://spomyn-webhook-987.europe-west1.run.app"}
    assert await bot() == ["ok: The token is that of @spomyn_bot."]
    api.webhook = {"url": "https://spomyn-webhook-986.europe-west1.run.app"}  # of the same name, in another project
    assert len(await bot()) == 2


async def test_a_key_and_a_model_that_google_does_not_know_are_found(gemini):
    async def look(key, model):
        env = {"GEMINI_API_KEY": key, "GOOGLE_GEMINI_BASE_URL": gemini.url, "GEMINI_CHAT_MODEL": model}
        return lines(await look_at_key(Settings.from_env(env), wanted=True))

    told = await look("another-key", "gemini-3.5-flash")
    assert all(each.startswith("error: gemini-") for each in told)
    assert "another-key" not in str(told)
    told = await look("a-key", "gemini-0")
    assert "put a model that Google serves into GEMINI_CHAT_MODEL" in told[0]
    assert [each.partition(":")[0] for each in told] == ["error", "ok", "ok"]


# --- Bundles -------------------------------------------------------------------------------------


def test_a_bundle_that_differs_from_the_sources_is_found(checkout):
    (checkout / "infra" / "b.py").write_text("# changed\n")
    (checkout / "functions" / "webhook" / "main.py").write_text("# changed\n")
    (checkout / "build" / "maintenance.zip").write_bytes(b"PK")
    assert [check.text for check in look_at_bundles(checkout, checkout / "build")] == [
        "webhook.zip is older than the sources (infra/b.py).",
        "extract.zip is older than the sources (infra/b.py).",
        "maintenance.zip is broken.",
    ]


def test_a_bundle_with_a_file_that_is_gone_is_found(checkout):
    (checkout / "shared" / "a.py").unlink()
    assert {check.severity for check in look_at_bundles(checkout, checkout / "build")} == {"error"}


# --- Variables -----------------------------------------------------------------------------------


def test_validations_that_ask_for_more_can_be_told_by_their_form():
    """Those are cut out of the variables' files: they are written as `terraform fmt` writes."""
    declared = "\n".join(file.read_text("utf-8") for file in (ROOT / "terraform").glob("variables*.tf"))
    assert declared.count("validation {") > 10
    assert "validation {" not in without_validations(declared, ("",))
    assert "condition" not in without_validations(declared, ("",))
