"""The card of the chapter on rock-paper-scissors."""

TITLE = "A first experiment"
PAPER = "a practice report on rock-paper-scissors"
SHOWS = "the shortest chapter, the template for one more paper"
TEXT = """
Rock-paper-scissors through the same rooms: the shortest way to see how the book works, and the
template for one more paper.
"""
