"""Contact laws: how hard two outlines push and rub, in physical units. One kind, one file."""
