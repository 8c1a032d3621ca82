import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(params=["sync", "async"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(autouse=True)
def only_documents(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fake answers documents; others ask as they would."""
    if request.module.__name__ not in ("test_server", "test_arrow"):
        monkeypatch.setattr("catchment._arrow.is_installed", lambda: False)
