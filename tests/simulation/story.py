"""What people do in a run: talk, ask, command, press, edit, forget, leave; and what happens to the machines meanwhile.

To add a kind of event: write a method here, and give it a weight in `_WEIGHTS`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from math import inf
from typing import Any

from tests.simulation.peers.bot_api import UNSAYABLE, Shown, TelegramChat
from tests.simulation.peers.telegram import Deliverer
from tests.simulation.world import World
from tests.support import updates

_NAMES = {101: "Оля", 102: "Тарас", 103: "Марко", 104: "Ганна"}
_ADMIN = 102
_TALK = (
    "Всім привіт, як ваші справи сьогодні?",
    "Я живу у {place} вже третій рік",
    "Я люблю {thing} понад усе",
    "Я працюю лікаркою у {place}",
    "Планую купити {thing} влітку",
    "Підтримую!",
    "Згоден, так і є",
    "I live in Lviv and I love {thing}",
    "Нагадую: ніякої політики в чаті!",
    "Завтра о 18:00 зустрічаємось біля {place}",
    "Мій день народження 14 березня",
    "Та ні, мабуть",
)
_WORDY = tuple(text for text in _TALK if "{thing}" in text)
_PLACES, _THINGS = ("Львові", "Києві", "Одесі", "Ворохті"), ("каву", "гори", "кота", "велосипед", "джаз")
_QUESTIONS = (
    "гряг, де живе Оля?",
    "гряг, хто що любить?",
    "@gryag_bot what do you know about me?",
    "гряг, що ми планували?",
    "гряг, котра година?",
)
_COMMANDS = (
    "/gryadhelp",
    "/gryadfacts",
    "/gryadchatfacts",
    "/gryadwhy",
    "/gryadrecap",
    "/gryadcontext",
    "/gryadstats",
    "/gryadsettings",
    "/gryadremember я люблю чай",
    "/gryadforgetme",
)
_ERASING = ("fgt|", "fga|")
"""How the data of buttons begins by which somebody is forgotten."""

_REPLIES = ("Так", "Ні, це неправда", "А чому?", "Насправді я живу в Одесі")
_MEDIA = {"photo", "voice"}
_NOTICED_BY_ALL = 120.0
"""Seconds after which every instance knows who opted out, as far as nothing is in its way."""

_PAUSES = (0.0, 0.0, 0.1, 0.5, 2.0, 8.0, 20.0, 60.0, 400.0)


@dataclass(slots=True)
class Said:
    """A message of a member, as Telegram has it.

    Attributes:
        word: In it and in nothing else.
        asks: Whether it calls for an answer.
        raw: As it was delivered last.
        was: What it said before it was edited, each time.
    """

    update_id: int
    chat_id: int
    message_id: int
    user_id: int
    text: str
    at: float
    asks: bool
    word: str = ""
    raw: dict[str, Any] = field(default_factory=dict)
    was: list[str] = field(default_factory=list)


@dataclass
class Story:
    """One run's people and what they did.

    Attributes:
        said: All messages of members, oldest first.
        presses: Update ids of presses, with the callback's id.
        pressed: Chat, member and virtual second of each press.
        stops: Update ids of those that stop answers, with the chat and the member whose answers they are.
        stopped_drafts: Update ids of those that a button stopped, by that of the press.
        left_out: Members (chat, user) who ever asked not to be remembered, or to be forgotten.
        opted_out: Members with the virtual second at which they opted out.
        unkept: What they said when everybody knew it.
        shut: Chats that threw the bot out, with the virtual second until when it was out last.
        erased: Members with the virtual second at which they confirmed that they want to be forgotten.
        moved: Supergroups by the basic groups that they were.
        moved_at: The virtual second at which each of these was moved.
        last_before: The number of the last message of each of these.
        resets: Update ids of presses by which an admin has what was learnt about a chat forgotten.
        pressed_out: Members (chat, user) who may have opted out by a button.
    """

    world: World
    deliverer: Deliverer
    said: list[Said] = field(default_factory=list)
    presses: dict[int, str] = field(default_factory=dict)
    pressed: list[tuple[int, int, float]] = field(default_factory=list)
    stops: dict[int, tuple[int, int]] = field(default_factory=dict)
    stopped_drafts: dict[int, int] = field(default_factory=dict)
    left_out: set[tuple[int, int]] = field(default_factory=set)
    erased: list[tuple[int, int, float]] = field(default_factory=list)
    moved: dict[int, int] = field(default_factory=dict)
    moved_at: dict[int, float] = field(default_factory=dict)
    last_before: dict[int, int] = field(default_factory=dict)
    resets: list[int] = field(default_factory=list)
    pressed_out: set[tuple[int, int]] = field(default_factory=set)
    opted_out: list[tuple[int, int, float]] = field(default_factory=list)
    unkept: list[Said] = field(default_factory=list)
    shut: dict[int, float] = field(default_factory=dict)
    nights: int = 0
    had_outage: bool = False

    def __post_init__(self) -> None:
        chance, api = self.world.chance, self.world.api
        admins = frozenset({_ADMIN})
        self.groups = [api.add(TelegramChat(updates.CHAT_ID, "supergroup", admins))]
        if chance.random() < 0.5:
            self.groups.append(api.add(TelegramChat(-777, "group", admins)))
        self.privates = [api.add(TelegramChat(user_id, "private")) for user_id in (101, 104)]
        self._words = 0

    async def play(self, events: int) -> None:
        """Let so many things happen, each after a pause, in any weather."""
        chance = self.world.chance
        kinds, weights = zip(*((kind, weight) for kind, weight in _WEIGHTS.items()), strict=True)
        for _ in range(events):
            await asyncio.sleep(chance.choice(_PAUSES))
            kind = chance.choices(kinds, weights)[0]
            self.world.log(f"event {kind}")
            happen: Callable[[], Awaitable[None]] = getattr(self, f"_{kind}")
            await happen()

    # --- What people do ---

    async def _talk(self, chat: TelegramChat | None = None) -> None:
        chance = self.world.chance
        self._words += 1
        word = f"зелк{self._words}ович" if chance.random() < 0.6 else ""
        thing = word or chance.choice(_THINGS)
        text = chance.choice(_WORDY if word else _TALK).format(place=chance.choice(_PLACES), thing=thing)
        word = word if word in text else ""
        self._say(chat or self._group(), text, word=word)

    async def _ask(self) -> None:
        self._say(self._group(), self.world.chance.choice(_QUESTIONS), asks=True)

    async def _ask_in_private(self) -> None:
        chat = self.world.chance.choice(self.privates)
        self._say(chat, "Що ти про мене знаєш?", user_id=chat.chat_id, asks=True)

    async def _ask_in_a_row(self) -> None:
        """Somebody asks, and asks again before they can have an answer; now and then others talk in between."""
        chance = self.world.chance
        chat, user_id = chance.choice([*self.groups[-1:], *self.privates]), chance.choice(tuple(_NAMES))
        user_id = chat.chat_id if chat.kind == "private" else user_id
        for _ in range(chance.randint(2, 5)):
            self._say(chat, chance.choice(_QUESTIONS), user_id=user_id, asks=True)
            await asyncio.sleep(chance.choice((0.0, 0.5, 2.0, 2.0, 15.0)))
            if chance.random() < 0.15:
                await self._talk()

    async def _stop(self) -> None:
        """Somebody asks, and wants no answer any more."""
        chance = self.world.chance
        if chance.random() < 0.5:
            await self._ask_in_a_row()
        else:
            await self._ask()
        asked = self.said[-1]
        await asyncio.sleep(2 * chance.random())
        chat = self.world.api.chats[self.moved.get(asked.chat_id, asked.chat_id)]
        if chat.kind == "private" and chance.random() < 0.5:
            update_id = self.deliverer.next_id()
            stopped = {"chat": updates.chat(chat.chat_id, chat.kind), "draft_id": asked.update_id}
            self._put({"update_id": update_id, "stopped_message_generation": stopped}, chat)
            self.stopped_drafts[update_id] = asked.update_id
            self.world.log(f"update {update_id}: {_NAMES[chat.chat_id]} presses stop on {asked.update_id}")
        else:
            word = chance.choice(("/gryadstop", "гряг, стоп"))
            update_id = self._say(chat, word, user_id=asked.user_id, asks=True).update_id
        self.stops[update_id] = (asked.chat_id, asked.user_id)

    async def _command(self) -> None:
        self._say(self._group(), self.world.chance.choice(_COMMANDS), asks=True)

    async def _reply(self) -> None:
        """Somebody answers a message of the bot."""
        chat = self._group()
        if shown := [each for each in chat.said.values() if not each.is_gone]:
            message = self.world.chance.choice(shown[-4:])
            self._say(chat, self.world.chance.choice(_REPLIES), asks=True, reply_to_message=self._seen(message))

    async def _react(self) -> None:
        chat, user_id = self._group(), self.world.chance.choice(tuple(_NAMES))
        if chat.kind == "supergroup" and chat.said:
            update = updates.reaction_update(
                self.world.chance.choice(("👍", "👎")),
                update_id=self.deliverer.next_id(),
                message_id=self.world.chance.choice([*chat.said][-4:]),
                user=updates.user(user_id, _NAMES[user_id]),
                chat=updates.chat(chat.chat_id, chat.kind),
                date=self._date(),
            )
            self._put(update, chat)

    async def _ask_nobody(self) -> None:
        """Somebody asks the group, and the bot may join in."""
        self._say(self._group(), self.world.chance.choice(("Хто знає, де живе Оля?", "А коли день народження?")))

    async def _burst(self) -> None:
        chat, chance = self._group(), self.world.chance
        for _ in range(chance.randint(5, 12)):
            if chance.random() < 0.5:
                self._say(chat, chance.choice(_QUESTIONS), asks=True)
            else:
                self._say(chat, chance.choice(_TALK).format(place="Львові", thing="каву"))

    async def _edit(self) -> None:
        chance = self.world.chance
        own = [each for each in self.said[-12:] if not each.asks or each.text in _QUESTIONS]
        own = [each for each in own if each.chat_id not in self.moved]
        own = [each for each in own if not self.world.api.chats[each.chat_id].is_closed]
        if not own:
            return
        said = chance.choice(own)
        said.was.append(said.text)
        said.text = (
            chance.choice(_QUESTIONS)
            if said.asks
            else f"{said.text}, правда"
            if chance.random() < 0.5
            else chance.choice(_TALK[:3]).format(place=chance.choice(_PLACES), thing=said.word or "каву")
        )
        said.raw = said.raw | {"caption" if said.raw.keys() & _MEDIA else "text": said.text, "edit_date": self._date()}
        self.deliverer.put({"update_id": self.deliverer.next_id(), "edited_message": said.raw}, f"chat {said.chat_id}")

    async def _press(self) -> None:
        chance = self.world.chance
        shown = [s for s in self.world.api.sent if s.buttons and not s.is_gone and s.chat_id not in self.moved]
        shown = [each for each in shown if not self.world.api.chats[each.chat_id].is_closed]
        if shown:
            message = chance.choice(shown[-4:])
            _, data = chance.choice([button for row in message.buttons for button in row])
            self._press_button(message, data, chance.choice(tuple(_NAMES)))

    async def _forget(self) -> None:
        """Somebody asks to be forgotten, and confirms it."""
        chat, user_id = self._group(), self.world.chance.choice((101, 103, 104))
        asked = self._say(chat, "/gryadforgetme", user_id=user_id, asks=True)
        for _ in range(30):
            await asyncio.sleep(2.0)
            question = next((s for s in self.world.api.sent if s.reply_to == asked.message_id and s.buttons), None)
            if question is not None and question.chat_id == chat.chat_id and not question.is_gone:
                self._press_button(question, question.buttons[0][0][1], user_id)
                return

    async def _opt_out(self) -> None:
        chat, user_id = self._group(), self.world.chance.choice((101, 103, 104))
        self.left_out.add((chat.chat_id, user_id))
        self.opted_out.append((chat.chat_id, user_id, self._say(chat, "/gryadoptout", user_id=user_id, asks=True).at))

    async def _opt_in(self) -> None:
        if self.left_out:
            chat_id, user_id = self.world.chance.choice(sorted(self.left_out))
            if chat_id not in self.moved:
                self._say(self.world.api.chats[chat_id], "/gryadoptin", user_id=user_id, asks=True)

    async def _command_when_left_out(self) -> None:
        """Somebody who opted out a while ago tells the bot to remember something."""
        now = self.world.loop.time()
        for chat_id, user_id, at in self.opted_out:
            last = max((each.at for each in self.said if (each.chat_id, each.user_id) == (chat_id, user_id)), default=0)
            if chat_id not in self.moved and now - at > _NOTICED_BY_ALL and last <= at:
                self._words += 1
                word = f"зелк{self._words}ович"
                text = f"/gryadremember я люблю {word}"
                chat = self.world.api.chats[chat_id]
                self.unkept.append(self._say(chat, text, user_id=user_id, asks=True, word=word))
                return

    async def _media(self) -> None:
        """Somebody sends pictures or a voice message, with a caption or without."""
        chance, chat, user_id = self.world.chance, self._group(), self.world.chance.choice(tuple(_NAMES))
        self._words += 1
        word = f"зелк{self._words}ович" if chance.random() < 0.5 else ""
        text = f"Я люблю {word}" if word else chance.choice(("", "Дивіться!"))
        album = {"media_group_id": f"album-{self._words}"} if chance.random() < 0.4 else {}
        for number in range(chance.randint(2, 4) if album else 1):
            name = f"file-{self._words}-{number}"
            file = {"file_id": name, "file_unique_id": name, "file_size": 1_000}
            kind = chance.choice(("photo", "photo", "voice")) if not album else "photo"
            media: Any = [{**file, "width": 90, "height": 60}] if kind == "photo" else {**file, "duration": 3}
            self._say(
                chat, "" if number else text, user_id=user_id, word="" if number else word, **{kind: media}, **album
            )
        if chance.random() < 0.4:
            shown = self.said[-1]
            self._say(chat, "гряг, що тут?", user_id=user_id, asks=True, reply_to_message=shown.raw)

    async def _leave(self) -> None:
        """Somebody leaves, and comes back or not; where the chat wants it, what they said is erased."""
        chance, chat, user_id = self.world.chance, self._group(), self.world.chance.choice((101, 103, 104))
        if chat.kind != "supergroup" or chat.is_closed:
            return
        who, where = updates.user(user_id, _NAMES[user_id]), updates.chat(chat.chat_id, chat.kind)
        if self.world.policy.when_leaving == "erase":
            self.left_out.add((chat.chat_id, user_id))
            self.erased.append((chat.chat_id, user_id, self.world.loop.time()))
        told = chance.choice(("status", "message", "both"))
        if told != "message":
            update = updates.member_update(update_id=self.deliverer.next_id(), who=who, chat=where, date=self._date())
            self.deliverer.put(update, f"chat {chat.chat_id}")
        if told != "status":
            message_id = self.world.api.numbering.take(chat.chat_id)
            update = updates.leaving_update(
                who, update_id=self.deliverer.next_id(), message_id=message_id, chat=where, date=self._date()
            )
            self.deliverer.put(update, f"chat {chat.chat_id}")
        if chance.random() < 0.6:
            await asyncio.sleep(chance.choice((1.0, 5.0, 60.0, 600.0)))
            ids = {"update_id": self.deliverer.next_id(), "who": who, "chat": where, "date": self._date()}
            self.deliverer.put(updates.member_update("left", "member", **ids), f"chat {chat.chat_id}")
            self._say(chat, "Я повернулась, привіт!", user_id=user_id)

    async def _migrate(self) -> None:
        if len(self.groups) < 2 or self.groups[1].kind != "group" or self.groups[1].is_closed:
            return
        old, new_id = self.groups[1], -1_009_999
        await self._prepare_to_move(old)
        self.groups[1] = self.world.api.add(TelegramChat(new_id, "supergroup", old.admins))
        old.migrated_to = new_id
        self.moved[old.chat_id], self.moved_at[old.chat_id] = new_id, self.world.loop.time()
        for in_new in (False, True):
            update = updates.migration_update(old.chat_id, new_id, update_id=self.deliverer.next_id(), in_new=in_new)
            chat_id = new_id if in_new else old.chat_id
            body = update["message"]
            body["message_id"], body["date"] = self.world.api.numbering.take(chat_id), self._date()
            self.last_before.setdefault(old.chat_id, body["message_id"])
            self.deliverer.put(update, f"chat {chat_id}")
        if self.world.chance.random() < 0.7:
            await self._ask_what_was_said(self.groups[1])

    async def _prepare_to_move(self, chat: TelegramChat) -> None:
        """Members opt out and in before their group moves, an admin has what was learnt forgotten, and all talk."""
        chance = self.world.chance
        self._say(chat, "/gryadhelp", asks=True)  # whoever answers it knows the group for a minute
        await self._reset(chat) if chance.random() < 0.3 else None
        choices = chance.choice(((), (), ("out",), ("out",), ("in",), ("out", "in")))
        for user_id in chance.sample((101, 103, 104), chance.randint(1, 3)):
            for choice in choices:
                await asyncio.sleep(chance.choice((0.0, 0.5, 5.0)))
                said = self._say(chat, f"/gryadopt{choice}", user_id=user_id, asks=True)
                if choice == "out":
                    self.left_out.add((chat.chat_id, user_id))
                    self.opted_out.append((chat.chat_id, user_id, said.at))
        for _ in range(chance.randint(0, 4)):
            await asyncio.sleep(chance.choice((0.0, 0.0, 0.5, 5.0)))
            await self._talk(chat)
        await asyncio.sleep(chance.choice((0.0, 0.0, 0.5, 2.0, 60.0)))

    async def _reset(self, chat: TelegramChat) -> None:
        asked = self._say(chat, "/gryadchatreset", user_id=_ADMIN, asks=True)
        for _ in range(30):
            await asyncio.sleep(2.0)
            question = next((s for s in self.world.api.sent if s.reply_to == asked.message_id and s.buttons), None)
            if question is not None and question.chat_id == chat.chat_id and not question.is_gone:
                self._press_button(question, question.buttons[0][0][1], _ADMIN)
                return

    async def _ask_what_was_said(self, chat: TelegramChat) -> None:
        """Somebody asks right after the group has moved, or while it moves."""
        await asyncio.sleep(self.world.chance.choice((0.0, 0.0, 0.3, 1.0, 10.0, 200.0)))
        self._say(chat, self.world.chance.choice(_QUESTIONS), asks=True)

    async def _shut_out(self) -> None:
        """A group throws the bot out while it answers, or somebody blocks it; who wants it again lets it in."""
        chance = self.world.chance
        chat = chance.choice([self._group(), *self.privates])
        if chat.is_closed or chat.migrated_to is not None:
            return
        if chance.random() < 0.6:
            for _ in range(chance.randint(1, 3)):
                user_id = chat.chat_id if chat.kind == "private" else 0
                self._say(chat, chance.choice(_QUESTIONS), user_id=user_id, asks=True)
            await asyncio.sleep(4 * chance.random())
        self._open(chat, is_open=False)
        await asyncio.sleep(chance.choice((0.0, 3.0, 60.0)))

    async def _unsayable(self) -> None:
        """Somebody says what Telegram takes of people and not of the bot, as when markup is quoted wrongly."""
        chat, user_id = self._group(), self.world.chance.choice(tuple(_NAMES))
        self._say(chat, f"Я люблю {UNSAYABLE} гори", user_id=user_id)
        for _ in range(self.world.chance.randint(0, 3)):
            self._say(chat, self.world.chance.choice((*_QUESTIONS[:2], "/gryadfacts")), asks=True)

    async def _night(self) -> None:
        """Some hours pass, and the scheduler calls."""
        await asyncio.sleep(3600 * self.world.chance.choice((1, 5, 9, 14)))
        self.nights += 1
        self.world.plan_night(self.nights)

    # --- What happens to the machines ---

    async def _storm(self) -> None:
        """It gets bad for a while."""
        weather = self.world.weather
        weather.brew()
        self.world.log(f"a storm: {weather.odds}")
        self.world.loop.call_later(self.world.chance.choice((5.0, 30.0, 90.0, 200.0)), weather.calm)
        for _ in range(self.world.chance.randint(1, 5)):
            await (self._ask() if self.world.chance.random() < 0.7 else self._talk())
            await asyncio.sleep(self.world.chance.choice((0.0, 0.3, 3.0)))

    async def _outage(self) -> None:
        """Telegram is away for up to an hour; once in a story, for an answer is tried for less than two hours."""
        if self.had_outage:
            return
        self.had_outage, chance = True, self.world.chance
        self.world.away_since = self.world.loop.time()
        self.world.weather.odds = {"chat": chance.choice((0.5, 1.0, 1.0))}
        seconds = chance.choice((600.0, 1_800.0, 3_600.0))
        self.world.log(f"an outage of Telegram for {seconds:g} s")
        for _ in range(chance.randint(1, 5)):
            await (self._ask() if chance.random() < 0.7 else self._command())
            await asyncio.sleep(chance.choice((0.0, 3.0, 60.0)))
        self.world.loop.call_later(seconds, self.world.weather.calm)

    async def _kill(self) -> None:
        """An instance that is at work dies, wherever it is; somebody asked just before."""
        await self._ask()
        await asyncio.sleep(3 * self.world.chance.random() ** 2)
        if running := [each for each in self.world.instances() if each.tasks]:
            instance = self.world.chance.choice(running)
            self.world.log(f"{instance.life.name} dies")
            instance.crash()

    async def _clock_jump(self) -> None:
        if running := self.world.instances():
            self.world.chance.choice(running).life.jump(self.world.chance.choice((-20.0, -3.0, 3.0, 20.0)))

    # --- What the laws ask ---

    def is_left_out(self, said: Said) -> bool:
        """Return whether its author ever asked not to be remembered in that chat, under any id, or to be forgotten."""
        chats = {said.chat_id, self.moved.get(said.chat_id, said.chat_id)}
        chats |= {old for old, new in self.moved.items() if new == said.chat_id}
        return any((chat_id, said.user_id) in self.left_out for chat_id in chats)

    def names_erased(self, said: Said) -> bool:
        """Return whether it speaks of somebody who was forgotten: what others retell of them goes, too."""
        return any(_NAMES[user_id] in said.text for _, user_id, _ in self.erased)

    # --- How ---

    def _group(self) -> TelegramChat:
        return self.groups[0] if self.world.chance.random() < 0.75 else self.groups[-1]

    def _put(self, update: dict[str, Any], chat: TelegramChat) -> None:
        """Let Telegram tell the bot of something in a chat, if it is in there."""
        if not chat.is_closed:
            self.deliverer.put(update, f"chat {chat.chat_id}")

    def _open(self, chat: TelegramChat, *, is_open: bool) -> None:
        """Have the bot thrown out of a chat, or let in again; of either it is told."""
        old, new = ("kicked", "member") if is_open else ("member", "kicked")
        where, ids = (
            updates.chat(chat.chat_id, chat.kind),
            {"update_id": self.deliverer.next_id(), "date": self._date()},
        )
        chat.is_closed = not is_open
        self.shut[chat.chat_id] = self.world.loop.time() if is_open else inf
        self.deliverer.put(updates.membership_update(old, new, chat=where, **ids), f"chat {chat.chat_id}")
        self.world.log(f"chat {chat.chat_id} is {'open' if is_open else 'closed'}")

    def _date(self) -> int:
        return int(self.world.clock.now().timestamp())

    def _say(
        self, chat: TelegramChat, text: str, *, user_id: int = 0, asks: bool = False, word: str = "", **fields: Any
    ) -> Said:
        if chat.is_closed:  # who wants the bot to read lets it in first
            self._open(chat, is_open=True)
        user_id = user_id or self.world.chance.choice(tuple(_NAMES))
        message_id, update_id = self.world.api.numbering.take(chat.chat_id), self.deliverer.next_id()
        where = updates.chat(chat.chat_id, chat.kind)
        sender = updates.user(user_id, _NAMES[user_id])
        told: Any = None if fields.keys() & _MEDIA else text
        fields |= {"caption": text} if told is None and text else {}
        update = updates.message_update(
            told, update_id=update_id, message_id=message_id, sender=sender, chat=where, date=self._date(), **fields
        )
        said = Said(
            update_id, chat.chat_id, message_id, user_id, text, self.world.loop.time(), asks, word, update["message"]
        )
        self.said.append(said)
        self.world.log(f"update {update_id}: {_NAMES[user_id]} in {chat.chat_id}, {message_id}: {text}")
        self._put(update, chat)
        return said

    def _seen(self, shown: Shown) -> dict[str, Any]:
        """A message of the bot as updates show it."""
        bot = updates.user(updates.BOT_ID, "Spomyn", is_bot=True, username="gryag_bot")
        chat = self.world.api.chats[shown.chat_id]
        rows = [[{"text": label, "callback_data": each} for label, each in row] for row in shown.buttons]
        return updates.message(
            shown.text or "?",
            message_id=shown.message_id,
            sender=bot,
            chat=updates.chat(chat.chat_id, chat.kind),
            date=int(self.world.clock.at(shown.at).timestamp()),
            reply_markup={"inline_keyboard": rows},
        )

    def _press_button(self, shown: Shown, data: str, user_id: int) -> None:
        update_id = self.deliverer.next_id()
        query = {
            "id": f"press-{update_id}",
            "from": updates.user(user_id, _NAMES[user_id]),
            "message": self._seen(shown),
            "chat_instance": "1",
            "data": data,
        }
        self.presses[update_id] = query["id"]
        self.pressed.append((shown.chat_id, user_id, self.world.loop.time()))
        if data.startswith("rst|"):
            self.resets.append(update_id)
        if data.startswith("opt|"):
            self.pressed_out.add((self.moved.get(shown.chat_id, shown.chat_id), user_id))
        if data.startswith(_ERASING):
            self.left_out.add((shown.chat_id, user_id))
            self.erased.append((shown.chat_id, user_id, self.world.loop.time()))
        self.world.log(f"update {update_id}: {_NAMES[user_id]} presses {data} under {shown.message_id}")
        self.deliverer.put({"update_id": update_id, "callback_query": query}, f"press {user_id}")


_WEIGHTS: dict[str, float] = {
    "talk": 30,
    "ask": 14,
    "ask_in_private": 3,
    "ask_in_a_row": 2,
    "stop": 1.5,
    "command": 8,
    "reply": 3,
    "react": 2,
    "ask_nobody": 2,
    "burst": 1.5,
    "edit": 5,
    "press": 6,
    "forget": 1,
    "opt_out": 0.7,
    "opt_in": 0.7,
    "command_when_left_out": 1,
    "media": 3,
    "leave": 0.7,
    "migrate": 0.7,
    "night": 1,
    "shut_out": 0.7,
    "unsayable": 0.5,
    "storm": 5,
    "outage": 0.4,
    "kill": 4,
    "clock_jump": 2,
}
