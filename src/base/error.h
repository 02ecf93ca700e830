/* The thread's error record, and the way internal code reports into it. */
#ifndef WN_CORE_ERROR_H
#define WN_CORE_ERROR_H
#include "base/api.h"

/* Records the failure of `op` (unless an earlier one stands) and returns code. fmt as printf's. */
wn_status wn__fail(wn_status code, const char *op, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* A remark of `op`, which goes on: for the program's warning hook. The message is as torch has it, "var(): ...". */
void wn__warn(const char *op, bool once, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* A tensor or other memory could not be had: says that memory is short, or why the handle that was asked for last cannot be. */
wn_status wn__fail_memory(const char *op);
wn_tensor *wn__bad_memory(const char *op); /* the same, returning the bad tensor */
/* The same, returning the bad tensor: `return wn__bad(WN_E_VALUE, "stack", "...")`. */
#define wn__bad(...) (wn__fail(__VA_ARGS__), &wn__bad_tensor)
extern wn_tensor wn__bad_tensor;

/* A short description of a tensor for messages, in one of a few rotating thread-local buffers. */
const char *wn__desc(const wn_tensor *t);
const char *wn__dims_text(const int64_t *v, int n); /* "[2, 3]", same buffers */
#endif
