"""The chat's settings: one message that buttons turn from page to page, and the same by typing.

The pages show what holds now (a chat that chose nothing has the deployment's defaults). Every press and every reply is
checked again: an admin of a minute ago changes nothing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState, read_chat
from shared.application.chats.choice_codec import Chosen
from shared.application.chats.choices import Choices, choices_for
from shared.application.chats.choosing import changes_of, choose
from shared.application.commands.authority import refusal
from shared.application.commands.call import ButtonPress, CommandCall, Pressed, answer, notice
from shared.application.commands.settings.rows import (
    PROMPTS,
    ROWS,
    SettingRow,
    code_of,
    is_choice,
    option_of,
    options_of,
    render_value,
    row_typed,
    rows_of,
    typed_name,
    value_of,
)
from shared.application.commands.settings.typed import Wrong, is_default, word
from shared.application.conversation.message_codec import ChunkState, chunk_field, chunk_state_of, edited_field
from shared.application.conversation.reply_codec import ReplyContext
from shared.application.delivery.answer import Answer, AnswerPiece
from shared.application.delivery.wording import Rows, button, localized_text, text
from shared.application.documents import chat_path, member_path, message_path
from shared.application.people.member_codec import read_member
from shared.application.ports.chat import Button, OutgoingText
from shared.application.ports.store import Document, Transaction, Upsert
from shared.domain.conversation.audience import interface_language
from shared.domain.errors import Contention
from shared.domain.text.language import Language
from shared.domain.text.plain import one_line
from shared.locales import say

_ACTION = "set"


@dataclass(frozen=True, slots=True)
class _Chat:
    """A chat's choices as they are stored now, and the language to show them in."""

    app: App
    document: Document
    state: ChatState
    choices: Choices
    language: Language

    def is_chosen(self, row: SettingRow) -> bool:
        return is_choice(row, row.place.read(self.document.data), self.app.policy)

    def now(self, row: SettingRow) -> str:
        return row.now(self.state, self.choices)

    def render(self, row: SettingRow, value: str) -> str:
        return render_value(row, self.language, value, self.app.policy)

    def button(self, label: str, *args: str) -> Button:
        return button(self.app.policy, self.state.chat_id, label, _ACTION, *args)


async def _read(app: App, chat_id: int, language: Language) -> _Chat:
    """The chat as it is: what another instance keeps of it may be a minute old.

    Raises:
        Contention: It goes on under another id.
    """
    document = await app.store.get(chat_path(chat_id)) or Document(chat_path(chat_id), {})
    state = read_chat(chat_id, document)
    if state.migrated_to is not None:
        app.chats.forget(chat_id)
        raise Contention(f"chat {chat_id} goes on as {state.migrated_to}")
    return _Chat(app, document, state, choices_for(app.policy, state), interface_language(state.language, language))


# --- pages ---------------------------------------------------------------------------------------


def _menu(chat: _Chat) -> OutgoingText:
    rows = rows_of(chat.state)
    lines = [say(chat.language, "settings_title"), "", *(_line(chat, row) for row in rows)]
    buttons = [chat.button(word(chat.language, f"row_{row.name}"), "r", row.name) for row in rows]
    buttons.append(chat.button(word(chat.language, "settings_prompts"), "p"))
    buttons.append(chat.button(word(chat.language, "settings_log"), "l"))
    return text("\n".join(lines), _in_twos(buttons))


def _prompts(chat: _Chat) -> OutgoingText:
    lines = [say(chat.language, "settings_prompts_title"), "", *(_line(chat, row) for row in PROMPTS)]
    buttons = [chat.button(word(chat.language, f"row_{row.name}"), "r", row.name) for row in PROMPTS]
    return text("\n".join(lines), (*_in_twos(buttons), (_back(chat),)))


def _line(chat: _Chat, row: SettingRow) -> str:
    title, about = (word(chat.language, f"row_{row.name}{part}") for part in ("", "_about"))
    return say(chat.language, "settings_line", name=title, value=chat.render(row, chat.now(row)), about=about)


def _page(chat: _Chat, row: SettingRow) -> OutgoingText:
    """One row: what it means, what holds, what may be chosen."""
    lines = [_line(chat, row), say(chat.language, "settings_chosen" if chat.is_chosen(row) else "settings_default")]
    if chat.choices.private and row.name in ("unprompted", "questions"):
        lines.append(say(chat.language, "settings_not_in_private"))
    if row.is_typed:
        lines.append(say(chat.language, "settings_typed", row=typed_name(row, chat.language)))
    return text("\n\n".join(lines), _choices(chat, row))


def _choices(chat: _Chat, row: SettingRow) -> Rows:
    policy, language = chat.app.policy, chat.language
    stored = row.place.read(chat.document.data) if chat.is_chosen(row) else None
    options = []
    for option in options_of(row, policy):
        value = row.read(option, policy)
        label = render_value(row, language, option if isinstance(value, bool) else str(value), policy)
        mark = "✓ " if stored == value else ""
        options.append(chat.button(f"{mark}{label}", "v", row.name, code_of(option)))
    more = [chat.button(word(language, "settings_type"), "t", row.name)] if row.is_typed else []
    mark = "" if chat.is_chosen(row) else "✓ "
    reset = chat.button(f"{mark}{word(language, 'settings_reset')}", "d", row.name)
    return (*_in_twos(options), *_in_twos([*more, reset]), (_back(chat, "p" if row in PROMPTS else "m"),))


def _back(chat: _Chat, page: str = "m") -> Button:
    return chat.button(word(chat.language, "settings_back"), page)


def _in_twos(buttons: list[Button]) -> Rows:
    return tuple(tuple(buttons[at : at + 2]) for at in range(0, len(buttons), 2))


async def _history(chat: _Chat) -> OutgoingText:
    """Return who changed what, without what it was changed to."""
    changes = changes_of(chat.document.data)
    names = await _names(chat, changes)
    lines = [_render_change(chat, change, names) for change in changes] or [say(chat.language, "settings_log_empty")]
    return text("\n".join([say(chat.language, "settings_log_title"), "", *lines]), ((_back(chat),),))


async def _names(chat: _Chat, changes: Sequence[Chosen]) -> dict[int, str]:
    """Return what those are called who changed something; nobody who opted out, and no anonymous admin."""
    known = sorted({change.user_id for change in changes if change.user_id > 0} - chat.state.opted_out)
    found = await chat.app.store.get_many([member_path(chat.state.chat_id, user_id) for user_id in known])
    called = {member.user_id: member.name for member in map(read_member, filter(None, found))}
    return {user_id: one_line(called.get(user_id) or str(user_id), 40) for user_id in known}


def _render_change(chat: _Chat, change: Chosen, names: Mapping[int, str]) -> str:
    at = f"{change.at.astimezone(chat.choices.timezone):%d.%m.%Y %H:%M}"
    title = word(chat.language, f"row_{change.row}") if change.row in ROWS else change.row
    if change.user_id not in names:
        return say(chat.language, "settings_log_line_unnamed", at=at, row=title)
    return say(chat.language, "settings_log_line", at=at, row=title, user=names[change.user_id])


def _prompts_named() -> set[str]:
    """Return what the page of wishes is called when it is typed."""
    return {"prompts", *(word(language, "settings_prompts").casefold() for language in get_args(Language))}


# --- typing --------------------------------------------------------------------------------------


async def show(app: App, call: CommandCall) -> Answer:
    """The menu, one row of it, or a change that was typed at once."""
    chat = await _read(app, call.state.chat_id, call.language)
    if not call.args:
        return Answer.of(_menu(chat))
    row, words = row_typed(call.args)
    if row is None and call.args.casefold() in _prompts_named():
        return Answer.of(_prompts(chat))
    if row is None or (row.groups_only and chat.state.chat_id > 0):
        names = (typed_name(each, call.language) for each in rows_of(chat.state))
        return answer(call, "settings_no_row", names=", ".join(names))
    if not words:
        return Answer.of(_page(chat, row))
    return await _set_typed(app, call, row, words)


async def take_typed(app: App, call: CommandCall, asks: ReplyContext) -> Answer | None:
    """A reply to the menu's question for words: counts for who was asked, and for an anonymous admin."""
    proven, row = call.message.is_admin is True, ROWS.get(asks.row)
    if row is None or not (proven or call.user_id == asks.user_id):
        return None
    await _keep_out_of_memory(app, call)
    refused = await refusal(app, call.state, call.user_id, "admins", proven=proven, fresh=True)
    if refused is not None:
        return answer(call, refused)
    return await _set_typed(app, call, row, call.args, asks=asks)


async def _keep_out_of_memory(app: App, call: CommandCall) -> None:
    """Keep what is typed for the menu out of memory: "you are a vegan" tells nothing about anybody; nor when edited.

    A task that read it just before may be learning from it: another one takes that back a little later.
    """
    path = message_path(call.message.chat_id, call.message.message_id)

    async def mark(tx: Transaction) -> bool:
        message = await tx.get(path)
        if message is None or chunk_state_of(message) is ChunkState.PRIVATE:
            return False
        tx.write(Upsert(path, chunk_field(ChunkState.PRIVATE) | edited_field()))
        return True

    if await app.store.transaction(mark):
        later = app.clock.now() + app.policy.window
        after = f"typed-{call.message.message_id}-{later:%Y%m%d%H%M%S}"
        await app.schedule.extraction_later(call.message.chat_id, mark=after, run_at=later)


async def _set_typed(
    app: App, call: CommandCall, row: SettingRow, words: str, *, asks: ReplyContext | None = None
) -> Answer:
    """Change a row by words; when they are no choice, say what would be (and a reply to that counts again)."""
    try:
        value = None if is_default(words) else row.read(words, app.policy)
    except Wrong as wrong:
        return Answer((AnswerPiece(text(wrong.text(typed_name(row, call.language), call.language)), asks=asks),))
    await choose(app, call.state.chat_id, row.name, row.place, value, user_id=call.user_id)
    chat = await _read(app, call.state.chat_id, call.language)
    line = say(chat.language, "settings_done", change=word(chat.language, f"row_{row.name}"))
    return Answer.of(text(f"{line}\n\n{_line(chat, row)}", ((_back(chat),),)))


# --- buttons -------------------------------------------------------------------------------------


async def press(app: App, press: ButtonPress) -> Pressed:
    """Turn the page, or change what the button says."""
    kind, *args = press.args or ("m",)
    row = ROWS.get(args[0]) if args else None
    if row is not None and kind in _CHANGES:
        return await _CHANGES[kind](app, press, row, args[1] if len(args) > 1 else "")
    chat = await _read(app, press.state.chat_id, press.language)
    if row is not None:
        return Pressed(shows=_page(chat, row))
    return Pressed(shows=await _history(chat) if kind == "l" else _prompts(chat) if kind == "p" else _menu(chat))


async def _ask(app: App, press: ButtonPress, row: SettingRow, code: str) -> Pressed:
    """Have the new words sent as a reply."""
    del app, code
    asks = ReplyContext("gryadsettings", _ACTION, row=row.name, user_id=press.user_id)
    title = word(press.language, f"row_{row.name}")
    question = localized_text(press.language, "settings_ask", name=title)
    return Pressed(answer=Answer((AnswerPiece(question, asks=asks),)))


async def _choose(app: App, press: ButtonPress, row: SettingRow, code: str) -> Pressed:
    option = option_of(row, code)
    # The deployment may allow less than when the button was shown.
    value = None if option is None else value_of(row, option, app.policy)
    return notice(press.language, "old_button") if value is None else await _changed_to(app, press, row, value)


async def _take_back(app: App, press: ButtonPress, row: SettingRow, code: str) -> Pressed:
    del code
    return await _changed_to(app, press, row, None)


async def _changed_to(app: App, press: ButtonPress, row: SettingRow, value: object) -> Pressed:
    await choose(app, press.state.chat_id, row.name, row.place, value, user_id=press.user_id)
    chat = await _read(app, press.state.chat_id, press.language)
    return Pressed(word(chat.language, "settings_saved"), _page(chat, row))


_CHANGES: dict[str, Callable[[App, ButtonPress, SettingRow, str], Awaitable[Pressed]]] = {
    "v": _choose,
    "d": _take_back,
    "t": _ask,
}
