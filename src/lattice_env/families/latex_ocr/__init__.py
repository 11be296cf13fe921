"""LaTeX OCR: a picture of a formula is shown, its LaTeX is asked for, in one step.

::

    grammar, papers ─▶ corpus (splits) ─▶ render ─▶ folder ─▶ source ─▶ episode ─▶ reward
                                                              source ─▶ make ─▶ task package

The reward is `lattice_env.verifier.transcription`; the server and its clients are `lattice_env.adapters.latex_ocr`.
"""
