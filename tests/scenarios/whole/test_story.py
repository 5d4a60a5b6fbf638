"""The READMEs' story and pictures are what happens."""

import logging
from xml.etree import ElementTree as ET

import pytest

from tests.transcript.__main__ import READMES, readme

REMEDY = "write it anew: python -m tests.transcript"


@pytest.mark.usefixtures("logging_restored")
@pytest.mark.parametrize("language", READMES)
async def test_a_readme_tells_and_draws_what_happens_now(language):
    logging.disable(logging.ERROR)
    for path, text in (await readme(language)).items():
        assert path.read_text("utf-8") == text, REMEDY
        if path.suffix == ".svg":
            ET.fromstring(text)
        else:
            assert "✦" in text
