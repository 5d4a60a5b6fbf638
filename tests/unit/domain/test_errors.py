"""The error tree: what a caller should do is told by the kind, and the page that shows the tree is whole."""

import inspect
import re

import pytest

from shared.domain import errors

KINDS = [kind for _, kind in inspect.getmembers(errors, inspect.isclass) if kind.__module__ == errors.__name__]
ANSWERS = (errors.TransientError, errors.PermanentError, errors.GivenUp, errors.SettingsError)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind is not errors.SpomynError])
def test_every_error_asks_its_caller_for_exactly_one_thing(kind):
    assert sum(issubclass(kind, answer) for answer in ANSWERS) == 1


def drawn_tree():
    """Each branch of the tree in the module's docstring, with the names below it."""
    tree, branch = {}, ""
    for line in errors.__doc__.splitlines():
        if match := re.match(r"    [├└]── (\w+)", line):
            branch = match[1]
            tree[branch] = set()
        elif "── " in line:
            tree[branch] |= {name.strip() for name in line.partition("── ")[2].split(",")}
    return tree


def test_the_tree_that_is_drawn_names_every_error_below_what_it_is():
    tree = drawn_tree()
    assert set(tree) == {answer.__name__ for answer in ANSWERS}
    for branch, names in tree.items():
        assert all(issubclass(getattr(errors, name), getattr(errors, branch)) for name in names)
    named = tuple(getattr(errors, name) for names in tree.values() for name in names)
    assert [
        kind.__name__ for kind in KINDS if not issubclass(kind, (*named, errors.GivenUp, errors.SettingsError))
    ] == [
        *("PermanentError", "SpomynError", "TransientError"),
    ]


def test_a_peer_may_say_how_long_to_wait():
    assert errors.ModelUnavailable("busy", retry_after=2.5).retry_after == 2.5
    assert errors.ModelUnavailable("busy").retry_after is None


@pytest.mark.parametrize(
    ("paths", "named"),
    [(("a/1",), "a/1: too large"), (("a/1", "a/2", "a/3", "a/4"), "a/1, a/2, a/3, …: too large")],
)
def test_a_document_that_no_store_takes_is_named_and_of_many_the_first(paths, named):
    refused = errors.UnstorableDocument("too large", paths=paths)
    assert (str(refused), refused.paths) == (named, paths)
