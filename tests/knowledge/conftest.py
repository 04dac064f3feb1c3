import pytest

from bot.catalog.load import Knowledge, load_knowledge


@pytest.fixture(scope="session")
def knowledge() -> Knowledge:
    return load_knowledge()
