/* The thread's error record, and the way internal code reports into it. */
#ifndef WN_BASE_ERROR_H
#define WN_BASE_ERROR_H
#include "base/api.h"

/* Records the failure of `op` (unless an earlier one stands) and returns code. fmt as printf's. */
wn_status wn__fail(wn_status code, const char *op, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* Passes a warning of `op`, which then continues, to the program's warning hook. Texts are torch's: "var(): ...". */
void wn__warn(const char *op, bool once, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* Memory or a handle was not to be had: records "out of memory", or why the handle was refused (wn__thread.refusal). */
wn_status wn__fail_memory(const char *op);

/* Texts for messages lie in a few buffers of the thread, used in turn, so that a message can describe several operands. */
char *wn__text_buffer(size_t *capacity);
const char *wn__dims_text(const int64_t *v, int n); /* "[2, 3]" */
#endif
