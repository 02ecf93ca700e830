"""Where the module differs from torch on purpose.

By module name, a list of (entry, kind, dtype, reason); the first three are glob patterns (dtype "-" for checks that
have none). A failed check that matches is counted as a deviation. An item that no failed check needs any more is an
error.
"""

DEVIATIONS = {
    "winnow": [
    ],
}
