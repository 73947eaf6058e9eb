"""The live table as people meet it: real browsers, clicks on what they see, and what they are then shown."""
