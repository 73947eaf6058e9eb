"""The games that ship with Turnwright; each is found by its entry point, as one from another package is."""
