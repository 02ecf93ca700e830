/* WINNOW_TRACE: what the library says on stderr while it works, by the words that the variable holds ("programs", "kernels"). */
#ifndef WN_BASE_WATCH_H
#define WN_BASE_WATCH_H
#include <stdbool.h>

/* Does WINNOW_TRACE hold the word? Reads the environment: whoever asks often keeps the answer. */
bool wn__trace_wanted(const char *word);
#endif
