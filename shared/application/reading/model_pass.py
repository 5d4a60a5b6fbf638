"""Has the model read a stretch of talk in one call: each chunk's summary and episodic facts, and candidates.

The facts come from the messages, never from the summary. A model that is away, over budget or writes nonsense never
stops a stretch: the pass is pending and is made later.
"""

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.chats.choices import Choices, Method
from shared.application.consolidation.context_file_codec import people_of
from shared.application.consolidation.model_lane import Settling, open_items, read_settled, read_suggestions
from shared.application.facts.profiles import subject_facts
from shared.application.reading.notes.embeddings import embed_chunks
from shared.application.spending.asking import (
    OFFLINE,
    Embedded,
    ModelAnswer,
    ask,
    can_ask,
    is_worth_asking,
    memory_request,
)
from shared.domain.consolidation.items import Suggestion
from shared.domain.conversation.messages import Message, known_members
from shared.domain.facts.fact import Candidate, Relation
from shared.domain.facts.profile import ProfileFact, people_in
from shared.domain.reading.filters.reasons import Reason
from shared.domain.reading.model_candidates import ModelCandidates, judge_model_facts
from shared.domain.reading.model_reply import PartTexts, ReadingReply, read_reply
from shared.domain.reading.numbered_talk import NumberedTalk, number_talk
from shared.domain.reading.one_statement import is_said_by
from shared.domain.reading.summaries.wording import clean_facts, clean_summary, says_nothing
from shared.domain.text.language import LANGUAGE_NAMES
from shared.prompts import prompt

log = logging.getLogger(__name__)

MOST_TOKENS = 8_192
"""The longest reply: what is kept of five chunks and twenty facts, and as much to spare."""

_INSTRUCTIONS = ("facts", "consolidate", "summary", "episodes", "episode")


class ChunkReading(NamedTuple):
    """The model's reading of one chunk.

    Attributes:
        nothing_to_record: The model looked for episodic facts, and there are none.
        speakers: Members whose words the model had before it when it wrote that: it may have mixed up chunks.
        made_with: Messages whose words it had before it, those that what it knew was learnt from among them.
    """

    summary: str = ""
    episodic: str = ""
    nothing_to_record: bool = False
    embedded: Embedded = Embedded()
    speakers: frozenset[int] = frozenset()
    made_with: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class ModelPass:
    """The outcome.

    Attributes:
        chunks: One for each of the chunks.
        refused: Why items of the answer were no candidates.
        known: What was known before of who speaks, by id.
        suggested, settled: What it says of what the group is doing, not verified yet.
        has_read: Whether the candidates are all that the model found: it was asked for facts, and gave a reply.
        made_by: "<model>/<version of the prompt>", or "offline".
        pending: The model should look at this stretch again later.
    """

    chunks: tuple[ChunkReading, ...]
    candidates: tuple[Candidate, ...] = ()
    refused: tuple[Reason, ...] = ()
    known: Mapping[str, ProfileFact] = field(default_factory=dict)
    suggested: tuple[Suggestion, ...] = ()
    settled: tuple[Settling, ...] = ()
    has_read: bool = False
    made_by: str = OFFLINE
    pending: bool = True


class ModelTalk(NamedTuple):
    """The talk that the model is shown; nothing that was said in private, nobody who opted out.

    Attributes:
        context: Earlier messages, for understanding only.
        parts: The stretch, chunk by chunk; of a chunk of which nothing may be read nothing is left.
        admins: Who may lay down rules.
        after: Later messages, in which patterns find who agrees; a model is not shown them.
    """

    chat_id: int
    context: Sequence[Message]
    parts: Sequence[Sequence[Message]]
    admins: frozenset[int]
    after: Sequence[Message] = ()

    @property
    def messages(self) -> list[Message]:
        """Return the messages of the stretch."""
        return [message for part in self.parts for message in part]

    @property
    def message_ids(self) -> frozenset[int]:
        """Return the ids of all that is shown of it."""
        return frozenset(message.message_id for message in (*self.context, *self.messages))


async def run_model_pass(
    app: App, state: ChatState, talk: ModelTalk, choices: Choices, *, payer: int | None = None
) -> ModelPass:
    """Ask the model about a stretch, if there is a model, a budget and something said.

    Args:
        payer: The member whose edit it is about, and to whom it is booked, or None.
    """
    nothing = ModelPass(tuple(ChunkReading(made_with=talk.message_ids) for _ in talk.parts), pending=False)
    if not is_worth_asking(talk.messages):
        return nothing
    if not await can_ask(app, state, payer=payer):
        return replace(nothing, pending=True)
    wants_facts = choices.method.includes(Method.MODEL)
    known: Mapping[str, Sequence[ProfileFact]] = {}
    if wants_facts:
        about = ["chat", *(f"user:{user_id}" for user_id in known_members(talk.messages))]
        known = await subject_facts(app.store, app.policy, state, about, now=app.clock.now())
    items = await open_items(app.store, state) if wants_facts else []
    asking = _Asking(app, state, choices, talk, known, [item.text for item in items], wants_facts, payer)
    answer, read = await asking.ask(talk.parts, talk.context)
    if not answer.model:
        return replace(nothing, pending=answer.later)
    before = talk.message_ids | {quote.message_id for item in items for quote in item.quotes}
    kept = [
        read_part(part)._replace(
            speakers=people_in(shown.known) | people_of(items) | {*shown.members},
            made_with=before | {quote.message_id for fact in shown.known for quote in fact.evidence},
        )
        for shown, reply in read
        for part in reply.parts
    ]
    embeds = app.embedder is not None and not answer.later
    told = ["\n".join(filter(None, (each.summary, each.episodic))) for each in kept]
    vectors = await embed_chunks(app.embedder, told, talk.parts) if embeds else [Embedded() for _ in told]
    by_id = {fact.id: fact for facts in known.values() for fact in facts}
    judged = judge_replies(read if wants_facts else [], talk, choices)
    return ModelPass(
        tuple(each._replace(embedded=vector) for each, vector in zip(kept, vectors, strict=True)),
        tuple(_link_to_known(candidate, by_id.values()) for candidate in judged.candidates),
        judged.refused,
        by_id,
        tuple(
            each
            for shown, reply in read
            for each in read_suggestions(reply.raw, shown.message_ids, instructions=_rules())
        ),
        tuple(each for shown, reply in read for each in read_settled(reply.raw, shown.message_ids, items)),
        has_read=wants_facts and all(reply.tells_facts for _, reply in read),
        made_by=answer.made_by("reading"),
        pending=answer.later,
    )


class _Asking(NamedTuple):
    app: App
    state: ChatState
    choices: Choices
    talk: ModelTalk
    known: Mapping[str, Sequence[ProfileFact]]
    open_items: Sequence[str]
    wants_facts: bool
    payer: int | None

    async def ask(
        self, parts: Sequence[Sequence[Message]], before: Sequence[Message], *, may_divide: bool = True
    ) -> tuple[ModelAnswer, list[tuple[NumberedTalk, ReadingReply]]]:
        """Ask about some chunks; about each half of them when the reply is cut off."""
        from shared.domain.reading.fact_keys import describe_keys
        from shared.prompts.reading import describe_types, reading_schema

        shown = number_talk(parts, before, self.known, self.open_items)
        choices, admins, facts = self.choices, self.talk.admins, self.wants_facts
        request = memory_request(
            "reading",
            choices,
            instructions_for=_INSTRUCTIONS[0 if facts else 2 :],
            most_tokens=MOST_TOKENS,
            text="" if facts else prompt("texts").text,
            schema=reading_schema(choices.profile, facts=facts),
            keys=describe_keys(),
            types=describe_types(choices.profile),
            language=LANGUAGE_NAMES.get(self.state.language or "", "the language of the talk"),
            **shown.places(zone=choices.timezone, admins=admins, bot_name=self.app.policy.bot_names[0], facts=facts),
        )
        answer = await ask(self.app, self.state, request, about=min(shown.message_ids, default=0), payer=self.payer)
        reply = read_reply(answer.text, len(parts))
        if not (answer.model and reply.is_cut and reply.is_readable and may_divide and len(parts) > 1):
            return answer, [(shown, reply)]
        log.warning("a reading of %d chunks was cut off; it is asked for in halves", len(parts))
        half = len(parts) // 2
        first, early = await self.ask(parts[:half], before, may_divide=False)
        between = [message for part in parts[:half] for message in part]
        rest, late = await self.ask(parts[half:], between, may_divide=False)
        answered = next((each for each in (first, rest) if each.model), answer)
        return replace(answered, later=first.later or rest.later), [*early, *late]


def read_part(part: PartTexts) -> ChunkReading:
    """Return what is kept of what the model wrote about a chunk."""
    summary = clean_summary(part.summary, instructions=_rules())
    episodic = clean_facts(part.details, instructions=_rules())
    return ChunkReading(summary, episodic, part.is_told and says_nothing(part.details))


def _rules() -> str:
    """Return what no text of the model's repeats; the prompt's examples are talk as any other."""
    return prompt("reading").text.partition("\nExample, with f1")[0]


def judge_replies(
    read: Iterable[tuple[NumberedTalk, ReadingReply]], talk: ModelTalk, choices: Choices
) -> ModelCandidates:
    """Return what of some replies may be looked at further."""
    items, refused = [], list[Reason]()
    for shown, reply in read:
        if reply.malformed:
            log.warning("model output: %d problems", reply.malformed)
        refused += [Reason.MALFORMED] * reply.malformed
        meant = [shown.resolve(item) for item in reply.facts]
        items += [item for item in meant if not isinstance(item, Reason)]
        refused += [item for item in meant if isinstance(item, Reason)]
    seen = [*talk.context, *talk.messages]
    judged = judge_model_facts(
        items, seen, known_members(seen), admins=talk.admins, profile=choices.profile, zone=choices.timezone
    )
    return replace(judged, refused=(*judged.refused, *refused))


def _link_to_known(candidate: Candidate, known: Iterable[ProfileFact]) -> Candidate:
    """Return a candidate that says what a known fact was learnt from as that one, in the model's words."""
    if candidate.relation is not None:
        return candidate
    same = next((fact for fact in known if is_said_by(candidate, fact)), None)
    if same is None:
        return candidate
    return replace(candidate, known=same.id, relation=Relation.CONFIRMS, rewords=True)
