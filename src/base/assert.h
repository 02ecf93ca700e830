/* What the code takes for granted, written so that checked builds verify it: counts are not negative, indices in range,
 * links consistent, memory without overlap. What a caller of the library can get wrong is an error instead. */
#ifndef WN_BASE_ASSERT_H
#define WN_BASE_ASSERT_H

#if defined(WN_CHECKED) && WN_CHECKED
/* Says which assertion does not hold and aborts: the library's only abort, and only in checked builds. */
void wn__assert_failed(const char *file, int line, const char *function, const char *condition) __attribute__((noreturn, cold, noinline));
#define WN_ASSERT(condition) ((condition) ? (void)0 : wn__assert_failed(__FILE__, __LINE__, __func__, #condition))
/* A function that consists of assertions, and is there in checked builds only. */
#define WN_ASSERT_ALL(call) (call)
#else
/* Compiled, so that it cannot go stale, but never evaluated. */
#define WN_ASSERT(condition) ((void)sizeof((condition) ? 1 : 0))
#define WN_ASSERT_ALL(call) ((void)0)
#endif
#endif
