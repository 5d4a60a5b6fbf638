"""What the operator sets reaches the use cases."""

from datetime import timedelta

from infra.policy import policy_from
from shared.settings import Settings


def test_every_choice_about_memory_reaches_the_policy() -> None:
    policy = policy_from(
        Settings.from_env(
            {
                "EXTRACTION_METHOD": "pattern",
                "MEMORY_PROFILE": "minimal",
                "PRIVATE_MODE_DEFAULT": "true",
                "CONSENSUS_MEMBERS": "5",
                "TIMEZONE": "Europe/Warsaw",
                "TOOLS": "recall,forget",
                "CATEGORY_WEIGHTS": "rule=3",
                "CHAT_FACTS_LIMIT": "4",
                "CHAT_FACTS_TOKENS": "200",
                "FACT_HALF_LIFE_DAYS": "10",
                "FACT_EXPIRY_DAYS": "20",
                "MEDIA_MEGABYTES": "7",
                "MEDIA_DESCRIPTIONS_PER_CHUNK": "0",
                "ARCHIVE_EVERY_DAYS": "3",
                "QUIET_HOURS": "23-7",
                "UNPROMPTED_DEFAULT": "true",
                "GROUP_QUESTIONS_DEFAULT": "false",
                "WHEN_MEMBER_LEAVES": "erase",
                "MODEL_TOKENS_PER_MEMBER_PER_DAY": "7000",
                "ASKS_PER_USER_PER_HOUR": "8",
                "ASKS_PER_CHAT_PER_HOUR": "9",
            }
        )
    )
    assert (policy.extraction_method, policy.memory_profile, policy.private_mode) == ("pattern", "minimal", True)
    assert policy.consensus == 5
    assert (policy.tokens_per_member, policy.asks_per_user, policy.asks_per_chat) == (7_000, 8, 9)
    assert policy.archive_every == timedelta(days=3)
    assert policy.timezone == "Europe/Warsaw"
    assert str(policy.quiet_hours) == "23-07"
    assert (policy.unprompted, policy.questions, policy.when_leaving) == (True, False, "erase")
    assert policy.tools == ("recall", "forget")
    assert (policy.media_bytes, policy.media_per_chunk) == (7_000_000, 0)
    assert (policy.weights["rule"], policy.weights["topic"]) == (3, 0.8)
    assert (policy.chat_facts, policy.chat_facts_tokens) == (4, 200)
    assert (policy.half_life, policy.fact_expiry) == (timedelta(days=10), timedelta(days=20))


def test_the_operator_may_describe_the_bot() -> None:
    assert policy_from(Settings.from_env({})).persona == ""
    assert policy_from(Settings.from_env({"BOT_PERSONA": "Суворий бібліотекар"})).persona == "Суворий бібліотекар"
