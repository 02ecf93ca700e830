/* WINNOW_TRACE (watch.h). */
#include "base/watch.h"
#include <stdlib.h>
#include <string.h>

bool wn__trace_wanted(const char *word) {
    const char *t = getenv("WINNOW_TRACE");
    return t && strstr(t, word) != NULL;
}
