"""What the documents show is what happens."""

import doctest
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize("page", ["memory.md", "recall.md"])
def test_the_examples_of_a_page_give_what_it_says(page: str) -> None:
    results = doctest.testfile(str(DOCS / page), module_relative=False)
    assert results.attempted
    assert results.failed == 0
