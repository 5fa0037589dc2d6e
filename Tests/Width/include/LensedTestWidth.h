/// Nothing to call: linking this target is what sets the width. See `LensedTestWidth.c`.
