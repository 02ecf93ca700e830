#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* strtod_l */
#endif
#include "io/text_number.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A decimal number: mantissa * 10^exponent, when the mantissa is whole (not: digits behind the 19th were other than 0). */
typedef struct decimal {
    bool negative, whole;
    uint64_t mantissa;
    int64_t exponent;
} decimal;

static const char *digits(const char *s, decimal *d, int *significant, int *seen, bool fraction) {
    for (; *s >= '0' && *s <= '9'; s++, *seen = 1) {
        if (*significant || *s != '0') ++*significant;
        if (*significant <= 19) {
            d->mantissa = d->mantissa * 10 + (uint64_t)(*s - '0');
            d->exponent -= fraction;
        } else {
            d->whole &= *s == '0';
            d->exponent += !fraction;
            *significant = 20; /* a file may have more digits than an int has numbers */
        }
    }
    return s;
}

static bool exponent(const char *s, const char *end, decimal *d) {
    const bool negative = *s == '-';
    if (*s == '-' || *s == '+') s++;
    int64_t e = 0;
    if (s == end) return false;
    for (; *s >= '0' && *s <= '9'; s++)
        if (e < 1000000) e = e * 10 + (*s - '0');
    d->exponent += negative ? -e : e;
    return s == end;
}

static bool read_decimal(const char *s, const char *end, decimal *d) {
    int significant = 0, seen = 0;
    d->whole = true;
    d->negative = *s == '-';
    if (*s == '-' || *s == '+') s++;
    s = digits(s, d, &significant, &seen, false);
    if (*s == '.') s = digits(s + 1, d, &significant, &seen, true);
    if (!seen) return false;
    return s == end || ((*s == 'e' || *s == 'E') && exponent(s + 1, end, d));
}

/* inf, infinity, nan with a sign or without. */
static bool read_special(const char *s, double *out) {
    const double sign = *s == '-' ? -1 : 1;
    if (*s == '-' || *s == '+') s++;
    const bool inf = !strcasecmp(s, "inf") || !strcasecmp(s, "infinity");
    if (!inf && strcasecmp(s, "nan")) return false;
    *out = inf ? sign * (double)INFINITY : (double)NAN;
    return true;
}

/* Both factors exact: one rounding. Otherwise the C library's function, which rounds once, too, and takes longer. */
static double to_double(const decimal *d, const char *text, locale_t c) {
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (!d->whole || d->mantissa > (uint64_t)1 << 53 || d->exponent < -22 || d->exponent > 22) return strtod_l(text, NULL, c);
    const double m = (double)d->mantissa, v = d->exponent < 0 ? m / powers[-d->exponent] : m * powers[d->exponent];
    return d->negative ? -v : v;
}

/* The double is the decimal number rounded; rounding it again gives what rounding once does, but where it lies in the middle of two floats
 * or its float has fewer bits. */
static float to_float(double v, const char *text, locale_t c) {
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    const bool middle = (bits & 0x1fffffff) == 0x10000000, small = v != 0 && fabs(v) < 2 * (double)FLT_MIN;
    return middle || small ? strtof_l(text, NULL, c) : (float)v;
}

static wn__text_kind read_float(const char *text, size_t n, wn_dtype dtype, locale_t c, void *element) {
    decimal d = {0};
    double v;
    const bool number = read_decimal(text, text + n, &d);
    if (number) v = to_double(&d, text, c);
    else if (!read_special(text, &v)) return WN__TEXT_NO_NUMBER;
    const float f = number ? to_float(v, text, c) : (float)v;
    if (dtype == WN_F64) memcpy(element, &v, sizeof v);
    else memcpy(element, &f, sizeof f);
    return WN__TEXT_GOOD;
}

static wn__text_kind read_integer(const char *text, size_t n, int64_t low, int64_t high, int64_t *out) {
    const char *s = text, *end = text + n;
    const bool negative = *s == '-';
    if (*s == '-' || *s == '+') s++;
    if (s == end) return WN__TEXT_NO_NUMBER;
    int64_t v = 0;
    bool over = false;
    for (; *s >= '0' && *s <= '9'; s++) {
        const int digit = *s - '0';
        over |= __builtin_mul_overflow(v, (int64_t)10, &v) || __builtin_add_overflow(v, (int64_t)(negative ? -digit : digit), &v);
    }
    double any;
    decimal d = {0};
    if (s != end) return read_decimal(text, end, &d) || read_special(text, &any) ? WN__TEXT_NO_INTEGER : WN__TEXT_NO_NUMBER;
    *out = v;
    return over || v < low || v > high ? WN__TEXT_TOO_LARGE : WN__TEXT_GOOD;
}

static wn__text_kind read_bool(const char *text, uint8_t *out) {
    const bool yes = !strcmp(text, "1") || !strcasecmp(text, "true");
    *out = yes;
    return yes || !strcmp(text, "0") || !strcasecmp(text, "false") ? WN__TEXT_GOOD : WN__TEXT_NO_NUMBER;
}

wn__text_kind wn__text_number(const char *text, size_t n, wn_dtype dtype, locale_t c, void *element) {
    if (dtype == WN_F32 || dtype == WN_F64) return read_float(text, n, dtype, c, element);
    if (dtype == WN_BOOL) return read_bool(text, element);
    const size_t size = wn_dtype_size(dtype);
    const int64_t high = dtype == WN_U8 ? UINT8_MAX : size == 8 ? INT64_MAX : ((int64_t)1 << (8 * size - 1)) - 1;
    int64_t v = 0;
    const wn__text_kind kind = read_integer(text, n, dtype == WN_U8 ? 0 : -high - 1, high, &v);
    memcpy(element, &v, size); /* little-endian: the low bytes come first */
    return kind;
}
