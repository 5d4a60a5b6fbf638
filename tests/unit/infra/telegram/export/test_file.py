"""The file that Telegram Desktop exports: read in order, broken or not, in bounded memory."""

import json
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.telegram.export import Export, ExportError, MessageReader
from tests.support.telegram.export import CHAT, NUMBER, export_of, exported, talk, written

ACCOUNT = {"about": "Here is the data you requested", "chats": {"list": [export_of(talk(3))]}}


def all_of(path):
    with Export(path) as export:
        return export.chat, list(export.messages(MessageReader(export.chat.chat_id or 1)))


def test_a_file_is_read_in_order_also_when_its_head_comes_last(tmp_path):
    chat, messages = all_of(written(tmp_path, talk(30)))
    assert (chat.chat_id, chat.title) == (CHAT, "Друзі")
    assert [m.message_id for m in messages] == list(range(1, 31))
    backwards = tmp_path / "backwards.json"
    backwards.write_text(json.dumps(dict(reversed(export_of(talk(3)).items()))))
    assert all_of(backwards) == (chat, messages[:3])


def test_a_byte_order_mark_and_telegrams_own_escapes_are_read(tmp_path):
    path = tmp_path / "result.json"
    text = json.dumps(export_of([exported(1, "a\\x41 @@ \\\\"), exported(2, "б")]), ensure_ascii=False)
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("@@", "\\x0B\\x1f").encode())
    assert [m.text for m in all_of(path)[1]] == ["a\\x41 \x0b\x1f \\\\", "б"]


@given(st.lists(st.sampled_from(["\\", '"', "x", "0", "B", "u", "я", "@"]), max_size=60), st.integers(8, 24))
def test_escapes_are_mended_wherever_the_blocks_end(letters, size):
    from io import BytesIO

    from infra.telegram.export.file import _Source

    written_ = json.dumps("".join(letters), ensure_ascii=False).replace("@", "\\x0B").encode()
    source = _Source(BytesIO(written_))
    read_ = b"".join(iter(lambda: source.read(size), b""))
    assert json.loads(read_) == "".join(letters).replace("@", "\x0b")


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "ends in the middle"),
        (b"nope", "is not JSON, near byte 4 of 4"),
        (b"[1]", "not the export of one chat"),
        (b'"text"', "not the export of one chat"),
        (b'{"messages": []}', "not the export of one chat (its type is ''"),
        (b'{"type": {"a": 1}, "messages": []}', "not the export of one chat"),
        (b'{"name": "x", "ty', "ends in the middle"),
        (json.dumps(ACCOUNT).encode(), "the export of a whole account; export one group"),
        (b'\xff\xfe{"a": 1}', "is not JSON"),
    ],
)
def test_what_is_no_export_is_refused_in_one_sentence(tmp_path, content, complaint):
    path = tmp_path / "result.json"
    path.write_bytes(content)
    with pytest.raises(ExportError) as refused:
        Export(path)
    assert complaint in str(refused.value)
    assert str(refused.value).startswith(str(path))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("keep", [0.3, 0.6, 0.99])
def test_of_a_file_that_is_cut_off_everything_before_is_read_and_the_place_is_said(tmp_path, keep):
    whole = written(tmp_path, talk(500))
    cut = tmp_path / "cut.json"
    cut.write_bytes(whole.read_bytes()[: int(whole.stat().st_size * keep)])
    messages = []
    with Export(cut) as export, pytest.raises(ExportError) as broken:
        messages.extend(export.messages(MessageReader(CHAT)))
    assert len(messages) > 500 * keep - 10
    assert [m.message_id for m in messages] == list(range(1, len(messages) + 1))
    assert f"ends in the middle after message {len(messages)} (number {len(messages)} of the file)" in str(broken.value)


def test_garbage_in_the_middle_is_told_with_the_last_message(tmp_path):
    path = tmp_path / "result.json"
    path.write_text(json.dumps(export_of(talk(3))).replace('"id": 3', '"id": }'))
    with Export(path) as export, pytest.raises(ExportError, match="is not JSON after message 2"):
        list(export.messages(MessageReader(NUMBER)))


@pytest.mark.parametrize("deep", [b"[", b'{"a":', b'[{"text":'])
def test_brackets_without_end_take_no_memory(tmp_path, deep):
    path = tmp_path / "result.json"
    path.write_bytes(b'{"name": "x", "type": "private_group", "id": 5, "messages": [' + deep * 50_000)
    with Export(path) as export, pytest.raises(ExportError, match="nested 101 deep after the beginning"):
        all_of_open(export)
    path.write_bytes(b'{"messages": ' + deep * 50_000)
    with pytest.raises(ExportError, match="nested 101 deep"):
        Export(path)


def all_of_open(export):
    return list(export.messages(MessageReader(CHAT)))


def test_memory_does_not_grow_with_the_file(tmp_path):
    def peak(count):
        path = written(tmp_path, [])
        with path.open("w") as file:
            file.write('{"name": "x", "type": "private_supergroup", "id": 5, "messages": [')
            file.write(
                ",".join(json.dumps(exported(n, "слово " * 50), ensure_ascii=False) for n in range(1, count + 1))
            )
            file.write("]}")
        tracemalloc.start()
        with Export(path) as export:
            assert sum(1 for _ in export.messages(MessageReader(-5))) == count
        top = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return top

    assert peak(2_000) < 1.5 * peak(300) < 6_000_000
