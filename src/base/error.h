/* The thread's error record, and the way internal code reports into it. */
#ifndef WN_BASE_ERROR_H
#define WN_BASE_ERROR_H
#include "base/api.h"

/* Records the failure of `op` (unless an earlier one stands) and returns code. fmt as printf's. */
wn_status wn__fail(wn_status code, const char *op, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* A remark of `op`, which goes on: for the program's warning hook. The message is as torch has it, "var(): ...". */
void wn__warn(const char *op, bool once, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* A tensor or other memory could not be had: says that memory is short, or why the handle that was asked for last cannot be. */
wn_status wn__fail_memory(const char *op);

/* Texts for messages lie in a few buffers of the thread's that are used in turn, so that one message can describe several operands. */
char *wn__text_buffer(size_t *capacity);
const char *wn__dims_text(const int64_t *v, int n); /* "[2, 3]" */
#endif
