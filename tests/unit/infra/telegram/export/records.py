"""Records of one export, read."""

from infra.telegram.export import MessageReader
from tests.support.telegram.export import CHAT


def read(*records, **more):
    reader = MessageReader(CHAT, **more)
    return [reader.read(record) for record in records]


def one(record, **more):
    (message,) = read(record, **more)
    return message
