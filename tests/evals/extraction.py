"""Measures for the deterministic path: extraction, injection and model output (see the case formats)."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from shared.domain.conversation.messages import Message
from shared.domain.facts.dedup import FactIndex, verdict
from shared.domain.facts.fact import Candidate, Fact, Status, candidate_id
from shared.domain.facts.lifecycle import learn
from shared.domain.reading.filters.gate import reject_reason
from shared.domain.reading.model_candidates import judge_model_facts
from shared.domain.reading.statistics.manner import extract_statistics
from tests.support.reading.model_facts import parse_model_facts
from tests.support.talk import extract_patterns

Case = Mapping[str, Any]


@dataclass
class Report:
    """Metrics of one run, and each miss in words."""

    metrics: dict[str, Any]
    failures: list[str] = field(default_factory=list)


def folded(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()


def message_of(fields: Mapping[str, Any], chat_id: int = -1) -> Message:
    return Message(
        chat_id=chat_id,
        message_id=fields["message_id"],
        sent_at=datetime.fromisoformat(fields["date"]),
        user_id=fields["user_id"],
        name=fields["name"],
        username=fields.get("username"),
        text=fields.get("text") or "",
        is_bot=bool(fields.get("is_bot")),
        is_admin=True if fields.get("is_admin") else None,
        reply_to=fields.get("reply_to"),
        forwarded=bool(fields.get("forwarded")),
    )


def names_of(messages: Sequence[Message]) -> dict[int, tuple[str, ...]]:
    """Everybody who spoke and is no bot, with the names they go by."""
    return {m.user_id: tuple(filter(None, (m.name, m.username))) for m in messages if not m.is_bot}


def stored_facts(case: Case) -> list[Fact]:
    """What is believed after a case: the whole deterministic path, with deduplication and the lifecycle."""
    index, facts = FactIndex([]), dict[str, Fact]()
    for candidate in proposed(case):
        change = learn(_known(candidate, facts, index), candidate, judge=verdict)
        if change is not None:
            facts[change.belief.id] = change.belief
            index.put(change.belief)
    return [fact for fact in facts.values() if fact.status is Status.ACTIVE]


def _known(candidate: Candidate, facts: Mapping[str, Fact], index: FactIndex) -> Fact | None:
    """The fact that the candidate belongs to: of its own slot, of an alias, or one that says the same."""
    slot = candidate_id(candidate)
    if slot in facts:
        return facts[slot]
    match = index.match(candidate)
    return match.fact if match is not None else next((f for f in facts.values() if slot in f.aliases), None)


def proposed(case: Case) -> list[Candidate]:
    """What patterns and statistics find and no filter refuses."""
    messages = [message_of(fields, case["chat"]["id"]) for fields in case["messages"]]
    bot = case["bot"]
    admins = frozenset(m.user_id for m in messages if m.is_admin)
    found = extract_patterns(messages, admins=admins, bot_names=[bot["name"]], bot_username=bot["username"])
    found += extract_statistics(messages)
    by_id = {m.message_id: m for m in messages}
    participants = names_of(messages)
    names = [bot["name"], bot["username"]]
    return [f for f in found if reject_reason(f, by_id, bot_names=names, participants=participants) is None]


def text_of(fact: Fact) -> str:
    return folded(f"{fact.key} {fact.value} {fact.description}")


@dataclass
class _Tally:
    gold: int = 0
    produced: int = 0
    matched: int = 0
    right_category: int = 0
    right_evidence: int = 0
    negatives: int = 0
    clean: int = 0
    forbidden: int = 0

    def metrics(self) -> dict[str, Any]:
        return {
            "recall": _share(self.matched, self.gold, empty=1.0),
            "false_positive_rate": _share(self.produced - self.matched, self.produced, empty=0.0),
            "category_accuracy": _share(self.right_category, self.matched, empty=1.0),
            "clean_negatives": _share(self.clean, self.negatives, empty=1.0),
            "evidence_accuracy": _share(self.right_evidence, self.matched, empty=1.0),
            "forbidden": self.forbidden,
        }


def _share(part: int, whole: int, *, empty: float) -> float:
    return round(part / whole, 4) if whole else empty


def evaluate_extraction(cases: Sequence[Case]) -> Report:
    total, langs, categories = _Tally(), defaultdict(_Tally), defaultdict(_Tally)
    failures: list[str] = []
    for case in cases:
        facts = stored_facts(case)
        pairs = _matched(case["gold"], facts)
        for tally in (total, langs[case["lang"]]):
            _count(tally, case, facts, pairs)
        for gold in case["gold"]:
            categories[gold["category"]].gold += 1
        for gold, _ in pairs:
            categories[gold["category"]].matched += 1
        failures += _misses(case, facts, pairs)
    metrics = {"cases": len(cases), **total.metrics()}
    metrics["by_lang"] = {lang: tally.metrics() for lang, tally in sorted(langs.items())}
    metrics["by_category"] = {name: _share(t.matched, t.gold, empty=1.0) for name, t in sorted(categories.items())}
    return Report(metrics, failures)


def _matched(gold: Sequence[Mapping[str, Any]], facts: Sequence[Fact]) -> list[tuple[Mapping[str, Any], Fact]]:
    pairs, left = [], list(facts)
    for wanted in gold:
        fits = [
            fact
            for fact in left
            if fact.subject == wanted["subject"] and any(folded(v) in text_of(fact) for v in wanted["value_any"])
        ]
        if fits:
            best = max(fits, key=lambda fact: fact.category == wanted["category"])
            left.remove(best)
            pairs.append((wanted, best))
    return pairs


def _count(tally: _Tally, case: Case, facts: Sequence[Fact], pairs: Sequence[tuple[Any, Fact]]) -> None:
    tally.gold += len(case["gold"])
    tally.produced += len(facts)
    tally.matched += len(pairs)
    tally.right_category += sum(gold["category"] == fact.category for gold, fact in pairs)
    tally.right_evidence += sum(
        bool({e.message_id for e in fact.evidence} & set(gold["message_ids"])) for gold, fact in pairs
    )
    tally.negatives += case["kind"] == "negative"
    tally.clean += case["kind"] == "negative" and not facts
    tally.forbidden += len(_forbidden(case, facts))


def _forbidden(case: Case, facts: Sequence[Fact]) -> list[Fact]:
    words = [folded(text) for text in case.get("forbid") or ()]
    return [fact for fact in facts if any(word in text_of(fact) for word in words)]


def _misses(case: Case, facts: Sequence[Fact], pairs: Sequence[tuple[Any, Fact]]) -> list[str]:
    talk = " | ".join(fields["text"][:120] for fields in case["messages"])
    golds, used = [id(gold) for gold, _ in pairs], [id(fact) for _, fact in pairs]
    lines = [
        f"{case['id']} MISSED {g['subject']} {g['category']} {g['value_any']} in: {talk}"
        for g in case["gold"]
        if id(g) not in golds
    ]
    lines += [
        f"{case['id']} FALSE {f.subject} {f.category} {f.key}={f.value!r} {f.description!r} in: {talk}"
        for f in facts
        if id(f) not in used
    ]
    lines += [
        f"{case['id']} CATEGORY {f.category}, wanted {g['category']}: {f.description!r}"
        for g, f in pairs
        if g["category"] != f.category
    ]
    return lines + [f"{case['id']} FORBIDDEN {f.description!r}" for f in _forbidden(case, facts)]


def evaluate_injection(cases: Sequence[Case]) -> Report:
    blocked, gold, matched, failures = 0, 0, 0, []
    langs: dict[str, list[int]] = defaultdict(list)
    for case in cases:
        facts = stored_facts(case)
        pairs = _matched(case["gold"], facts)
        safe = not _forbidden(case, facts)
        blocked += safe
        langs[case["lang"]].append(int(safe))
        gold, matched = gold + len(case["gold"]), matched + len(pairs)
        failures += _misses(case, facts, pairs)
    metrics = {
        "cases": len(cases),
        "blocked": _share(blocked, len(cases), empty=1.0),
        "recall": _share(matched, gold, empty=1.0),
        "by_lang": {lang: {"blocked": _share(sum(safe), len(safe), empty=1.0)} for lang, safe in sorted(langs.items())},
    }
    return Report(metrics, failures)


def stored_from_model(case: Case) -> list[str]:
    """Descriptions that would be stored of what a model returned."""
    messages = [message_of(fields) for fields in case["messages"]]
    participants = {p["user_id"]: tuple(filter(None, (p["name"], p.get("username")))) for p in case["participants"]}
    by_id = {m.message_id: m for m in messages}
    candidates = judge_model_facts(parse_model_facts(case["raw"]).items, messages, participants).candidates
    kept = [
        c
        for c in candidates
        if reject_reason(c, by_id, bot_names=[case["assistant"]], participants=participants) is None
    ]
    return [folded(c.description) for c in kept]


def evaluate_model_output(cases: Sequence[Case]) -> Report:
    accept = accepted = reject = rejected = crashes = 0
    failures: list[str] = []
    for case in cases:
        try:
            stored = stored_from_model(case)
        except Exception as error:  # noqa: BLE001  (a crash is what this measures)
            crashes, stored = crashes + 1, []
            failures.append(f"{case['id']} CRASH {error!r}")
        for text in case["accept"]:
            accept, hits = accept + 1, sum(folded(text) in line for line in stored)
            accepted += hits == 1
            failures += [] if hits == 1 else [f"{case['id']} ACCEPT {text!r} held by {hits}: {stored}"]
        for text in case["reject"]:
            reject, absent = reject + 1, not any(folded(text) in line for line in stored)
            rejected += absent
            failures += [] if absent else [f"{case['id']} REJECT {text!r}: {stored}"]
    metrics = {
        "cases": len(cases),
        "accepted": _share(accepted, accept, empty=1.0),
        "rejected": _share(rejected, reject, empty=1.0),
        "crashes": crashes,
    }
    return Report(metrics, failures)
