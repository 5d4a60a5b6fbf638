"""The last gate before a fact is stored: why a candidate, from whichever source, must not be.

Both a model and our own patterns pass here. A suspicious phrase is forgiven when the quote itself says it: "is 34
years old" is a guess when the quote is "hey all" and a fact when it is "I just turned 34".
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from shared.domain.conversation.messages import Message
from shared.domain.facts.evidence.claim import Authority
from shared.domain.facts.fact import CHAT_CATEGORIES, MEMBER_CATEGORIES, MIN_CONFIDENCE, Candidate
from shared.domain.facts.memory_profile import Profile, profile_allows
from shared.domain.reading.filters.actions import is_action, is_empty
from shared.domain.reading.filters.guesses import is_guess
from shared.domain.reading.filters.machinery import is_assistant_fact, is_prompt_leak
from shared.domain.reading.filters.reasons import Reason, subject_user
from shared.domain.reading.filters.sources import refuse_source
from shared.domain.reading.filters.subjects import wrong_subject
from shared.domain.reading.filters.support import is_unknown, is_unsaid, words_said
from shared.domain.reading.guards.sentences import has_injection

_READ = 2_000
"""Characters of a description and of its quotes that are judged for what they say; more is no sentence."""


def reject_reason(
    candidate: Candidate,
    messages_by_id: Mapping[int, Message],
    *,
    bot_names: Sequence[str],
    participants: Mapping[int, Sequence[str]],
    profile: Profile = Profile.UNBOUNDED,
    opted_out: frozenset[int] = frozenset(),
    corrects: bool = False,
    known: Mapping[str, str] = MappingProxyType({}),
) -> Reason | None:
    """Return why the candidate must not be stored, or None.

    Args:
        messages_by_id: The stored messages that the evidence names.
        bot_names: What the bot is called; facts about it are no facts of the group.
        participants: Members by id, each with the names and usernames they are known by.
        profile: Which kinds of memory the chat allows.
        opted_out: Members who are not remembered, neither as subject nor as witness.
        corrects: Whether the quote tells how something really is that the bot told: then it may share the bot's words.
        known: What the facts tell that candidates may speak of, by id.
    Returns:
        The first reason that holds: consent, form, source, content, then what the chat wants.
    """
    people = {subject_user(candidate.subject), *(quote.user_id for quote in candidate.evidence)}
    return (
        (Reason.OPTED_OUT if people & opted_out else None)
        or _form(candidate, participants)
        or refuse_source(candidate, messages_by_id, bot_names, corrects=corrects)
        or _content(candidate, messages_by_id, bot_names, participants, known)
        or (None if profile_allows(profile, candidate) else Reason.PROFILE)
    )


def _form(candidate: Candidate, participants: Mapping[int, Sequence[str]]) -> Reason | None:
    about = subject_user(candidate.subject)
    if candidate.subject != "chat" and (about is None or about not in participants):
        return Reason.NON_PARTICIPANT
    if candidate.category not in (CHAT_CATEGORIES if about is None else MEMBER_CATEGORIES):
        return Reason.BAD_CATEGORY
    # A comparison that NaN fails, too.
    return None if MIN_CONFIDENCE <= candidate.confidence <= 1 else Reason.LOW_CONFIDENCE


def _content(
    candidate: Candidate,
    messages: Mapping[int, Message],
    bot_names: Sequence[str],
    participants: Mapping[int, Sequence[str]],
    known: Mapping[str, str],
) -> Reason | None:
    if has_injection(candidate.description) or has_injection(candidate.value):
        return Reason.INJECTION_MARKER
    # What follows are mistakes of models; our own descriptions are built from words that were not about the bot.
    if candidate.authority is not Authority.MODEL:
        return None
    text = " ".join(candidate.description[:_READ].split())
    said = " ".join(words_said(quote, messages) for quote in candidate.evidence)[:_READ]
    if is_assistant_fact(text, said, bot_names, participants):
        return Reason.ASSISTANT_FACT
    if is_prompt_leak(text, said, participants):
        return Reason.PROMPT_LEAK
    if is_unknown(text, said):
        return Reason.UNKNOWN_INFORMATION
    # A mere "yes" is as much as it answers; anything longer speaks for itself.
    quotes = [
        (words_said(quote, messages) if is_empty(quote.quote) else quote.quote, messages[quote.message_id].text)
        for quote in candidate.evidence
    ]
    if is_action(text, quotes, participants, bot_names):
        return Reason.CONVERSATION_ACTION
    if is_guess(text, said, participants):
        return Reason.DEMOGRAPHIC_GUESS
    about = subject_user(candidate.subject)
    if about is not None and (reason := wrong_subject(text, about, said, participants)):
        return reason
    told = ("", *filter(None, [known.get(candidate.known)]))
    unsaid = all(is_unsaid(candidate, text, said, participants, before) for before in told)
    return Reason.UNSAID_CONTENT if unsaid else None
