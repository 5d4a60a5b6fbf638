"""Reads the words that somebody tells the bot to keep: a fact in their own words, or why they state nothing."""

import re
from dataclasses import replace
from enum import StrEnum

from shared.application.policy import Policy
from shared.domain.conversation.messages import Message
from shared.domain.facts.claims import claims_of
from shared.domain.facts.evidence.claim import Evidence
from shared.domain.facts.fact import ON_PURPOSE, Candidate, Fact
from shared.domain.reading.filters.support import is_first_person
from shared.domain.reading.guards.sentences import is_hypothetical
from shared.domain.reading.own_words import asks, is_judgement, moments_in, retime, without_moments
from shared.domain.reading.patterns.extraction import read_talk
from shared.domain.text.data_files import word_sets
from shared.domain.text.language import tokens
from shared.domain.text.plain import one_line

MAX_VALUE, MAX_DESCRIPTION = 120, 300
"""Characters kept of a value and of a description in somebody's own words."""

_NEW_WORDS = 2
"""Words of a correction that the fact does not have, when nothing but likeness shows that it is one."""

_WORDS = word_sets(__package__, "words")


class Obstacle(StrEnum):
    """A reason why words must not be kept, besides the gate's own reasons."""

    ANOTHERS_VOICE = "anothers_voice"  # quoted, reported or negated where they stand
    ANOTHER_MEMBER = "another_member"  # about somebody who would have to say it
    NO_RULER = "no_ruler"  # a rule, and no admin says it
    PRIVATE = "private"  # nothing is learnt in this chat
    CHANNEL = "channel"  # said by no member
    ANONYMOUS = "anonymous"  # about an admin who does not show who they are
    HEARSAY = "hearsay"  # about a member who was forgotten, beside what was erased
    SPEECHLESS = "speechless"  # no word in it
    SAME = "same"  # it is what is known already, and was to correct it
    QUESTION = "question"  # it asks
    GUESS = "guess"  # it says what might be
    JUDGEMENT = "judgement"  # it only insults or judges somebody
    UNCLEAR = "unclear"  # a "no", thanks, laughter: it states nothing


def words_after_command(policy: Policy, message: Message, command: str) -> str | None:
    """The words that a stored message gives to a command of ours, or None when it is no such command, or has none."""
    pattern = rf"/{command}(?:@(?P<bot>\w+))?\s+(?P<words>.+)"
    given = re.match(pattern, message.text, re.IGNORECASE | re.DOTALL) if message.kind == "command" else None
    ours = policy.bot_username.casefold()
    return given["words"].strip() if given and (given["bot"] or ours).casefold() == ours else None


def as_talk(message: Message, words: str) -> Message:
    """The message as if only these words of it were said, and no command."""
    return replace(message, text=words, kind="text")


def readings(policy: Policy, message: Message, words: str, *, admins: frozenset[int]) -> list[Candidate]:
    """Return what the words say for sure, as patterns know it; nothing of a proposal that needs others' agreement."""
    found = read_talk(
        [as_talk(message, words)],
        admins=admins,
        bot_names=policy.bot_names,
        bot_username=policy.bot_username,
        consensus=policy.consensus,
    )
    return [candidate for candidate in found if candidate.holds]


def is_rule(policy: Policy, message: Message, words: str) -> bool:
    """Return whether the words would be a rule if an admin said them: then they are one, whoever says them."""
    decree = replace(message, is_admin=True)
    return any(each.category == "rule" for each in readings(policy, decree, words, admins=frozenset({message.user_id})))


def in_own_words(message: Message, words: str) -> Candidate:
    """A fact that says what the words say: about the speaker in the first person singular, else about the chat."""
    said = tokens(words)
    of_speaker = is_first_person(said) and _WORDS["we"].isdisjoint(said)
    category = "personal_info" if of_speaker else "shared_knowledge"
    return Candidate(
        subject=f"user:{message.user_id}" if of_speaker else "chat",
        category=category,
        key=category,
        value=value_of(words),
        description=one_line(words, MAX_DESCRIPTION),
        confidence=ON_PURPOSE,
        evidence=(Evidence(message.sent_at, message.message_id, message.user_id, words, ON_PURPOSE),),
    )


def value_of(words: str) -> str:
    """Words as the value of a slot: one line, case-folded, at most `MAX_VALUE` characters."""
    return one_line(words, MAX_VALUE).casefold()


def correct_value(
    policy: Policy, fact: Fact, message: Message, words: str, *, admins: frozenset[int]
) -> tuple[str, str]:
    """Value and description that the words give to a fact's slot: the value in its terms where a pattern knows them."""
    # That it is a rule the fact says already.
    found = readings(policy, message, words, admins=admins | {message.user_id})
    slot = (fact.subject, fact.category, fact.key)
    known = next((each for each in found if (each.subject, each.category, each.key) == slot), None)
    return (value_of(words) if known is None else known.value), one_line(words, MAX_DESCRIPTION)


def obstacle_to_stating(words: str, *, form: str = "") -> Obstacle | None:
    """Return why words do not say what is, or None when they do: whatever neither asks, nor guesses, nor only judges
    somebody, and is more than a "no", thanks or laughter.

    Args:
        form: A statement that stands already, or "": words that begin like a question or suppose something as it does
            are meant as it is ("who is late buys ice cream", "if it rains, we stay at home").
    """
    if asks(words, form=form):
        return Obstacle.QUESTION
    if is_hypothetical(words) and not is_hypothetical(form):
        return Obstacle.GUESS
    if is_judgement(words):
        return Obstacle.JUDGEMENT
    return Obstacle.UNCLEAR if _WORDS["talk"].issuperset(tokens(words)) else None


def is_right_for(policy: Policy, fact: Fact, message: Message, *, admins: frozenset[int]) -> bool:
    """Return whether a message, by its words alone, tells how it really is with a fact, and not something about it.

    It does when it tells nothing but another day or hour than the fact; when a pattern reads it as the same slot; when
    it shares more than half of the fact's words and brings hardly any new ones; or when it tells a time, place or
    number where the fact tells one, and one new word at most: with more ("at home I sleep") it is about something else.
    """
    words = message.text
    if obstacle_to_stating(words, form=fact.description) is not None:
        return False
    if retime(fact.description, words) != words:
        return True
    found = readings(policy, message, words, admins=admins | {message.user_id})
    slot = (fact.subject, fact.category, fact.key)
    if any((each.subject, each.category, each.key) == slot for each in found):
        return True
    # The card that is replied to may show what was believed before.
    return any(_tells_otherwise(words, claim.description) for claim in claims_of(fact))


def _tells_otherwise(words: str, description: str) -> bool:
    """Return whether words are about what a description tells, by the terms and moments that they share."""
    from shared.domain.text.terms import terms_of

    told, known = ({term for term in terms_of(text) if term[0] != "~"} for text in (words, description))
    shared, new = told & known, {term for term in told - known if term[0] != "#" and not term.isdigit()}
    if 2 * len(shared) > len(known):
        return len(new) <= _NEW_WORDS
    if told_at := moments_in(words):
        return told_at <= moments_in(description) and not terms_of(without_moments(words))
    return any(term[0] == "#" for term in shared) and len(new) <= 1
