"""What all tests share: the folder with the small scenes is importable."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
