"""Extracts candidates from a run of messages: findings, those who agree, plans that changed, words taken back."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from shared.domain.conversation.messages import Message, other_names
from shared.domain.facts.evidence.claim import CONSENSUS_MEMBERS, is_person
from shared.domain.facts.fact import Candidate
from shared.domain.reading.guards import sentences as guards
from shared.domain.reading.guards.others_lines import is_anothers_line
from shared.domain.reading.matching.clauses import Sentence, sentences
from shared.domain.reading.matching.rows import Listener, PatternFinding
from shared.domain.reading.patterns.answers import OpenQuestion, answers_to, asks, is_near, questions_in
from shared.domain.reading.patterns.chat import calendar
from shared.domain.reading.patterns.chat.findings import from_calendar
from shared.domain.reading.patterns.consensus import (
    Reaction,
    Thread,
    candidate_of,
    merge_candidates,
    open_threads,
    reaction_of,
    threads_addressed_by,
)
from shared.domain.reading.patterns.finding import findings_in
from shared.domain.text.language import fold, tokens

_STEM = 5
_RETRACTED_WITHIN = 3


@dataclass(slots=True)
class _PatternRun:
    """The state while the messages are read in order; positions are places among them.

    Attributes:
        threads: What was found, with those who reacted.
        strangers: Positions of messages that were neither findings nor reactions.
        tainted: Members who tried to instruct the bot: what they say of the chat counts no more.
        asked: Questions that a short answer may answer.
        asking: By position every message that asks anything.
        authors: Who wrote which message, by ids.
        named: Who is called what, by the folded name.
    """

    listener: Listener
    threads: list[Thread] = field(default_factory=list)
    strangers: list[int] = field(default_factory=list)
    tainted: set[int] = field(default_factory=set)
    asked: list[OpenQuestion] = field(default_factory=list)
    asking: dict[int, Message] = field(default_factory=dict)
    authors: dict[int, int] = field(default_factory=dict)
    named: dict[str, set[int]] = field(default_factory=dict)


def read_talk(
    messages: Sequence[Message],
    *,
    admins: frozenset[int],
    bot_names: Sequence[str],
    bot_username: str,
    consensus: int = CONSENSUS_MEMBERS,
) -> list[Candidate]:
    """Candidates that the words of these messages support, in order of appearance, then what was only reacted to.

    Args:
        messages: A stretch of one chat in order; what bots and forwards say is only read to not believe it again.
        admins: Members whose word makes a rule (besides messages that prove it themselves).
        bot_username: Without "@".
        consensus: Members whose agreement about the chat counts as the chat's own.
    Returns:
        Each with verbatim quotes; supporters are evidence too, objectors voices. What too few agree with is no fact
        (`Candidate.holds`) and only says who is for and against one that is known. Never raises, whatever the text.
    """
    told: list[str] = []
    names = tuple(name for name in (*bot_names, bot_username) if name)
    run, called = _PatternRun(Listener(names, told, admins, consensus)), other_names(messages)
    for message in messages:
        run.named.setdefault(fold(message.name), set()).add(message.user_id)
    for position, message in enumerate(messages):
        run.authors[message.message_id] = message.user_id
        if asks(message):
            run.asking[position] = message
        if not message.may_teach:
            told += [message.text] if message.is_bot and message.text else []
        elif not is_anothers_line(message.text, called(message)):
            _read(run, message, position)
    standing = (
        thread
        for number, thread in enumerate(run.threads)
        if thread.holds() and not any(thread.is_replaced_by(later) for later in run.threads[number + 1 :])
    )
    held = merge_candidates([candidate_of(thread, consensus) for thread in standing])
    open_ = (thread for thread in run.threads if not thread.holds() and (thread.supporters or thread.objectors))
    return held + [replace(candidate_of(thread, consensus), holds=False) for thread in open_]


def _read(run: _PatternRun, message: Message, position: int) -> None:
    if guards.has_injection(message.text):
        run.tainted.add(message.user_id)
        return
    open_at = _open_at(run, message, position)
    answers = answers_to(run.asked, message, position, open_at=open_at, authors=run.authors)
    run.asked += questions_in(message, position)
    found = findings_in(message, run.listener, answers)
    # Who bears another's name for a day says that name, too; a true namesake's is known without it.
    found = [i for i in found if i.key != "name" or run.named.get(fold(i.value), set()) <= {message.user_id}]
    if message.user_id in run.tainted:
        found = [item for item in found if item.subject != "chat"]
    reaction = reaction_of(message.text) if run.threads else None
    if reaction is Reaction.RETRACTION:
        anew = _change_plans(run, message, [])
        run.threads = [thread for thread in run.threads if not _is_taken_back(thread, message, position)]
        run.threads += [Thread(item, position) for item in anew]
        return
    found = _change_plans(run, message, found)
    meant = threads_addressed_by(run.threads, message, position, run.strangers) if reaction else []
    if reaction is Reaction.SUPPORT and message.reply_to is None:
        # A "yes, …" that goes on about something else agrees with what is not here.
        own = {item.category for item in found if item.subject == "chat"}
        meant = [thread for thread in meant if not own or thread.finding.category in own]
    is_clear = message.reply_to is not None or open_at == {thread.position for thread in meant}
    if is_clear and is_person(message.user_id) and message.user_id not in run.tainted:
        _react([thread for thread in meant if thread.finding.message.is_reacted_to_by(message)], message, reaction)
    echoed = {thread.finding.category for thread in meant} if reaction is Reaction.SUPPORT else set()
    restated = set() if is_clear else {_finding_key(thread.finding) for thread in run.threads}
    fresh = [i for i in found if i.subject != "chat" or i.category not in echoed or _finding_key(i) in restated]
    fresh = [item for item in fresh if not _says_again(run.threads, item)]
    run.threads.extend(Thread(item, position) for item in fresh)
    if not fresh and not meant:
        run.strangers.append(position)


def _finding_key(finding: PatternFinding) -> tuple[str, str, str]:
    return finding.category, finding.key, fold(finding.value)


def _open_at(run: _PatternRun, message: Message, position: int) -> set[int]:
    """Positions of what an unaddressed word may be about: what others said near by of the chat, or just asked."""
    said = {thread.position for thread in open_threads(run.threads, message, position, run.strangers)}
    others = ((at, each) for at, each in run.asking.items() if each.user_id != message.user_id)
    return said | {at for at, each in others if is_near(each, at, position)}


def _react(targets: Sequence[Thread], message: Message, reaction: Reaction | None) -> None:
    for thread in targets:
        if reaction is Reaction.SUPPORT:
            thread.supporters.setdefault(message.user_id, message)
            thread.objectors.pop(message.user_id, None)
        else:
            thread.supporters.pop(message.user_id, None)
            thread.objectors[message.user_id] = message


def _says_again(threads: Sequence[Thread], item: PatternFinding) -> bool:
    """Return whether another member has just named the same topic ("rocket launches" – "rockets"): a supporter."""
    stems = {word[:_STEM] for word in tokens(item.value) if len(word) >= _STEM}
    for thread in threads:
        known, message = thread.finding, item.message
        if item.category != "topic" or known.category != "topic" or known.message.user_id == message.user_id:
            continue
        if stems & {word[:_STEM] for word in tokens(known.value) if len(word) >= _STEM}:
            if is_person(message.user_id):
                thread.supporters.setdefault(message.user_id, message)
            return True
    return False


def _is_taken_back(thread: Thread, message: Message, position: int) -> bool:
    """Return whether its author takes back what they just said, or ever proposed: they are believed."""
    own = thread.finding.message.user_id == message.user_id
    return own and (thread.finding.kind != "statement" or position - thread.position <= _RETRACTED_WITHIN)


def _change_plans(run: _PatternRun, message: Message, found: Sequence[PatternFinding]) -> list[PatternFinding]:
    """Return what was found; an event that it moves or cancels gives way to its new date, if that is told."""
    events = [thread for thread in run.threads if thread.finding.category == "event"]
    told = sentences(message.text) if events else ()
    changing = [item for item in told if not item.question and calendar.changes_plans(item.text)]
    others = [thread for thread in events if thread.finding.message is not message]
    changed = [item.text for item in changing]
    gone = [each for each in others if any(calendar.same_occasion(each.finding.sentence.text, by) for by in changed)]
    if not gone and len(events) == 1 and changing:
        # A sentence that names no event may be about the only one: its author's, or a change.
        own = events[0].finding.message.user_id == message.user_id
        may_change = own or any(calendar.names_event(item.text) for item in changing)
        settles = any(calendar.cancels(item.text) or calendar.find_rescheduled(item.text) for item in told)
        gone = events if may_change and settles else []
    run.threads = [thread for thread in run.threads if thread not in gone]
    if not gone:
        return list(found)
    if corrected := _correct_event(gone, changing, message):
        return [*(item for item in found if item.category != "event"), corrected]
    if any(item.category == "event" for item in found):
        return list(found)
    anew = ((item, calendar.find_rescheduled(item.text)) for item in told)
    plans = [from_calendar(message, item, plan) for item, plan in anew if plan]
    return [*found, *plans[:1]]


def _correct_event(gone: Sequence[Thread], changing: Sequence[Sentence], message: Message) -> PatternFinding | None:
    """The event with what a correction denies replaced by what it says instead ("о 9 на Шевченка 5, не о 10")."""
    announced = (thread.finding.sentence.text for thread in gone)
    told = ((item, calendar.correct_announcement(text, item.text)) for text in announced for item in changing)
    return next((from_calendar(message, item, plan) for item, plan in told if plan), None)
