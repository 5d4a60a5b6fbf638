"""What was written to a log."""

import io
import json


class Log:
    """What was written."""

    def __init__(self):
        self.stream = io.StringIO()

    @property
    def text(self):
        return self.stream.getvalue()

    @property
    def lines(self):
        return [json.loads(line) for line in self.text.splitlines()]

    @property
    def only(self):
        (line,) = self.lines
        return line
