"""How the tokens of an answer are shared among layers."""

from hypothesis import given
from hypothesis import strategies as st

from shared.domain.answering.context.budget import BACKGROUND_TOKENS, CONTEXT_TOKENS, SHARES, STABLE, Purse

LAYERS = list(SHARES)
WISHES = st.lists(st.lists(st.integers(0, 900), max_size=6), min_size=len(LAYERS), max_size=len(LAYERS))


def filled(tokens, wishes):
    purse = Purse(tokens)
    for layer, items in zip(LAYERS, wishes, strict=True):
        purse.begin(layer)
        for item in items:
            purse.take(item)
    return purse


@given(st.integers(-5, CONTEXT_TOKENS), WISHES)
def test_no_more_is_spent_than_there_is_nor_by_a_stable_layer_than_its_share(tokens, wishes):
    purse = filled(tokens, wishes)
    assert sum(purse.spent.values()) <= max(0, tokens)
    assert all(purse.spent[layer] <= SHARES[layer] for layer in STABLE)
    assert set(purse.spent) == set(SHARES)


def test_what_a_layer_leaves_over_flows_on():
    purse = Purse(CONTEXT_TOKENS)
    purse.begin("immediate")
    assert purse.take(100)
    purse.begin("chat")
    assert purse.available == SHARES["immediate"] - 100 + SHARES["chat"]


def test_a_stable_layer_gets_its_share_alone_whatever_is_left_over():
    purse = Purse(CONTEXT_TOKENS)
    purse.begin("immediate")
    purse.begin("context")
    assert purse.available == SHARES["context"]


def test_an_item_is_taken_whole_or_not_at_all():
    purse = Purse(CONTEXT_TOKENS)
    purse.begin("immediate", most=50)
    assert not purse.take(51)
    assert purse.available == 50
    assert purse.take(50)
    assert (purse.available, purse.spent["immediate"]) == (0, 50)


def test_few_tokens_bound_every_layer():
    purse = Purse(300)
    purse.begin("immediate")
    assert purse.available == 300
    assert purse.take(200)
    purse.begin("chat")
    assert purse.available == 100


def test_the_background_has_what_the_design_gives_it():
    assert SHARES["chat"] + SHARES["asker"] + SHARES["named"] == BACKGROUND_TOKENS
