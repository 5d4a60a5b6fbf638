"""One answer's context: what fits of each layer, what changes least first.

Filled in the order of `SHARES`; placed so that two answers in a row share the longest prefix: rules, CONTEXT.md, meta
summaries, chunk summaries, the chat's profile, then what depends on the question: the asker's profile, key facts,
episodes, messages found, what was said since, the talk, the time and the end marker. Deterministic: equal material
gives an equal context.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from shared.domain.answering.context.blocks import (
    NOTHING,
    block,
    context_file_lines,
    frame_cost,
    note_lines,
    portrait_lines,
    sentence_keys,
)
from shared.domain.answering.context.budget import BACKGROUND_TOKENS, CONTEXT_TOKENS, Purse
from shared.domain.answering.context.cleaning import cite
from shared.domain.answering.context.compact import talk_lines
from shared.domain.answering.context.material import Context, Format, Material
from shared.domain.answering.context.renderers import CompactRenderer, MetaRenderer, Renderer
from shared.domain.conversation.messages import Message
from shared.domain.facts.profile import FactSummary, ProfileFact, people_in, quoted_names, summarize
from shared.domain.people.labels import NAMELESS, Identity, labels_of
from shared.domain.recall.index.note import Note
from shared.domain.spending.tokens import tokens_of_lines
from shared.domain.text.data_files import read_data

IMMEDIATE, RECENT = 5, 30
"""Last messages of the immediate and of the recent layer (DESIGN)."""

_TAGS: Mapping[str, str] = read_data(__package__, "layers")["tags"]
"""The layers in the order in which they are placed."""

_LANGUAGES = {"uk": "Ukrainian", "en": "English"}


def assemble(
    material: Material,
    *,
    format: Format = "compact",  # noqa: A002 - the setting's name
    budget_tokens: int = CONTEXT_TOKENS,
    reserve_tokens: int = 0,
) -> Context:
    """Return what the model is given, within the budget.

    Args:
        budget_tokens: Of everything. Only the rules and the question are never left out, however large they are.
        reserve_tokens: Of these, kept free for media and tools.
    """
    return _Assembly(material, format, budget_tokens - reserve_tokens).context()


class _Assembly:
    """One use of `assemble`: the layers are filled one after the other, then put in place."""

    def __init__(self, material: Material, style: Format, tokens: int) -> None:
        self._material = material
        asked = {m.message_id for m in (*material.earlier, material.question)}
        self._talk = [m for m in material.talk if m.message_id not in asked][-RECENT:]
        people = {**people_told(material), **material.people}
        self._handles = labels_of(people.values(), bot_id=material.bot_id, bot_name=material.bot_name)
        self._by_id = {m.message_id: m for m in _messages(material)}
        self._citations = {
            said.message_id: cite(said.sent_at, link, self._handles[said.user_id], material.zone)
            for said, _, link in material.found
        }
        self._numbered = self._citations.keys() | {m.message_id for m in self._by_id.values() if m.media is not None}
        self._renderer: Renderer = (
            CompactRenderer(self._handles, self._by_id, material.zone, self._numbered)
            if style == "compact"
            else MetaRenderer(self._by_id, material.bot_id)
        )
        self._tail = _tail(material, self._handles)
        profiles = [NOTHING, NOTHING, *block(_TAGS["chat"], ()), *block(_TAGS["asker"], ())]
        self._fixed = {
            "rules": tokens_of_lines([material.rules, *profiles]),
            "question": self._renderer.cost(material.question, None)
            + sum(self._renderer.cost(message, material.question) for message in material.earlier)
            + tokens_of_lines([self._tail]),
        }
        self._purse = Purse(tokens - sum(self._fixed.values()))
        self._shown: list[Message] = [*material.earlier, material.question]
        self._lines: dict[str, list[str]] = {}
        self._notes: set[tuple[str, str]] = set()
        self._told: set[str] = set()
        self._facts: list[str] = []
        self._has_portrait = False

    def context(self) -> Context:
        self._fill_talk("immediate", self._talk[-IMMEDIATE:])
        later = self._fill_later()
        self._fill_background()
        self._fill_context_file()
        self._fill_notes("metas", self._material.metas)
        self._fill_notes("summaries", self._material.summaries)
        self._fill_talk("recent", self._talk[:-IMMEDIATE])
        found = {m.message_id for m in chain(*self._fill_relevant())}
        self._fill_notes("episodes", self._material.episodes)
        self._fill_notes("key_facts", self._material.key_facts)
        shown = {m.message_id for m in self._shown} | found | later
        blocks = (block(tag, self._lines[layer]) for layer, tag in _TAGS.items() if layer in self._lines)
        return Context(
            system="\n".join([self._material.rules, *chain(*blocks)]),
            turns=self._renderer.turns(self._shown, self._tail),
            tokens=self._fixed | self._purse.spent,
            messages=frozenset(shown),
            notes=frozenset(self._notes),
            citations=self._sources() | {n: cited for n, cited in self._citations.items() if n in shown},
            handles=self._handles,
            found=frozenset(found),
            facts=tuple(self._facts),
            has_context_file="context" in self._lines,
            has_portrait=self._has_portrait,
        )

    def _sources(self) -> dict[int, str]:
        """Return what stands for the messages that what is remembered was learnt from."""
        material, zone = self._material, self._material.zone
        notes = chain(material.metas, material.summaries, material.episodes, material.key_facts)
        told = [(note.first, note.first_at, "") for note in notes if note.key in self._notes]
        facts = chain(material.chat.facts, material.asker, material.named)
        said = [fact.evidence[0] for fact in facts if fact.id in self._facts and fact.evidence]
        told += [(each.message_id, each.sent_at, self._handles.get(each.user_id, each.name)) for each in said]
        return {number: cite(at, material.links.get(number), who, zone) for number, at, who in told}

    def _fill_talk(self, layer: str, messages: Sequence[Message]) -> None:
        """The newest first; what does not fit is left out, and older ones may still fit."""
        self._purse.begin(layer)
        for message in reversed(messages):
            if self._purse.take(self._renderer.cost(message, self._shown[0])):
                self._shown.insert(0, message)

    def _fill_later(self) -> set[int]:
        """Take what was said since the question, the newest first; shown in the order of talk."""
        self._purse.begin("later")
        taken: list[Message] = []
        for message in reversed(self._material.later):
            frame = 0 if taken else frame_cost(_TAGS["later"])
            if self._purse.take(frame + tokens_of_lines(self._excerpt_lines([message]))):
                taken.insert(0, message)
        if taken:
            self._lines["later"] = self._excerpt_lines(taken)
        return {message.message_id for message in taken}

    def _fill_background(self) -> None:
        chat = self._material.chat
        self._purse.begin("chat", most=chat.tokens)
        self._fill_facts("chat", chat.facts, chat.limit, portrait=self._material.portrait if chat.limit else "")
        self._purse.begin("asker", most=BACKGROUND_TOKENS - self._purse.spent["chat"])
        self._fill_facts("asker", self._material.asker, self._material.asker_limit)
        self._fill_named(BACKGROUND_TOKENS - self._purse.spent["chat"] - self._purse.spent["asker"])

    def _fill_named(self, most: int) -> None:
        """Fill the tokens that the profiles leave over with what is known of other members, each by name."""
        self._purse.begin("named", most=most)
        frame, told = frame_cost(_TAGS["named"]), list[str]()
        for user_id in dict.fromkeys(fact.user_id for fact in self._material.named):
            facts = [fact for fact in self._material.named if fact.user_id == user_id]
            name = self._handles.get(user_id, NAMELESS)
            headings = {category: f"{name}: {heading}" for category, heading in self._material.headings.items()}
            room = self._purse.available - frame
            lines, ids = self._summarize(facts, headings, limit=len(facts), budget_tokens=room)
            if lines and self._purse.take(frame + tokens_of_lines(lines)):
                told, frame = [*told, *lines], 0
                self._facts += ids
        if told:
            self._lines["named"] = told

    def _fill_facts(self, layer: str, facts: Sequence[ProfileFact], limit: int, *, portrait: str = "") -> None:
        """A profile, after the portrait when that fits; that nothing is known is told, too."""
        begun = [line for line in portrait_lines(portrait) if self._purse.take(tokens_of_lines([line]))]
        self._has_portrait = self._has_portrait or bool(begun)
        headings, room = self._material.headings, self._purse.available
        lines, ids = self._summarize(facts, headings, limit=limit, budget_tokens=room)
        self._purse.take(tokens_of_lines(lines))
        self._lines[layer] = [*begun, *lines] or [NOTHING]
        self._facts += ids

    def _summarize(
        self, facts: Sequence[ProfileFact], headings: Mapping[str, str], *, limit: int, budget_tokens: int
    ) -> FactSummary:
        names, zone = quoted_names(facts) | self._handles, self._material.zone
        return summarize(facts, headings, names, limit=limit, budget_tokens=budget_tokens, zone=zone)

    def _fill_context_file(self) -> None:
        self._purse.begin("context")
        if self._material.context_file is None:
            return
        room = self._purse.available - frame_cost(_TAGS["context"])
        lines = context_file_lines(self._material.context_file, self._material.now, budget_tokens=room)
        if lines and self._purse.take(frame_cost(_TAGS["context"]) + tokens_of_lines(lines)):
            self._lines["context"] = lines

    def _fill_relevant(self) -> list[list[Message]]:
        """Messages found, each with its neighbours when they fit, else alone; none that the talk shows."""
        self._purse.begin("relevant")
        in_talk = {m.message_id for m in self._shown}
        taken: list[list[Message]] = []
        for hit in self._material.found:
            done = in_talk.union(*([m.message_id for m in excerpt] for excerpt in taken))
            if hit.message.message_id in done:
                continue
            around = [m for m in hit.around if m.message_id not in done]
            for excerpt in filter(None, (around, [hit.message])):
                frame = 0 if taken else frame_cost(_TAGS["relevant"])
                if self._purse.take(frame + tokens_of_lines(self._excerpt_lines(excerpt))):
                    taken.append(excerpt)
                    break
        if taken:
            together = sorted(chain(*taken), key=lambda m: (m.sent_at, m.message_id))
            self._lines["relevant"] = self._excerpt_lines(together)
        return taken

    def _excerpt_lines(self, messages: Sequence[Message]) -> list[str]:
        return talk_lines(messages, self._handles, self._material.zone, known=self._by_id, cited=self._numbered)

    def _fill_notes(self, layer: str, notes: Iterable[Note]) -> None:
        """Notes in order of rank, shown in the order of talk; none twice, and no sentence of theirs."""
        self._purse.begin(layer)
        kept: list[tuple[Note, tuple[str, ...]]] = []
        for note in notes:
            lines = note_lines(note, self._material.zone, told=self._told)
            cost = tokens_of_lines(lines) + (0 if kept else frame_cost(_TAGS[layer])) if lines else 0
            if note.key not in self._notes and self._purse.take(cost):
                self._notes.add(note.key)
                self._told |= sentence_keys(note.text)
                kept += [(note, lines)] if lines else []
        kept.sort(key=lambda pair: (pair[0].first_at, pair[0].key))
        if kept:
            self._lines[layer] = [line for _, lines in kept for line in lines]


def _messages(material: Material) -> Iterator[Message]:
    """All that may be shown."""
    found = chain.from_iterable((*hit.around, hit.message) for hit in material.found)
    return chain(material.talk, material.later, found, material.earlier, [material.question])


def people_told(material: Material) -> dict[int, Identity]:
    """Return everybody who speaks in the context, is quoted in it or told of, as what is shown there tells of them."""
    names = dict.fromkeys(people_in(material.named), "")
    names |= quoted_names([*material.chat.facts, *material.asker, *material.named]) | dict(material.names)
    known = {user_id: Identity(user_id, name) for user_id, name in names.items()}
    said = {m.user_id: Identity(m.user_id, m.name, username=m.username, is_bot=m.is_bot) for m in _messages(material)}
    return known | said


def _tail(material: Material, handles: Mapping[int, str]) -> str:
    """Return what stands after the question: when it is asked, and in which language to answer whom."""
    now = material.now.astimezone(material.zone)
    asker = handles[material.question.user_id]
    what = f"'s last {1 + len(material.earlier)} messages in one" if material.earlier else ""
    language = _LANGUAGES[material.language]
    return f"[now] {now:%A, %Y-%m-%d %H:%M}, {material.zone}. Answer {asker}{what} in {language}."
