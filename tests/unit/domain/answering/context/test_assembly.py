"""The context of an answer: its budget, its order, and what is never left out."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.domain.answering.context.assembly import IMMEDIATE, RECENT, assemble
from shared.domain.answering.context.budget import BACKGROUND_TOKENS, CONTEXT_TOKENS, SHARES
from shared.domain.answering.context.cleaning import with_citations
from shared.domain.answering.context.material import ChatFacts, ContextFileText, Excerpt
from shared.domain.delivery.markup import markdown_to_html
from shared.domain.spending.tokens import estimate_tokens
from tests.support.builders import message
from tests.unit.domain.answering.context.materials import (
    BOT,
    NOW,
    fact,
    found,
    full,
    material,
    note,
    question,
    talk,
    told,
)
from tests.unit.domain.answering.context.nasty import NAMES, TEXTS, talks
from tests.unit.domain.answering.context.parsing import Said, parse_meta, parse_talk

LAWS = settings(max_examples=40, deadline=None)
FORMATS = st.sampled_from(["compact", "meta"])


def cost(context):
    """What it all costs by the estimator, whole."""
    return estimate_tokens(context.system) + sum(estimate_tokens(part) for turn in context.turns for part in turn.parts)


WORDS = st.builds(lambda text, times: text * times, TEXTS, st.sampled_from([1, 1, 1, 20, 60]))
SAID, HITS, LATER = (talks(texts=WORDS, most=most) for most in (14, 6, 4))
NOTES, NAMED = st.lists(WORDS, max_size=4), st.lists(st.tuples(WORDS, NAMES), max_size=8)
FILES = st.none() | st.builds(ContextFileText, WORDS, st.just(NOW - timedelta(days=10)))


@st.composite
def materials(draw):
    """Some of everything, with nasty texts and names of any size."""
    said, hits = draw(SAID), draw(HITS)
    hits = [replace(m, message_id=m.message_id + 500, sent_at=m.sent_at - timedelta(days=9)) for m in hits]
    notes = {
        layer: [note(kind, i, text) for i, text in enumerate(draw(NOTES))]
        for layer, kind in (("metas", "meta"), ("summaries", "chunk"), ("episodes", "episode"), ("key_facts", "chunk"))
    }
    described = [fact(text, name=name) for text, name in draw(NAMED)]
    return material(
        question=question(draw(WORDS), name=draw(NAMES)),
        talk=said,
        later=[replace(m, message_id=m.message_id + 5_000) for m in draw(LATER)],
        found=[Excerpt(m, tuple(hits[max(0, i - 1) : i + 2]), f"https://t.me/c/1/{i}") for i, m in enumerate(hits)],
        chat=ChatFacts(described, draw(st.integers(0, 8)), draw(st.integers(0, 480))),
        asker=described,
        named=draw(st.sampled_from([[], described])),
        context_file=draw(FILES),
        **notes,
    )


# --- Laws --------------------------------------------------------------------------------------


@LAWS
@given(materials(), FORMATS, st.integers(0, CONTEXT_TOKENS), st.integers(0, 3_000))
def test_the_budget_is_never_exceeded_but_by_the_rules_and_the_question(given_, shape, budget, reserve):
    context = assemble(given_, format=shape, budget_tokens=budget, reserve_tokens=reserve)
    fixed = context.tokens["rules"] + context.tokens["question"]
    assert cost(context) <= context.total <= max(budget - reserve, fixed)
    assert context.tokens["chat"] <= given_.chat.tokens <= SHARES["chat"]
    assert sum(context.tokens[layer] for layer in ("chat", "asker", "named")) <= BACKGROUND_TOKENS


@LAWS
@given(materials(), FORMATS)
def test_the_same_material_gives_the_same_context(given_, shape):
    assert assemble(given_, format=shape) == assemble(given_, format=shape)


@LAWS
@given(materials(), FORMATS, st.integers(900, 4_000), st.integers(0, 3_000))
def test_more_budget_drops_nothing_for_what_is_of_lower_rank(given_, shape, budget, more):
    small, large = (assemble(given_, format=shape, budget_tokens=tokens) for tokens in (budget, budget + more))
    for item_small, item_large in zip(ranked(given_, small), ranked(given_, large), strict=True):
        if item_small != item_large:
            assert item_large
            break


def ranked(given_, context):
    """Whether each item is shown, in the order in which they are chosen, as far as it is one of messages or notes."""
    newest = [m.message_id for m in reversed(given_.talk[-RECENT:])]
    shown = [message_id in context.messages for message_id in newest[:IMMEDIATE]]
    if not any(context.tokens[layer] for layer in ("chat", "asker", "named", "context", "metas", "summaries")):
        shown += [message_id in context.messages for message_id in newest[IMMEDIATE:]]
    return shown + [False] * (RECENT - len(shown))


@LAWS
@given(materials(), FORMATS)
def test_nothing_that_people_write_or_are_called_is_anything_but_data(given_, shape):
    context = assemble(given_, format=shape)
    tags = re.findall(r"(?<!\\)</?[a-z]", context.system)
    names = [
        line
        for line in context.system.split("\n")
        if re.fullmatch(r"</?[a-z]+( about=\"(chat|asker|members)\")?>", line)
    ]
    assert len(tags) == len(names)
    assert len(names) == len(set(names)) + max(0, names.count("</memory>") - 1)
    assert not re.search(r"(?<!\\)\[(meta|RESPOND|now)\]", context.system)
    last = context.turns[-1].parts
    assert last[-1].endswith("\n[RESPOND]")
    assert told(context).count("\n[RESPOND]") == 1
    if shape == "compact":
        entries = parse_talk(context.turns[0].parts[0])
        assert [e.body.text for e in entries if isinstance(e, Said)][-1] == given_.question.text
    else:
        metas = [parse_meta(turn.parts[0]) for turn in context.turns]
        assert [meta["message_id"] for meta in metas][-1] == given_.question.message_id


# --- Layers ------------------------------------------------------------------------------------


def test_every_layer_is_told_and_counted_within_its_budget():
    context = assemble(full())
    assert list(context.tokens) == ["rules", "question", *SHARES]
    assert all(context.tokens.values())
    assert context.total <= CONTEXT_TOKENS
    for tag in (
        "context",
        "history",
        "earlier",
        'memory about="chat"',
        'memory about="asker"',
        'memory about="members"',
        "details",
        "episodes",
        "later",
    ):
        assert context.system.count(f"<{tag}>") == 1
    assert len([m for m in context.messages if 900 <= m < 1000]) == RECENT


def test_what_was_said_after_the_question_is_shown_as_later_and_the_question_stays_the_last():
    since = [
        message("ой, вже в неділю", message_id=1001, sent_at=NOW + timedelta(seconds=30), name="Тарас", user_id=102)
    ]
    context = assemble(material(talk=talk(3), later=since))
    block = context.system.partition("<later>\n")[2].partition("\n</later>")[0]
    assert block.endswith("Тарас: ой, вже в неділю")
    assert 1001 in context.messages
    assert "в неділю" not in "\n".join(context.turns[-1].parts)


def test_of_much_that_was_said_later_the_newest_is_shown():
    context = assemble(material(later=talk(40, "слово " * 20, first=1001)))
    later = sorted(i for i in context.messages if i > 1000)
    assert later[-1] == 1040
    assert later == list(range(later[0], 1041))


def test_what_a_layer_leaves_over_flows_on():
    alone = assemble(material(found=[found(i, "слово " * 60) for i in range(1, 60)]))
    beside = assemble(full(found=[found(i, "слово " * 60) for i in range(1, 60)]))
    assert SHARES["relevant"] < alone.tokens["relevant"]
    assert beside.tokens["relevant"] < alone.tokens["relevant"]


def test_an_item_too_large_is_left_out_whole_and_the_next_is_tried():
    said = message("слово " * 3_000, message_id=1, sent_at=NOW - timedelta(days=5))
    huge = Excerpt(said, (said,), "https://t.me/c/1/1")
    context = assemble(material(found=[huge, found(2)]))
    assert 2 in context.messages
    assert 1 not in context.messages
    assert "слово слово" not in told(context)


def test_the_question_is_never_cut_however_long():
    asked = question("ґ" * 4_096)
    context = assemble(full(question=asked), budget_tokens=4_000)
    assert asked.text in told(context)
    assert context.tokens["recent"] == context.tokens["relevant"] == 0


def test_a_message_found_that_the_talk_shows_is_not_repeated_but_can_be_cited():
    recent = talk(10)
    hit = Excerpt(recent[4], tuple(recent[3:6]), "https://t.me/c/1/904")
    context = assemble(material(talk=recent, found=[hit]))
    assert told(context).count("повідомлення 4") == 1
    assert f"#904 {context.handles[102]}: повідомлення 4" in context.turns[0].parts[0]
    assert context.citations == {904: "[↗](https://t.me/c/1/904)"}
    assert context.tokens["relevant"] == 0


def test_a_message_without_a_link_has_a_number_too_and_is_cited_by_name_and_day():
    said = message("беремо намет", message_id=5, user_id=150, name="Оля *[x]*", sent_at=NOW - timedelta(days=3))
    context = assemble(material(found=[Excerpt(said, (said,))]))
    assert "\n#5 " in context.system
    sent = markdown_to_html(with_citations("Беремо [#5].", context.citations))
    assert sent == f"Беремо ({context.handles[150]}, {said.sent_at:%d.%m.%Y})."
    assert "*" in sent


def test_no_sentence_of_the_notes_stands_twice():
    summary = note("chunk", 1, "Оля бере намет на двох. Тарас несе казанок.")
    episode = note("episode", 1, "оля бере намет на двох! Потім обрали суботу.\nнамет, субота")
    same = note("episode", 2, "Тарас несе казанок.")
    context = assemble(material(summaries=[summary], episodes=[episode, same]))
    assert told(context).casefold().count("бере намет") == told(context).count("казанок") == 1
    assert "Потім обрали суботу." in context.system.split("<episodes>")[1]
    assert "намет, субота" not in context.system, "words to search by"
    assert context.notes == {each.key for each in (summary, episode, same)}  # its words are all shown


def test_a_hit_stands_with_its_neighbours_in_the_order_of_talk():
    context = assemble(material(found=[found(21, around=1), found(1, around=1)]))
    block = context.system.split("<found>\n")[1].split("\n</found>")[0]
    assert block.split("\n") == [
        "[2026-03-03 18:01]",
        "#1 Тарас: беремо намет 1",
        "Оля: поруч 1",
        "#21 Тарас: беремо намет 21",
        "Оля: поруч 21",
    ]


def test_people_of_one_name_have_one_handle_each_everywhere():
    chat = ChatFacts([fact("Без спаму", name="Оля", user_id=103)], 8, 480)
    context = assemble(material(talk=talk(4), chat=chat))
    assert 'said by "Оля#2"' in context.system
    assert "Оля#2: повідомлення 2" in context.turns[0].parts[0]


def test_an_old_context_file_is_told_with_its_age_and_a_long_one_ends_with_a_whole_line():
    context_file = ContextFileText("\n".join(f"- рядок {i} про похід" for i in range(200)), NOW - timedelta(days=12))
    lines = (
        assemble(material(context_file=context_file))
        .system.split("<context>\n")[1]
        .split("\n</context>")[0]
        .split("\n")
    )
    assert lines[0] == "(written 12 days ago; it may have changed)"
    assert lines[1] == "- рядок 0 про похід"
    assert re.fullmatch(r"- рядок \d+ про похід", lines[-1])
    assert len("\n".join(lines[1:]).encode()) <= 2_048
    fresh = ContextFileText("- рядок", NOW - timedelta(days=7))
    assert "written" not in assemble(material(context_file=fresh)).system


def test_a_fact_or_a_note_is_cited_by_a_link_to_its_message_while_there_is_one_else_by_name_and_day():
    notes, rule = note("chunk", 3, "Домовились про похід", days=2), fact("Без політики")
    remembered = material(summaries=[notes], chat=ChatFacts([rule], 8, 480))
    context = assemble(remembered)
    assert "(#5, 90%" in context.system
    assert context.citations == {30: "(04.03.2026)", 5: "(Оля, 06.03.2026)"}
    linked = assemble(replace(remembered, links={30: "https://t.me/c/1/30", 5: "https://t.me/c/1/5"}))
    assert linked.citations == {30: "[↗](https://t.me/c/1/30)", 5: "[↗](https://t.me/c/1/5)"}


def test_a_note_stands_once_and_with_its_day():
    same = note("chunk", 3, "Домовились про похід\n- Тарас бере намет", days=2)
    context = assemble(material(summaries=[same], key_facts=[same]))
    assert context.system.count("Домовились про похід") == 1
    assert f"- #{same.first} 2026-03-04: Домовились про похід\n- Тарас бере намет" in context.system
    assert context.notes == {same.key}


@pytest.mark.parametrize("shape", ["compact", "meta"])
def test_two_answers_in_a_row_share_everything_down_to_the_asker(shape):
    first = full()
    said = message("так", message_id=1001, user_id=102, name="Тарас", sent_at=NOW + timedelta(minutes=1))
    second = replace(
        first,
        question=question("а що брати?", message_id=1002, user_id=102, name="Тарас", sent_at=NOW + timedelta(hours=2)),
        now=NOW + timedelta(hours=2),
        talk=[*first.talk, first.question, said],
        asker=[fact("Грає на гітарі", category="preference", subject="user:102")],
        found=[found(3)],
        episodes=[],
        key_facts=[],
    )
    assert len(first.found) > len(second.found)
    one, other = (assemble(each, format=shape).system for each in (first, second))
    border = one.index('<memory about="asker">')
    assert one[:border] == other[:border]


def test_the_bots_own_words_are_the_models_turns_in_the_meta_format():
    said = [message("Поки що Тарас.", message_id=950, user_id=BOT, name="гряг", is_bot=True, sent_at=NOW)]
    context = assemble(material(talk=said), format="meta")
    assert [turn.role for turn in context.turns] == ["model", "user"]
    assert context.turns[-1].parts[1] == "гряг, коли їдемо?"
    assert context.turns[-1].parts[2].startswith("[now] Saturday, 2026-03-07 18:00, UTC. Answer Оля in Ukrainian.")


def test_with_nothing_at_hand_the_question_is_asked_all_the_same():
    context = assemble(material())
    assert context.turns[0].parts[0] == "[2026-03-07 18:00]\nОля: гряг, коли їдемо?"
    assert context.system.count("- (nothing yet)") == 2
