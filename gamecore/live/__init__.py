"""The kernels for the book's pages: compiled to WebAssembly when the book's kernels change.

A reader who doubts a number recomputes it in the page, by the kernels that made it. This package is
the way there. Nothing else imports it, and a page needs only what it leaves in
``book/_static/live``: a module for each game, and a JSON file, which says what is in it.

``entries``
    Kernels that a page can call: they take numbers and arrays, and call the games' kernels.
``plans``
    How each experiment's cells are recomputed by them (`gamecore.live.plan`).
``build``, ``link``, ``runtime.ll``
    From these kernels to modules: ``python -m gamecore.live.build``.
``engine``
    A page without a browser, for tests and measurements.
"""
