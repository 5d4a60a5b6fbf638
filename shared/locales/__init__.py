"""User-facing texts, a folder of TOML files a language; `$name` places are filled with escaped values."""

from functools import cache
from string import Template

from shared.domain.delivery.escaping import escape, plain
from shared.domain.text.language import Language


def say(language: Language, key: str, **values: str) -> str:
    """A text as Telegram HTML.

    Args:
        language: "uk" or "en".
        key: Name of the text in the TOML files.
        values: Plain texts for its places; they are escaped here.

    Raises:
        KeyError: No such text, or a place without a value.
    """
    return Template(_texts(language)[key]).substitute({name: escape(value) for name, value in values.items()})


def say_plainly(language: Language, key: str, **values: str) -> str:
    """A text as plain text of at most 200 characters: as much as Telegram shows to who pressed a button."""
    return plain(say(language, key, **values))[:200]


@cache
def _texts(language: Language) -> dict[str, str]:
    import tomllib
    from importlib.resources import files

    found: dict[str, str] = {}
    for source in files(__package__).joinpath(language).iterdir():
        if source.name.endswith(".toml"):
            found |= {key: str(text).strip() for key, text in tomllib.loads(source.read_text("utf-8")).items()}
    return found
