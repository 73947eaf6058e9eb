"""What all tests share: the folder with the small scenes is importable, and what could not run is said aloud."""

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """One line for each reason that a test gives loudly for not having run."""
    skipped = [str(report.longrepr) for report in terminalreporter.stats.get("skipped", ())]
    for reason in dict.fromkeys(text[text.index("!!!") : text.rindex("!!!") + 3] for text in skipped if "!!!" in text):
        terminalreporter.write_line(reason, red=True, bold=True)
