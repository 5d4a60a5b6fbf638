"""List prices and free quotas, in dollars, and what could not be counted and is assumed instead.

Written from Google's price lists as they were known in November 2026, for Tier 1 regions such as europe-west1. Nobody
could look them up from here: check them before you rely on a sum. The models' are those that the product itself counts
by, `shared/domain/spending/prices.toml`, on the day `ON`.
"""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from shared.application.archive.backfill_survey import EPISODIC_WORDS, FACTS_WORDS, SUMMARY_WORDS
from shared.domain.spending.tokens import ModelPrice, price_of

MILLION, GIB = 10**6, 2**30


class Price(NamedTuple):
    """One row of the price table.

    Attributes:
        unit: What is counted.
        dollars: Of one unit.
        free: Units a month that cost nothing.
        source: Where the price is published, and how sure we are.
    """

    unit: str
    dollars: float
    free: float
    source: str


_FIRESTORE = "cloud.google.com/firestore/pricing"
_RUN = "cloud.google.com/run/pricing, request-based"
_TABLE = "shared/domain/spending/prices.toml"

ON = date(2027, 1, 1)
"""The day whose prices of models count: what is cheaper until then is over."""

LITE = "gemini-3.5-flash-lite"
"""The model of the table: it reads, and answers too."""

ANSWERING = ("gemini-3.5-flash", "gemini-3.8-flash")
"""Models that may answer instead, the default one first."""


def model_price(model: str) -> ModelPrice:
    """Return the price of a model that has one."""
    price = price_of(model, ON)
    assert price, model
    return price


def _on_flex(price: ModelPrice) -> ModelPrice:
    return price._replace(input=price.input * price.flex, output=price.output * price.flex)


_ON_FLEX = _on_flex(model_price(LITE))


PRICES = {
    "reads": Price("document read", 0.03 / 100_000, 30 * 50_000, f"{_FIRESTORE}; one region"),
    "writes": Price("document written", 0.09 / 100_000, 30 * 20_000, f"{_FIRESTORE}; one region"),
    "deletes": Price("document deleted", 0.01 / 100_000, 0, f"{_FIRESTORE}; what a TTL deletes is never free"),
    "stored": Price("GiB stored for a month", 0.15, 1, f"{_FIRESTORE}; documents and index entries"),
    "recovery": Price("GiB of point-in-time recovery", 0.15, 0, f"{_FIRESTORE}; unsure"),
    "backups": Price("GiB of backups", 0.03, 0, f"{_FIRESTORE}; seven daily ones assumed"),
    "requests": Price("request", 0.40 / MILLION, 2 * MILLION, _RUN),
    "cpu": Price("vCPU-second", 0.000024, 180_000, _RUN),
    "memory": Price("GiB-second", 0.0000025, 360_000, _RUN),
    "tasks": Price("queue operation", 0.40 / MILLION, MILLION, "cloud.google.com/tasks/pricing"),
    "logs": Price("GiB of logs", 0.50, 50, "cloud.google.com/stackdriver/pricing"),
    "egress": Price("GiB sent to Telegram", 0.12, 1, "cloud.google.com/vpc/network-pricing, premium tier"),
    "archive": Price("GiB archived for a month", 0.02, 0, "cloud.google.com/storage/pricing, standard class"),
    "schedules": Price("scheduler job for a month", 0.10, 3, "cloud.google.com/scheduler/pricing"),
    "secrets": Price("secret version for a month", 0.06, 6, "cloud.google.com/secret-manager/pricing"),
    "chat_in": Price("token read, answers", model_price(LITE).input / MILLION, 0, f"{_TABLE}; {LITE}"),
    "chat_out": Price("token written, answers", model_price(LITE).output / MILLION, 0, f"{_TABLE}; {LITE}"),
    "memory_in": Price("token read, memory", _ON_FLEX.input / MILLION, 0, f"{_TABLE}; {LITE}, flex tier"),
    "memory_out": Price("token written, memory", _ON_FLEX.output / MILLION, 0, f"{_TABLE}; {LITE}, flex tier"),
    "embedded": Price(
        "token embedded", model_price("gemini-embedding-001").input / MILLION, 0, f"{_TABLE}; gemini-embedding-001"
    ),
}

THOUGHTS = 100
"""Tokens that a call thinks at the low level, billed as output (own guess; 300 for an answer)."""

WRITTEN = {
    "answer": 250 + 300,
    "reading": 7 * (SUMMARY_WORDS + EPISODIC_WORDS + FACTS_WORDS) + THOUGHTS,
    "meta": SUMMARY_WORDS + THOUGHTS,
    "culture": SUMMARY_WORDS + THOUGHTS,
    "media": 80 + THOUGHTS,
    "search": 300 + THOUGHTS,
}
"""Tokens of a model's reply by purpose: guesses, for no model was asked."""

TRIP_SECONDS = 0.010
"""One call of Firestore from the same region, waited for one after the other (own guess; some run side by side)."""

MODEL_SECONDS = {"answer": 4.0}
OTHER_MODEL_SECONDS = 2.0
"""How long a model takes to reply (own guesses)."""

TELEGRAM_SECONDS = 0.1
"""One call of the Bot API (own guess)."""

LOG_BYTES = 2_000
"""One request: the line of Cloud Run (about 1.2 kB), and one or two of ours (own guess, upper)."""

SENT_BYTES = 4_000
"""One message to Telegram with what TLS adds (own guess, upper)."""

PEAK = 0.15
"""Share of a day's traffic in its busiest hour (own guess)."""
