/* Numbers written as text, read the same in every locale and rounded once. */
#ifndef WN_IO_TEXT_NUMBER_H
#define WN_IO_TEXT_NUMBER_H
#include <locale.h>
#include <stdbool.h>
#include <stddef.h>
#include "base/api.h"

typedef enum wn__text_kind { WN__TEXT_GOOD, WN__TEXT_NO_NUMBER, WN__TEXT_NO_INTEGER, WN__TEXT_TOO_LARGE } wn__text_kind;

/* The text of n bytes, with a 0 behind it, as one element of the dtype (f32, f64, an integer type or bool). c: the locale "C". Floats are
 * digits with a point and an exponent, inf, infinity or nan; integers digits; bools 0, 1, true, false. Capitals do not matter. */
wn__text_kind wn__text_number(const char *text, size_t n, wn_dtype dtype, locale_t c, void *element);
#endif
