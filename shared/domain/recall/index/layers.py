"""Several searchable stretches laid over one another: the later one counts where two hold the same thing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from shared.domain.recall.index.postings import Counts, Postings, Rows, join_postings
from shared.domain.recall.index.vectors import SpreadVectors

Item_co = TypeVar("Item_co", covariant=True)


class Layer(Protocol[Item_co]):
    """Rows that can be found by a term or by their vectors, and shown."""

    @property
    def vectors(self) -> SpreadVectors:
        """The vectors of the rows that have one."""
        ...

    @property
    def index(self) -> Postings | None:
        """All postings, when they are in one piece."""
        ...

    def postings(self, term: str) -> tuple[Rows, Counts]:
        """The rows that hold a term, ascending, and how often."""
        ...

    def item(self, row: int) -> Item_co:
        """Return what the row stands for."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Layers(Generic[Item_co]):
    """A `Layer` of the rows of all layers in one order.

    Attributes:
        origins: For each row its layer, and the row there.
        places: For each layer the row of each of its own, negative where a later layer has the same thing.
        index: The postings of all in one piece, or None: then each layer is asked.
    """

    layers: tuple[Layer[Item_co], ...]
    origins: tuple[NDArray[np.int32], NDArray[np.int32]]
    places: tuple[NDArray[np.int32], ...]
    vectors: SpreadVectors
    index: Postings | None = None

    @classmethod
    def of(cls, layers: Sequence[Layer[Item_co]], sizes: Sequence[int], order: NDArray[Any]) -> Layers[Item_co]:
        """Put the layers' rows, numbered through, into an `order` that leaves out those that do not count."""
        layer_of = np.repeat(np.arange(len(layers), dtype=np.int32), sizes)
        edges = np.cumsum([0, *sizes])
        row_of = (np.arange(edges[-1]) - edges[:-1][layer_of]).astype(np.int32)
        place = np.full(edges[-1], -1, np.int32)
        place[order] = np.arange(len(order), dtype=np.int32)
        places, vectors = (place[low:high] for low, high in pairwise(edges)), [layer.vectors for layer in layers]
        return cls(
            tuple(layers), (layer_of[order], row_of[order]), tuple(places), SpreadVectors.join(vectors).take(order)
        )

    def join_postings(self) -> Layers[Item_co]:
        """Return these layers with their postings joined, when every one has them: later calls ask none of them."""
        known = [layer.index for layer in self.layers if layer.index is not None]
        if len(known) != len(self.layers):
            return self
        return replace(self, index=join_postings(zip(known, self.places, strict=True)))

    @property
    def nbytes(self) -> int:
        """Return what it takes in memory beside the layers."""
        return sum(column.nbytes for column in (*self.origins, *self.places, *(self.index or ())))

    def postings(self, term: str) -> tuple[Rows, Counts]:
        if self.index is not None:
            return self.index.find(term)
        found = []
        for layer, places in zip(self.layers, self.places, strict=True):
            rows, counts = layer.postings(term)
            if len(rows):
                moved = places[rows]
                found.append((moved[moved >= 0], counts[moved >= 0]))
        if not found:  # as most words' relatives are
            return np.empty(0, np.int32), np.empty(0, np.float32)
        rows, counts = map(np.concatenate, zip(*found, strict=True))
        order = rows.argsort(kind="stable")
        return rows[order], counts[order]

    def item(self, row: int) -> Item_co:
        layer_of, row_of = self.origins
        return self.layers[int(layer_of[row])].item(int(row_of[row]))


@dataclass(frozen=True, slots=True, eq=False)
class Followed(Generic[Item_co]):
    """A `Layer`: a base whose rows stay as they are, and after them some of another layer's, which are new.

    Attributes:
        size: How many rows the base has.
        order: Which rows of the news stand after them, in this order.
    """

    base: Layer[Item_co]
    size: int
    news: Layer[Item_co]
    order: NDArray[np.int64]

    @property
    def index(self) -> Postings | None:
        return None  # both are asked

    @property
    def vectors(self) -> SpreadVectors:
        return SpreadVectors.join([self.base.vectors, self.news.vectors.take(self.order)])

    @property
    def nbytes(self) -> int:
        return self.order.nbytes

    def postings(self, term: str) -> tuple[Rows, Counts]:
        rows, counts = self.base.postings(term)
        new, more = self.news.postings(term)
        if not len(new):
            return rows, counts
        places = (self.order.argsort()[new] + self.size).astype(np.int32)
        order = places.argsort()
        return np.concatenate((rows, places[order])), np.concatenate((counts, more[order]))

    def item(self, row: int) -> Item_co:
        return self.base.item(row) if row < self.size else self.news.item(int(self.order[row - self.size]))


def last_of_each(keys: NDArray[Any]) -> NDArray[np.int64]:
    """Return where each key stands last, in the order of the keys."""
    order = keys.argsort(kind="stable")
    ordered = keys[order]
    is_last = np.concatenate((ordered[1:] != ordered[:-1], [True])) if len(ordered) else np.empty(0, np.bool_)
    return order[is_last]


def stack_columns(tables: Sequence[tuple[NDArray[Any], ...]]) -> list[Any]:
    """The columns of tables of one shape, one under another."""
    return [np.concatenate(columns) for columns in zip(*tables, strict=True)]


def take_rows(table: tuple[NDArray[Any], ...], order: NDArray[Any]) -> list[Any]:
    """The columns of a table with only these rows, in this order."""
    return [column[order] for column in table]
