"""Nothing is destroyed that is protected, or that nobody named."""

import io

import pytest

from infra.cli.destroy import confirm, refuse_protected
from infra.cli.frame import Failed

MEMORY = "google_firestore_database.memory"
MINE = {"project_id": "my-project", "deletion_protection": False}


@pytest.mark.parametrize(
    ("variables", "state", "complaint"),
    [
        ({}, {}, "name no project"),
        ({"project_id": "my-project"}, {}, "memory is protected"),
        (MINE | {"deletion_protection": True}, {}, "memory is protected"),
        (MINE, {MEMORY: {"delete_protection_state": "DELETE_PROTECTION_ENABLED"}}, "memory is protected"),
    ],
    ids=["no project", "protected when nothing says otherwise", "by the variables", "as it is deployed"],
)
def test_a_protected_memory_is_not_destroyed(variables, state, complaint):
    with pytest.raises(Failed, match=complaint):
        refuse_protected(variables, state)


def test_what_is_unprotected_in_both_places_may_go():
    refuse_protected(MINE, {MEMORY: {"delete_protection_state": "DELETE_PROTECTION_DISABLED"}})


def test_the_projects_own_id_has_to_be_typed(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("my-project\n"))
    confirm("my-project", {MEMORY: {"name": "(default)"}})
    assert "everything that every chat said and the bot learnt (database (default))" in capsys.readouterr().out
    for typed in ("", "yes\n", "MY-PROJECT\n"):
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        with pytest.raises(Failed, match="nothing was destroyed"):
            confirm("my-project", {})
