"""The README's pictures: the end of the story as Telegram shows it, and the memory that came of it."""

from __future__ import annotations

from dataclasses import dataclass

from infra.local.events import Line
from shared.domain.delivery.markup import plain
from shared.domain.facts.fact import Fact
from shared.domain.text.language import Language
from shared.locales import say
from tests.transcript.story import Story
from tests.transcript.svg import Drawing, width_of, wrapped

_PAPER, _BORDER = "#e4ebf2", "#b9c6d3"
_INK, _FAINT, _WHITE, _OWN, _BUTTON = "#16202a", "#566472", "#ffffff", "#d9f2c7", "#c9d8e6"
_COLOURS = ("#b3452f", "#2f6fb3", "#8a4bb0", "#1f7a4d", "#a06a00")
_SIZE, _STEP, _GAP = 14.0, 20.0, 8.0


@dataclass(frozen=True)
class _Words:
    language: Language
    conversation: str
    memory: str
    messages: str
    facts: str
    chat: str
    quote: tuple[str, str]


_WORDS = {
    "en": _Words(
        "en",
        "The bot tells the group's rules and who laid them down",
        "Messages and the facts that quote them",
        "What was said (★ an admin)",
        "What is remembered",
        "the chat",
        ("“", "”"),
    ),
    "uk": _Words(
        "uk",
        "Бот називає правила групи та каже, хто їх установив",
        "Повідомлення і факти, що їх цитують",
        "Що було сказано (★ адмін)",
        "Що запам'ятовано",
        "чат",
        ("«", "»"),
    ),
}


def _colours(story: Story) -> dict[str, str]:
    names = dict.fromkeys(line.author for line in story.said)
    return {name: _COLOURS[number % len(_COLOURS)] for number, name in enumerate(names)}


def conversation(story: Story, language: str) -> str:
    """Draw the messages from the first question to the bot on, with who asks on the right; return the SVG."""
    first = next(number for number, line in enumerate(story.said) if line.is_bot) - 1
    shown, colours = story.said[first:], _colours(story)
    drawing = Drawing(640, _WORDS[language].conversation, _PAPER, _BORDER)
    by_id = {line.message_id: line for line in story.said}
    y = 18.0
    for line in shown:
        y = _bubble(drawing, y, line, by_id.get(line.reply_to or 0), colours) + 12
    return drawing.svg(y + 6)


def _bubble(drawing: Drawing, y: float, line: Line, replied: Line | None, colours: dict[str, str]) -> float:
    """Draw one message below `y`; return where it ends."""
    own, inner = not line.is_bot, drawing.width - 140
    text = wrapped(line.text, _SIZE, inner)
    quoted = f"{replied.author}: {replied.text}".split("\n")[0] if replied else ""
    widths = [width_of(each, _SIZE) for each in [*text, line.author, quoted]]
    width = max([*widths, 300.0 if line.buttons else 0.0]) + 32
    height = 10 + 20 + (28 if replied else 0) + sum(_STEP if each else _GAP for each in text) + 8
    x = drawing.width - 18 - width if own else 62.0
    colour = colours[line.author]
    if not own:
        drawing.parts.append(f'<circle cx="37" cy="{y + 20:.1f}" r="18" fill="{colour}"/>')
        drawing.text(37, y + 26, line.author[0].upper(), 16, _WHITE, bold=True, text_anchor="middle")
    drawing.box(x, y, width, height, _OWN if own else _WHITE)
    at = drawing.lines(x + 16, y + 10, [line.author], _SIZE, colour, step=20, bold=True)
    if replied:
        drawing.box(x + 16, at + 2, 3, 18, colours[replied.author], radius=1)
        drawing.lines(x + 25, at + 3, [quoted], 12, _FAINT, step=28)
        at += 28
    drawing.lines(x + 16, at, text, _SIZE, _INK, step=_STEP, gap=_GAP)
    return _buttons(drawing, x, y + height + 4, width, line.buttons)


def _buttons(drawing: Drawing, x: float, y: float, width: float, rows: tuple[tuple[str, ...], ...]) -> float:
    for row in rows:
        each = (width - 4 * (len(row) - 1)) / len(row)
        for column, label in enumerate(row):
            left = x + column * (each + 4)
            drawing.box(left, y, each, 30, _BUTTON, radius=8)
            drawing.text(left + each / 2, y + 20, label, 13, _INK, bold=True, text_anchor="middle")
        y += 34
    return y - 4


_LEFT, _RIGHT, _SIDE = 22.0, 426.0, 300.0
"""Where the columns of messages and of facts begin, and how wide the messages are."""
_NOW, _BEFORE = "#1f7a4d", "#b3452f"


@dataclass
class _Sheet:
    """The picture of the memory while it is drawn: `ports` are where the curves leave, by message."""

    drawing: Drawing
    story: Story
    words: _Words
    ports: dict[int, tuple[float, float]]

    def author(self, message_id: int) -> str:
        return next(line.author for line in self.story.said if line.message_id == message_id)

    def message(self, y: float, line: Line, colour: str) -> float:
        """Draw one message; return where it ends."""
        text = wrapped(line.text, 13, _SIDE - 28)
        height = 34 + 18 * len(text)
        self.drawing.box(_LEFT, y, _SIDE, height, _WHITE)
        self.drawing.lines(_LEFT + 14, y + 8, [line.author + " ★" * line.is_admin], 12, colour, step=18, bold=True)
        self.drawing.lines(_LEFT + 14, y + 26, text, 13, _INK, step=18)
        self.ports[line.message_id] = (_LEFT + _SIDE, y + height / 2)
        return y + height

    def fact(self, y: float, fact: Fact) -> float:
        """Draw one fact, its quotes, and struck out what it said before; return where it ends."""
        drawing, left, width = self.drawing, _RIGHT + 18, self.drawing.width - _RIGHT - 22
        opened, closed = self.words.quote
        earlier = [each.fact for each in self.story.learnt if each.fact.id == fact.id and each.fact.value != fact.value]
        text = wrapped(fact.description, 14, width - 34, bold=True)
        quotes = [f"{opened}{each.quote}{closed} — {self.author(each.message_id)}" for each in fact.evidence]
        said = [line for each in quotes for line in wrapped(each, 12, width - 34)]
        height = 44 + 20 * len(text) + 17 * len(said) + 22 * len(earlier)
        drawing.box(_RIGHT, y, width, height, _WHITE)
        drawing.box(_RIGHT, y, 5, height, _NOW, radius=2)
        self._head(y, width, fact)
        at = drawing.lines(left, y + 36, text, 14, _INK, step=20, bold=True)
        at = drawing.lines(left, at, said, 12, _FAINT, step=17)
        self._tie(fact, y + 36 + 10)
        for each in earlier:
            drawing.text(left, at + 18, each.description, 13, _BEFORE)
            drawing.box(left, at + 13, width_of(each.description, 13), 1.5, _BEFORE, radius=0)
            self._tie(each, at + 14, colour=_BEFORE, dashed=True)
            at += 22
        return y + height

    def _head(self, y: float, width: float, fact: Fact) -> None:
        kind = plain(say(self.words.language, f"category_{fact.category}"))
        who = self.words.chat if fact.subject == "chat" else self.author(fact.evidence[0].message_id)
        self.drawing.text(_RIGHT + 18, y + 24, f"{kind} · {who}", 12, _FAINT)
        self.drawing.box(_RIGHT + width - 130, y + 16, 70, 8, _BUTTON, radius=4)
        self.drawing.box(_RIGHT + width - 130, y + 16, 70 * fact.confidence, 8, _NOW, radius=4)
        shown = f"{fact.confidence:.0%}"
        self.drawing.text(_RIGHT + width - 16, y + 25, shown, 13, _INK, bold=True, text_anchor="end")

    def _tie(self, fact: Fact, y: float, *, colour: str = _NOW, dashed: bool = False) -> None:
        for each in fact.evidence:
            self.drawing.curve(self.ports[each.message_id], (_RIGHT, y), colour, dashed=dashed)


def memory(story: Story, language: str) -> str:
    """Draw what the members said beside the facts that came of it, each tied to its quotes; return the SVG."""
    words, colours = _WORDS[language], _colours(story)
    asked = next(number for number, line in enumerate(story.said) if line.is_bot) - 1
    drawing = Drawing(840, words.memory, _PAPER, _BORDER)
    sheet = _Sheet(drawing, story, words, {})
    for x, title in ((_LEFT, words.messages), (_RIGHT, words.facts)):
        drawing.text(x, 34, title, 15, _INK, bold=True)
    left = right = 50.0
    for line in story.said[:asked]:
        left = sheet.message(left, line, colours[line.author]) + 10
    for fact in sorted(story.known, key=lambda fact: min(each.message_id for each in fact.evidence)):
        right = sheet.fact(right, fact) + 14
    return drawing.svg(max(left, right) + 8)
