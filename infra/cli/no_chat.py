"""The way into the chats when there is no token: there is none, and whoever needs it is told so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from shared.application.ports.chat import MenuEntry, MenuScope, Outgoing, OutgoingText, SentMessage, WebhookInfo
from shared.domain.errors import ChatUnconfigured
from shared.domain.text.language import Language


class NoChat:
    """`ChatGateway` without a chat service."""

    async def send(
        self, chat_id: int, content: Outgoing, *, reply_to: int | None = None, thread_id: int | None = None
    ) -> SentMessage:
        self._refuse()

    async def edit(self, chat_id: int, message_id: int, text: OutgoingText) -> bool:
        self._refuse()

    async def delete(self, chat_id: int, message_ids: Sequence[int]) -> None:
        self._refuse()

    async def answer_callback(self, callback_id: str, text: str) -> None:
        self._refuse()

    async def whisper(
        self, chat_id: int, user_id: int, text: str, *, callback_id: str, thread_id: int | None = None
    ) -> None:
        self._refuse()

    async def show_draft(self, chat_id: int, draft_id: int, text: str, *, thread_id: int | None = None) -> None:
        self._refuse()

    async def show_typing(self, chat_id: int, *, thread_id: int | None = None) -> None:
        self._refuse()

    async def administrators(self, chat_id: int) -> frozenset[int]:
        self._refuse()

    async def is_member(self, chat_id: int, user_id: int) -> bool:
        self._refuse()

    async def set_menu(self, scope: MenuScope, language: Language | None, entries: Sequence[MenuEntry]) -> None:
        self._refuse()

    async def download(self, file_id: str, *, limit_bytes: int) -> bytes:
        self._refuse()

    async def webhook(self) -> WebhookInfo | None:
        self._refuse()

    async def aclose(self) -> None:
        pass

    def _refuse(self) -> NoReturn:
        raise ChatUnconfigured("Telegram cannot be asked without TELEGRAM_BOT_TOKEN: set it.")
