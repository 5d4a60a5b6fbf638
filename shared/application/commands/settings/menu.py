"""The chat's settings: one message that buttons turn from page to page, and the same by typing.

The pages show what holds now (a chat that chose nothing has the deployment's defaults). Every press and every reply is
checked again: an admin of a minute ago changes nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

from shared.application.app import App
from shared.application.chats.chat_codec import read_chat
from shared.application.chats.choices import Choices, changes_of, choices_for, choose
from shared.application.commands.call import ButtonPress, CommandCall, Pressed, Scene, answer, notice, refusal
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
from shared.application.commands.settings.typed import Wrong, is_default
from shared.application.conversation.consent_gate import silent_members
from shared.application.conversation.message_codec import ChunkState, chunk_field, chunk_state_of, edited_field
from shared.application.conversation.reply_codec import ReplyContext
from shared.application.delivery.answer import Answer, AnswerPiece
from shared.application.delivery.wording import Rows, localized_text, text, word
from shared.application.documents import chat_path, member_path, message_path
from shared.application.people.member_codec import read_member
from shared.application.ports.chat import Button, OutgoingText
from shared.application.ports.store import Document, DocumentStore, Transaction, Upsert
from shared.domain.errors import GoesOnElsewhere
from shared.domain.text.language import Language, interface_language
from shared.domain.text.plain import one_line

_ACTION = "set"


@dataclass(frozen=True, slots=True)
class _Chat:
    """A chat's choices as they are stored now, and where they are shown."""

    here: Scene
    document: Document
    choices: Choices

    def is_chosen(self, row: SettingRow) -> bool:
        return is_choice(row, row.place.read(self.document.data), self.here.policy)

    def title(self, row: SettingRow) -> str:
        return self.here.word(f"row_{row.name}")

    def line(self, row: SettingRow) -> str:
        """A row with what holds now."""
        about, now = self.here.word(f"row_{row.name}_about"), row.now(self.here.state, self.choices)
        value = render_value(row, self.here.language, now, self.here.policy)
        return self.here.say("settings_line", name=self.title(row), value=value, about=about)

    def back(self, page: str = "m") -> Button:
        return self.here.option("settings_back", _ACTION, page)


async def _read(app: App, chat_id: int, language: Language) -> _Chat:
    """The chat as it is: what another instance keeps of it may be a minute old.

    Raises:
        GoesOnElsewhere: It does.
    """
    document = await app.store.get(chat_path(chat_id)) or Document(chat_path(chat_id), {})
    state = read_chat(chat_id, document)
    if state.migrated_to is not None:
        app.chats.forget(chat_id)
        raise GoesOnElsewhere(f"chat {chat_id} goes on as {state.migrated_to}")
    here = Scene(app.policy, state, interface_language(state.language, language))
    return _Chat(here, document, choices_for(app.policy, state))


# --- pages ---------------------------------------------------------------------------------------


def _menu(chat: _Chat) -> OutgoingText:
    pages = [chat.here.option("settings_prompts", _ACTION, "p"), chat.here.option("settings_log", _ACTION, "l")]
    return _list_rows(chat, "settings_title", rows_of(chat.here.state), pages)


def _prompts(chat: _Chat) -> OutgoingText:
    return _list_rows(chat, "settings_prompts_title", PROMPTS, [], (chat.back(),))


def _list_rows(
    chat: _Chat, title: str, rows: Sequence[SettingRow], more: list[Button], *below: tuple[Button, ...]
) -> OutgoingText:
    lines = [chat.here.say(title), "", *map(chat.line, rows)]
    buttons = [chat.here.button(chat.title(row), _ACTION, "r", row.name) for row in rows]
    return text("\n".join(lines), (*_pair_up([*buttons, *more]), *below))


def _page(chat: _Chat, row: SettingRow) -> OutgoingText:
    """One row: what it means, what holds, what may be chosen."""
    lines = [chat.line(row), chat.here.say("settings_chosen" if chat.is_chosen(row) else "settings_default")]
    if chat.choices.private and row.name in ("unprompted", "questions"):
        lines.append(chat.here.say("settings_not_in_private"))
    if row.is_typed:
        lines.append(chat.here.say("settings_typed", row=typed_name(row, chat.here.language)))
    return text("\n\n".join(lines), _choices(chat, row))


def _choices(chat: _Chat, row: SettingRow) -> Rows:
    here, is_chosen = chat.here, chat.is_chosen(row)
    stored = row.place.read(chat.document.data) if is_chosen else None
    options = []
    for option in options_of(row, here.policy):
        value = row.read(option, here.policy)
        label = render_value(row, here.language, option if isinstance(value, bool) else str(value), here.policy)
        options.append(
            here.button(f"{'✓ ' if stored == value else ''}{label}", _ACTION, "v", row.name, code_of(option))
        )
    more = [here.option("settings_type", _ACTION, "t", row.name)] if row.is_typed else []
    reset = here.button(f"{'' if is_chosen else '✓ '}{here.word('settings_reset')}", _ACTION, "d", row.name)
    return (*_pair_up(options), *_pair_up([*more, reset]), (chat.back("p" if row in PROMPTS else "m"),))


def _pair_up(buttons: list[Button]) -> Rows:
    return tuple(tuple(buttons[at : at + 2]) for at in range(0, len(buttons), 2))


async def _history(store: DocumentStore, chat: _Chat) -> OutgoingText:
    """Return who changed what, without what it was changed to; nobody who opted out is named, and no anonymous
    admin."""
    here, changes = chat.here, changes_of(chat.document.data)
    known = sorted({change.user_id for change in changes if change.user_id > 0} - silent_members(here.state))
    found = await store.get_many([member_path(here.state.chat_id, user_id) for user_id in known])
    called = {member.user_id: member.name for member in map(read_member, filter(None, found))}
    lines = []
    for change in changes:
        at = f"{change.at.astimezone(chat.choices.timezone):%d.%m.%Y %H:%M}"
        title = here.word(f"row_{change.row}") if change.row in ROWS else change.row
        name = one_line(called.get(change.user_id) or str(change.user_id), 40)
        key = "settings_log_line" if change.user_id in known else "settings_log_line_unnamed"
        lines.append(here.say(key, at=at, row=title, user=name))
    heading = [here.say("settings_log_title"), ""]
    return text("\n".join([*heading, *(lines or [here.say("settings_log_empty")])]), ((chat.back(),),))


# --- typing --------------------------------------------------------------------------------------


async def show(app: App, call: CommandCall) -> Answer:
    """The menu, one row of it, or a change that was typed at once."""
    chat = await _read(app, call.state.chat_id, call.language)
    if not call.args:
        return Answer.of(_menu(chat))
    row, words = row_typed(call.args)
    titles = (word(language, "settings_prompts").casefold() for language in get_args(Language))
    if row is None and call.args.casefold() in ("prompts", *titles):
        return Answer.of(_prompts(chat))
    if row is None or (row.groups_only and call.state.chat_id > 0):
        names = (typed_name(each, call.language) for each in rows_of(chat.here.state))
        return answer(call, "settings_no_row", names=", ".join(names))
    if not words:
        return Answer.of(_page(chat, row))
    return await _set_typed(app, call, row, words)


async def take_typed(app: App, call: CommandCall, asks: ReplyContext) -> Answer | None:
    """A reply to the menu's question for words: counts from the admin who was asked, and from an anonymous one."""
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
    await choose(app.chats, app.clock, call.state.chat_id, row.name, row.place, value, user_id=call.user_id)
    chat = await _read(app, call.state.chat_id, call.language)
    line = chat.here.say("settings_done", change=chat.title(row))
    return Answer.of(text(f"{line}\n\n{chat.line(row)}", ((chat.back(),),)))


# --- buttons -------------------------------------------------------------------------------------


async def press(app: App, press: ButtonPress) -> Pressed:
    """Turn the page, or change what the button says."""
    kind, *args = press.args or ("m",)
    row = ROWS.get(args[0]) if args else None
    if row is not None and kind == "t":
        asks = ReplyContext("gryadsettings", _ACTION, row=row.name, user_id=press.user_id)
        question = localized_text(press.language, "settings_ask", name=word(press.language, f"row_{row.name}"))
        return Pressed(answer=Answer((AnswerPiece(question, asks=asks),)))
    if row is not None and kind in ("v", "d"):
        option = option_of(row, args[1]) if kind == "v" and len(args) > 1 else None
        # The deployment may allow less than when the button was shown.
        value = None if option is None else value_of(row, option, app.policy)
        if kind == "v" and value is None:
            return notice(press.language, "old_button")
        await choose(app.chats, app.clock, press.state.chat_id, row.name, row.place, value, user_id=press.user_id)
        chat = await _read(app, press.state.chat_id, press.language)
        return Pressed(chat.here.word("settings_saved"), _page(chat, row))
    chat = await _read(app, press.state.chat_id, press.language)
    if row is not None:
        return Pressed(shows=_page(chat, row))
    return Pressed(
        shows=await _history(app.store, chat) if kind == "l" else _prompts(chat) if kind == "p" else _menu(chat)
    )
