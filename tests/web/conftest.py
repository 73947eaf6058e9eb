"""What all tests of the live table share: measurements and their players are importable."""

import sys
from pathlib import Path

import pytest

for needed in ("fastapi", "httpx", "sqlalchemy", "uvicorn"):
    pytest.importorskip(needed, reason="the live table needs turnwright[table]")

sys.path.insert(0, str(Path(__file__).parents[2]))
