"""Words what the bot sends: texts of the locales, buttons, pages under Telegram's limit."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace

from shared.application.delivery.answer import Answer
from shared.application.policy import Policy
from shared.application.ports.chat import Button, Outgoing, OutgoingFile, OutgoingText
from shared.domain.delivery.markup import markdown, markdown_to_html, plain
from shared.domain.delivery.outgoing import restrain, restrain_plain
from shared.domain.intake import buttons
from shared.domain.text.language import Language
from shared.domain.text.plain import TELEGRAM_LIMIT, split_text, utf16_length
from shared.locales import say

Rows = tuple[tuple[Button, ...], ...]


MOST_PAGES = 3
"""Messages of one answer, at most; a longer one goes as a document."""


_WITHIN = {"uk": str.maketrans({"«": "„", "»": "“"}), "en": str.maketrans({"“": "‘", "”": "’", '"': "'"})}


PIECE = TELEGRAM_LIMIT - 96
"""UTF-16 units of Markdown in one message: rendering may add a few line breaks."""


def text(markup: str, rows: Rows = (), *, people: frozenset[int] = frozenset()) -> OutgoingText:
    """Telegram HTML as a message, restrained as every message of ours; `people` are those whose words it shows."""
    html = restrain(markup).text
    return OutgoingText(html, restrain_plain(plain(html)).text, rows, people)


def localized_text(language: Language, key: str, rows: Rows = (), **values: str) -> OutgoingText:
    """A text of the locales as a message."""
    return text(say(language, key, **values), rows)


def word(language: Language, key: str, **values: str) -> str:
    """Return a text of the locales without markup."""
    return plain(say(language, key, **values))


def quotable(language: Language, words: str) -> str:
    """Words fit to stand in our quotation marks: they cannot end the quotation and go on as somebody else's."""
    return words.translate(_WITHIN[language])


def show_people(told: Answer, people: Collection[int]) -> Answer:
    """An answer that shows these people's words or facts in each of its messages."""
    return replace(told, pieces=tuple(replace(each, content=_add_people(each.content, people)) for each in told.pieces))


def _add_people(content: Outgoing, people: Collection[int]) -> Outgoing:
    if isinstance(content, OutgoingFile):
        return replace(content, caption=replace(content.caption, people=content.people.union(people)))
    return replace(content, people=content.people.union(people))


def button(policy: Policy, chat_id: int, label: str, action: str, *args: str | int, owner: int | None = None) -> Button:
    """A sealed button.

    Args:
        label: Plain text.
        owner: The only one who may press it, or None.
    """
    sealed = buttons.Sealed(action, tuple(map(str, args)), owner)
    return Button(label, buttons.seal(policy.button_key, chat_id, sealed))


def pages(lines: Iterable[str]) -> list[OutgoingText]:
    """Lines put together into messages under Telegram's limit; each line is whole markup of its own."""
    filled: list[list[str]] = [[]]
    for line in lines:
        if filled[-1] and utf16_length(plain("\n".join([*filled[-1], line]))) > TELEGRAM_LIMIT:
            filled.append([])
        filled[-1].append(line)
    return [text("\n".join(page).strip()) for page in filled]


def long(language: Language, markup: str, name: str) -> Answer:
    """A text of any length: some messages, or from a fourth one on its beginning and the whole as a Markdown document.

    Args:
        markup: Telegram HTML, each line of it whole markup of its own.
        name: Of the document, without an ending, in the reader's language.
    """
    return _attach_if_long(language, pages(markup.split("\n")), lambda: markdown(markup), name)


def long_markdown(language: Language, said_: str) -> Answer:
    """Split a long text into messages as `long` does, from the Markdown that models write."""
    shown = [text(markdown_to_html(piece)) for piece in split_text(said_, PIECE)]
    return _attach_if_long(language, shown, lambda: said_, say(language, "long_answer_name"))


def _attach_if_long(language: Language, shown: Sequence[OutgoingText], whole: Callable[[], str], name: str) -> Answer:
    if len(shown) <= MOST_PAGES:
        return Answer.of(*shown)
    content = (whole().strip() + "\n").encode("utf-8", "replace")
    rest = localized_text(language, "long_answer_rest")
    return Answer.of(shown[0], OutgoingFile(f"{name}.md", "text/markdown", content, rest))


def column(buttons_: Sequence[Button]) -> Rows:
    """Each button in a row of its own."""
    return tuple((each,) for each in buttons_)
