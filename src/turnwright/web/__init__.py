"""The live table: one process that people join with a browser, and that keeps what it has acknowledged.

`store` writes to disk, `live` plays one table, `hall` holds all tables of a process, `views` makes what a seat is
shown, and `app` speaks HTTP. Nothing in here knows a rule of a game.
"""
