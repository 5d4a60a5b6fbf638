"""Queries as the SDK takes them, and what it would refuse."""

import pytest
from google.auth.credentials import AnonymousCredentials
from google.cloud import firestore

from infra.firestore.queries import direction, matches_nothing, query_where
from shared.application.ports.store import Filter, Order


@pytest.fixture
def client():
    return firestore.AsyncClient("p", AnonymousCredentials())


@pytest.mark.parametrize("path", ["", "a/b", "a//b"])
def test_what_is_no_collection_is_refused(client, path):
    with pytest.raises(ValueError, match="path of a collection"):
        query_where(client, path, [])


def test_more_alternatives_than_the_server_takes_are_refused(client):
    with pytest.raises(ValueError, match="at most 30"):
        query_where(client, "a", [Filter("x", "in", list(range(31)))])


def test_no_alternative_matches_nothing():
    assert matches_nothing([Filter("x", "==", 1), Filter("y", "in", [])])
    assert not matches_nothing([Filter("y", "in", [1])])


def test_an_order_has_the_name_of_its_direction():
    assert [direction(Order("x")), direction(Order("x", descending=True))] == ["ASCENDING", "DESCENDING"]
