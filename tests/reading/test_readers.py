from pathlib import Path

import bot.reading
from bot.evidence import Evidence
from bot.reading.readers import READERS, reader_of

FOLDER = Path(bot.reading.__file__).parent


def test_every_file_that_reads_lines_stands_in_the_table() -> None:
    readers = {
        ".".join(path.relative_to(FOLDER).with_suffix("").parts)
        for path in FOLDER.rglob("*.py")
        if "\ndef read(lines: Sequence[Line]) -> Evidence:" in path.read_text(encoding="utf-8")
    }

    assert readers == set(READERS)


def test_no_reader_sees_anything_in_nothing() -> None:
    assert {name: Evidence() for name in READERS} == {name: reader_of(name)([]) for name in READERS}
