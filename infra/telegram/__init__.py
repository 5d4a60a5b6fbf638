"""The Telegram Bot API."""

from infra.telegram.gateway import ALLOWED_UPDATES, TelegramGateway

__all__ = ["ALLOWED_UPDATES", "TelegramGateway"]
