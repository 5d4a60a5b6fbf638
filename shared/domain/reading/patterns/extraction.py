"""From a run of messages to candidates: findings, those who agree, plans that changed, words taken back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from shared.domain.conversation.messages import Message, other_names
from shared.domain.facts.evidence.claim import CONSENSUS_MEMBERS, is_person
from shared.domain.facts.fact import Candidate
from shared.domain.reading.guards import sentences as guards
from shared.domain.reading.guards.others_lines import is_anothers_line
from shared.domain.reading.matching.clauses import Sentence, sentences
from shared.domain.reading.matching.rows import PatternFinding
from shared.domain.reading.patterns.answers import OpenQuestion, answers_to, asks, is_near, questions_in
from shared.domain.reading.patterns.candidates import candidate_of, merge_candidates
from shared.domain.reading.patterns.chat import calendar
from shared.domain.reading.patterns.chat.findings import from_calendar
from shared.domain.reading.patterns.consensus import Reaction, Thread, open_threads, reaction_of, threads_addressed_by
from shared.domain.reading.patterns.finding import findings_in
from shared.domain.reading.patterns.listener import Listener
from shared.domain.text.language import fold, tokens

_STEM = 5
_RETRACTED_WITHIN = 3


@dataclass(slots=True)
class _PatternRun:
    """What is known while the messages are read in order."""

    threads: list[Thread] = field(default_factory=list)
    strangers: list[int] = field(default_factory=list)
    tainted: set[int] = field(default_factory=set)
    told: list[str] = field(default_factory=list)
    asked: list[OpenQuestion] = field(default_factory=list)
    asking: dict[int, Message] = field(default_factory=dict)
    authors: dict[int, int] = field(default_factory=dict)


def extract_patterns(
    messages: Sequence[Message],
    *,
    admins: frozenset[int],
    bot_names: Sequence[str],
    bot_username: str,
    consensus: int = CONSENSUS_MEMBERS,
) -> list[Candidate]:
    """Candidates that the words of these messages support, in order of appearance (the facts of `read_talk`).

    Args and Returns as there.
    """
    found = read_talk(messages, admins=admins, bot_names=bot_names, bot_username=bot_username, consensus=consensus)
    return [candidate for candidate in found if candidate.holds]


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
        bot_names: Names by which the bot is called.
        bot_username: Its username, without "@".
        consensus: Members whose agreement about the chat counts as the chat's own.
    Returns:
        Each with verbatim quotes; supporters are evidence too, objectors voices. What too few agree with is no fact
        (`Candidate.holds`) and only says who is for and against one that is known. Never raises, whatever the text.
    """
    run, called = _PatternRun(), other_names(messages)
    names = tuple(name for name in (*bot_names, bot_username) if name)
    for position, message in enumerate(messages):
        run.authors[message.message_id] = message.user_id
        if asks(message):
            run.asking[position] = message
        if not message.may_teach:
            if message.is_bot and message.text:
                run.told.append(message.text)
            continue
        if is_anothers_line(message.text, called(message)):
            continue
        _read(run, message, position, Listener(names, tuple(run.told), admins, consensus))
    held = merge_candidates([candidate_of(thread, consensus) for thread in _standing(run.threads)])
    open_ = (thread for thread in run.threads if not thread.holds() and (thread.supporters or thread.objectors))
    return held + [replace(candidate_of(thread, consensus), holds=False) for thread in open_]


def _standing(threads: Sequence[Thread]) -> list[Thread]:
    """The findings that enough members agree with and nobody entitled has since replaced."""
    return [
        thread
        for number, thread in enumerate(threads)
        if thread.holds() and not any(thread.is_replaced_by(later) for later in threads[number + 1 :])
    ]


def _read(run: _PatternRun, message: Message, position: int, listener: Listener) -> None:
    if guards.has_injection(message.text):
        run.tainted.add(message.user_id)
        return
    open_at = _open_at(run, message, position)
    answers = answers_to(run.asked, message, position, open_at=open_at, authors=run.authors)
    run.asked += questions_in(message, position)
    found = findings_in(message, listener, answers)
    if message.user_id in run.tainted:
        found = [item for item in found if item.subject != "chat"]
    reaction = reaction_of(message.text) if run.threads else None
    if reaction is Reaction.RETRACTION:
        anew = _change_plans(run, message, [])
        _retract(run, message, position)
        run.threads += [Thread(item, position) for item in anew]
        return
    found = _change_plans(run, message, found)
    meant = threads_addressed_by(run.threads, message, position, run.strangers) if reaction else []
    if reaction is Reaction.SUPPORT and message.reply_to is None:
        meant = _agreed_with(meant, found)
    is_clear = message.reply_to is not None or open_at == {thread.position for thread in meant}
    if is_clear and is_person(message.user_id) and message.user_id not in run.tainted:
        _react([thread for thread in meant if thread.finding.message.is_reacted_to_by(message)], message, reaction)
    echoed = {thread.finding.category for thread in meant} if reaction is Reaction.SUPPORT else set()
    restated = set() if is_clear else {_said_in(thread.finding) for thread in run.threads}
    fresh = [i for i in found if i.subject != "chat" or i.category not in echoed or _said_in(i) in restated]
    fresh = [item for item in fresh if not _says_again(run.threads, item)]
    run.threads.extend(Thread(item, position) for item in fresh)
    if not fresh and not meant:
        run.strangers.append(position)


def _said_in(finding: PatternFinding) -> tuple[str, str, str]:
    """Return what somebody says in words of their own, whomever they agree with."""
    return finding.category, finding.key, fold(finding.value)


def _open_at(run: _PatternRun, message: Message, position: int) -> set[int]:
    """Positions of what an unaddressed word may be about: what others said of the chat near by, and what they asked
    just before, whoever was to answer."""
    said = {thread.position for thread in open_threads(run.threads, message, position, run.strangers)}
    others = ((at, each) for at, each in run.asking.items() if each.user_id != message.user_id)
    return said | {at for at, each in others if is_near(each, at, position)}


def _agreed_with(targets: Sequence[Thread], found: Sequence[PatternFinding]) -> list[Thread]:
    """Return what a "yes, …" agrees with; one that goes on about something else agrees with what is not here."""
    own = {item.category for item in found if item.subject == "chat"}
    return [thread for thread in targets if not own or thread.finding.category in own]


def _react(targets: Sequence[Thread], message: Message, reaction: Reaction | None) -> None:
    for thread in targets:
        if reaction is Reaction.SUPPORT:
            thread.supporters.setdefault(message.user_id, message)
            thread.objectors.pop(message.user_id, None)
        else:
            thread.supporters.pop(message.user_id, None)
            thread.objectors[message.user_id] = message


def _says_again(threads: Sequence[Thread], item: PatternFinding) -> bool:
    """Return whether another member has just named the same topic ("rocket launches" – "rockets 24/7"): one more
    supporter."""
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


def _retract(run: _PatternRun, message: Message, position: int) -> None:
    """An author who takes back what they just said is believed."""
    run.threads = [
        thread
        for thread in run.threads
        if thread.finding.message.user_id != message.user_id or position - thread.position > _RETRACTED_WITHIN
        if not (thread.finding.kind != "statement" and thread.finding.message.user_id == message.user_id)
    ]


def _change_plans(run: _PatternRun, message: Message, found: Sequence[PatternFinding]) -> list[PatternFinding]:
    """Return what was found; an event that it moves or cancels gives way to its new date, if that is told."""
    events = [thread for thread in run.threads if thread.finding.category == "event"]
    told = sentences(message.text) if events else []
    changing = [item for item in told if not item.question and calendar.changes_plans(item.text)]
    gone = [thread for thread in events if any(_is_about(thread, item, message) for item in changing)]
    if not gone and len(events) == 1 and any(_may_change(events[0], item, message) for item in changing):
        gone = events if _settles(told) else []
    run.threads = [thread for thread in run.threads if thread not in gone]
    if not gone:
        return list(found)
    if corrected := _correct_event(gone, changing, message):
        return [*(item for item in found if item.category != "event"), corrected]
    if any(item.category == "event" for item in found):
        return list(found)
    anew = ((item, calendar.rescheduled_in(item.text)) for item in told)
    plans = [from_calendar(message, item, plan, kind="statement", needs=0) for item, plan in anew if plan]
    return [*found, *plans[:1]]


def _correct_event(gone: Sequence[Thread], changing: Sequence[Sentence], message: Message) -> PatternFinding | None:
    """The event with what a correction denies replaced by what it says instead ("о 9 на Шевченка 5, не о 10")."""
    for thread in gone:
        for item in changing:
            if plan := calendar.correct_announcement(thread.finding.sentence.text, item.text):
                return from_calendar(message, item, plan, kind="statement", needs=0)
    return None


def _is_about(thread: Thread, changing: Sentence, message: Message) -> bool:
    return thread.finding.message is not message and calendar.same_occasion(thread.finding.sentence.text, changing.text)


def _may_change(thread: Thread, changing: Sentence, message: Message) -> bool:
    """Return whether a sentence that names no event may be about the only one: its author's, or a change."""
    return thread.finding.message.user_id == message.user_id or calendar.names_event(changing.text)


def _settles(told: Sequence[Sentence]) -> bool:
    """Return whether a message cancels, or names another date."""
    return any(calendar.cancels(item.text) or calendar.rescheduled_in(item.text) for item in told)
