"""The limits of one document in Firestore, counted as its documentation says, for every store alike.

A document that one store takes and another refuses is found in production alone. So the adapters ask here, before they
write; Google's server asks again. Sizes: "Storage size calculations"; limits: "Usage and limits", of which the emulator
keeps two (`MAX_VALUE_BYTES`, `MAX_DEPTH`) and not the others.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from shared.application.ports.store import DELETE_FIELD, ArrayUnion, Increment, Vector
from shared.domain.errors import UnstorableDocument

MAX_BYTES = 1 << 20
"""The size of a document: its name, its fields and 32 bytes."""

MAX_VALUE_BYTES = (1 << 20) - 89
"""The size of one string or one run of bytes."""

MAX_INDEX_ENTRIES = 40_000
"""The entries of a document in all its indexes."""

MAX_DEPTH = 20
"""Maps and lists inside one another in a field; the field's own value counts when it is one."""

NAME_BYTES, DOCUMENT_BYTES = 16, 32
"""The bytes that a document's name has beside its parts, and a document beside its name and fields."""

UNINDEXED = frozenset(
    {("chats", "hearsay"), ("chunks", "message_vectors"), ("index", "payload")}
    | {(notes, "made_with") for notes in ("chunks", "episodes")}
    | {("updates", field) for field in ("ask", "counted_at", "lease_until", "outbox", "received_at")}
    | {("messages", field) for field in ("edited_at", "editions", "forwarded", "is_admin", "is_bot", "kind", "name")}
    | {("messages", field) for field in ("media_text", "origin_at", "quote", "schema", "text", "username")}
)
"""Fields without entries, by collection: the exemptions of `firestore.indexes.json`, which a test compares."""

COMPOSITE = {"messages": 3, "chunks": 3, "metas": 2, "episodes": 1, "facts": 6, "updates": 3}
"""The number of composite indexes of that file a document of a collection may be in, one entry each."""

COMPOSITE_MOST = max(COMPOSITE.values())
_EIGHT_AT_MOST = frozenset({type(None), bool, int, float, datetime})


class Limits(NamedTuple):
    """The limits to check; smaller ones are for tests."""

    bytes: int = MAX_BYTES
    value_bytes: int = MAX_VALUE_BYTES
    index_entries: int = MAX_INDEX_ENTRIES
    depth: int = MAX_DEPTH


FIRESTORE = Limits()


def check_document(path: str, data: Mapping[str, Any], limits: Limits = FIRESTORE) -> None:
    """Do nothing for a document that Firestore takes.

    Args:
        path: With the collections that it is in.
        data: All its fields; transforms of `update` count as the value that they bring.

    Raises:
        UnstorableDocument: It is too large, would have too many index entries, or is nested too deep; the message says
            which and by how much.
    """
    if surely_fits(path, data, limits):
        return
    size = document_bytes(path, data)
    complaint = None
    if size > limits.bytes:
        complaint = f"the document would have {size:,} bytes, and {limits.bytes:,} is the most"
    elif size > limits.value_bytes and (longest := _longest(data)) > limits.value_bytes:
        complaint = f"a value would have {longest:,} bytes, and {limits.value_bytes:,} is the most"
    elif (depth := depth_of(data) - 1) > limits.depth:
        complaint = f"a field would be nested {depth} deep, and {limits.depth} is the most"
    elif (entries := index_entries(path, data)) > limits.index_entries:
        complaint = f"the document would have {entries:,} index entries, and {limits.index_entries:,} is the most"
    if complaint is not None:
        raise UnstorableDocument(complaint, paths=(path,))


def surely_fits(path: str, data: Mapping[str, Any], limits: Limits = FIRESTORE) -> bool:
    """Return whether `check_document` would find nothing, told by a rough count that is never too low; False: not sure.

    Four bytes for each character, eight for anything else, two entries for each value, and as deep as there are maps
    and lists. An ordinary message costs a few microseconds so, a tenth of an exact count.
    """
    room = min(limits.bytes - len(path) * 4 - 1 - NAME_BYTES - DOCUMENT_BYTES, limits.value_bytes)
    containers, leaves = -1, COMPOSITE_MOST
    waiting: list[Any] = [data]
    while waiting:
        each = waiting.pop()
        kind = type(each)
        if kind is str:
            room -= 4 * len(each) + 1
        elif kind is dict:
            containers += 1
            leaves += len(each)
            room -= sum(map(len, each)) * 4 + len(each)
            waiting += each.values()
        elif kind in _EIGHT_AT_MOST:
            room -= 8
        elif kind is list:
            containers += 1
            leaves += len(each)
            waiting += each
        else:
            return False
        if room < 0 or containers > limits.depth or 2 * leaves > limits.index_entries:
            return False
    return True


def name_bytes(path: str) -> int:
    """Bytes of a document's name."""
    return len(path.encode()) + 1 + NAME_BYTES  # each part has one more, as each but the last has its slash


def document_bytes(path: str, data: Mapping[str, Any]) -> int:
    """Bytes of a document without its index entries."""
    return name_bytes(path) + value_bytes(data) + DOCUMENT_BYTES


def value_bytes(value: Any) -> int:
    """Bytes of one value: a string has those of its UTF-8 and one more, a map the names and values in it."""
    match value:
        case str():
            return text_bytes(value)
        case None | bool():
            return 1
        case int() | float() | datetime() | Increment():
            return 8
        case bytes():
            return len(value)
        case Vector():
            return 8 * len(value)
        case Mapping():
            return sum(text_bytes(key) + value_bytes(each) for key, each in value.items() if each is not DELETE_FIELD)
        case ArrayUnion(values=values):
            return sum(map(value_bytes, values))
    return sum(map(value_bytes, value))


def text_bytes(text: str) -> int:
    """Bytes of a string or of a field's name."""
    return (len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))) + 1


def index_entries(path: str, data: Mapping[str, Any]) -> int:
    """Entries of a document in all indexes: two of a field, one of each element of a list, none where it is exempt.

    Composite indexes count one each, whether or not the document has all their fields.
    """
    group = path.rsplit("/", 2)[-2]
    exempt = {field for where, field in UNINDEXED if where == group}  # with all that is in a map of that name
    fields = (n for field, n in entries_by_field(data) if exempt.isdisjoint((field, field.partition(".")[0])))
    return sum(fields) + COMPOSITE.get(group, 0)


def entries_by_field(data: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, int]]:
    """Yield how many index entries each field has by itself; fields of maps by their dotted path."""
    for key, value in data.items():
        field = f"{above}{key}"
        match value:
            case Vector():
                continue  # is in vector indexes alone
            case Mapping():
                yield from entries_by_field(value, f"{field}.")
            case ArrayUnion(values=values):
                yield field, len(values)
            case list() | tuple() if not isinstance(value, Increment):
                yield field, len(value)
            case _:
                if value is not DELETE_FIELD:
                    yield field, 2


def depth_of(value: Any) -> int:
    """Return how many maps and lists are inside one another, the value among them."""
    inner = _inner_values(value)
    return 0 if inner is None else 1 + max(map(depth_of, inner), default=0)


def _longest(value: Any) -> int:
    """Return the bytes of the longest string or run of bytes in a value."""
    if isinstance(value, str):
        return text_bytes(value) - 1
    return len(value) if isinstance(value, bytes) else max(map(_longest, _inner_values(value) or ()), default=0)


def _inner_values(value: Any) -> Iterable[Any] | None:
    """Return the values in a map or list; None of any other value."""
    match value:
        case Mapping():
            return value.values()
        case ArrayUnion(values=values):
            return values
        case list() | tuple() if not isinstance(value, Vector | Increment):
            return value
    return None
