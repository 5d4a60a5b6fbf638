"""The keys of facts: a closed list for each category, so that what is said again finds the fact that there is."""

from shared.domain.text.data_files import word_tables

_KEYS = word_tables(__package__, "fact_keys")
_MEMBER, _CHAT = _KEYS["member"], _KEYS["chat"]

BINDING = frozenset({"rule", "norm"})
"""Categories that bind the group, whatever they are called: only admins lay them down, and those who agree (law 5)."""

ONE_AT_A_TIME = frozenset(_KEYS["single"]["keys"])
"""Keys whose new value replaces the old one, as with the patterns."""


def describe_keys() -> str:
    """Return categories and keys, for the prompt: "personal_info.name .nickname", first those of a member."""
    lists = (
        ", ".join(f"{category}{''.join(f' .{key}' for key in keys)[1:]}" for category, keys in listed.items())
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
