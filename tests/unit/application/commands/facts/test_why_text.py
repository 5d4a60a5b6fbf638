"""A confidence told on one line, in both languages."""

import pytest

from shared.application.chats.chat_codec import ChatState
from shared.application.commands.call import Scene
from shared.application.commands.facts.why_text import Teller, arithmetic
from shared.application.policy import Policy
from shared.domain.facts.slot import BeliefStep

NAMES = {102: "Оля", 103: "<Марко>"}
STEPS = [
    BeliefStep("said", 0.8, 102),
    BeliefStep("said", 0.88, 103),
    BeliefStep("votes", 0.9232, count=2),
    BeliefStep("objections", 0.7386),
]


def told(language, *steps):
    return arithmetic(Teller(Scene(Policy(1, "gryag_bot", ("гряг",)), ChatState(-1), language), NAMES), steps)


def test_each_step_says_what_it_was_and_what_belief_came_to():
    assert told("uk", *STEPS) == "Оля 0,80 → +&lt;Марко&gt; 0,88 → 2 голоси 0,92 → 1 проти 0,74"
    assert told("en", *STEPS) == "Оля 0.80 → +&lt;Марко&gt; 0.88 → 2 votes 0.92 → 1 against 0.74"


def test_what_nobody_said_alone_and_who_is_not_known_have_words_of_their_own():
    steps = [BeliefStep("inferred", 0.7, 1), BeliefStep("again", 0.75, 102), BeliefStep("counted", 0.9, count=21)]
    assert told("uk", *steps) == "хтось (висновок моделі) 0,70 → +Оля ще раз 0,75 → підрахунок, 21 приклад 0,90"
    assert told("en", *steps) == "somebody (inferred by the model) 0.70 → +Оля again 0.75 → counted, 21 samples 0.90"


def test_many_quotes_are_counted():
    assert told("uk", *[BeliefStep("said", 0.9, 102)] * 7) == "Оля 0,90" + " → +Оля 0,90" * 4 + " → ще 2 цитати 0,90"


@pytest.mark.parametrize(
    ("count", "uk", "en"),
    [
        (1, "1 голос", "1 vote"),
        (3, "3 голоси", "3 votes"),
        (5, "5 голосів", "5 votes"),
        (12, "12 голосів", "12 votes"),
        (22, "22 голоси", "22 votes"),
        (111, "111 голосів", "111 votes"),
    ],
)
def test_numbers_agree_with_their_nouns(count, uk, en):
    votes = BeliefStep("votes", 0.9, count=count)
    assert (told("uk", votes), told("en", votes)) == (f"{uk} 0,90", f"{en} 0.90")
