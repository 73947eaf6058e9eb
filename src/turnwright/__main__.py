"""`python -m turnwright` is the command line."""

from turnwright.cli import main

main()
