"""The keys of facts: a closed list for each category, so that what is said again finds the fact that there is."""

from shared.domain.text.data_files import word_set

_MEMBER = {
    "personal_info": "name nickname birthday location occupation workplace education health diet",
    "preference": "likes dislikes",
    "relationship": "family friend pet",
    "goal": "project",
    "skill": "",
    "experience": "",
}
_CHAT = {
    "rule": "forbidden_topics",
    "tradition": "weekly_recap",
    "preference": "language_preference",
    "culture": "running_joke",
    "norm": "",
    "topic": "",
    "event": "",
    "shared_knowledge": "",
}

ONE_AT_A_TIME = word_set("""
    name location age birthday occupation workplace language_preference language_rule weekly_recap
""")
"""Keys whose new value replaces the old one, as with the patterns."""


def describe_keys() -> str:
    """Return categories and keys, for the prompt: "personal_info.name .nickname", first those of a member."""
    lists = (
        ", ".join(f"{category}{''.join(f' .{key}' for key in keys.split())[1:]}" for category, keys in listed.items())
        for listed in (_MEMBER, _CHAT)
    )
    return "; of the group ".join(lists)


def split_key(key: str) -> tuple[str, str]:
    """Return the category and the key that a model means by "personal_info.location"; ("", "…") when it names none."""
    category, dot, own = key.partition(".")
    own = own.removeprefix("other").lstrip(":_. ")
    if category in _MEMBER or category in _CHAT:
        return category, own or category
    return "", key if not dot else own
