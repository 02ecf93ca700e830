/* The naive side: elements one at a time, dtypes by arithmetic, pointwise rows as scalar functions of libm. Nothing here is
 * shared with the engine but the text of the rows' expressions. */
#include "table.h"
#include <math.h>
/* not every function and operand is used by some row */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-function"

/* ------------------------------------------------------------------ elements */

int64_t element_at(const wn_tensor *t, int64_t i) {
    int64_t at = wn_storage_offset(t);
    for (int d = wn_ndim(t) - 1; d >= 0; d--) {
        int64_t n = wn_size(t, d);
        at += i % n * wn_stride(t, d);
        i /= n;
    }
    return at;
}

static char *address(const wn_tensor *t, int64_t i) {
    return (char *)wn_data((wn_tensor *)(uintptr_t)t) + (element_at(t, i) - wn_storage_offset(t)) * (int64_t)wn_dtype_size(wn_dtype_of(t));
}

static double half_value(unsigned bits, int exponent_bits, int mantissa_bits) {
    unsigned mantissa = bits & ((1u << mantissa_bits) - 1), e = bits >> mantissa_bits & ((1u << exponent_bits) - 1);
    int bias = (1 << (exponent_bits - 1)) - 1;
    double sign = bits >> 15 ? -1 : 1;
    if (e == (1u << exponent_bits) - 1) return mantissa ? NAN : sign * INFINITY;
    if (e == 0) return sign * ldexp(mantissa, 1 - bias - mantissa_bits);
    return sign * ldexp(1.0 + ldexp(mantissa, -mantissa_bits), (int)e - bias);
}
static unsigned half_bits(double x, int exponent_bits, int mantissa_bits) {
    unsigned sign = signbit(x) ? 0x8000u : 0, top = ((1u << exponent_bits) - 1) << mantissa_bits;
    if (isnan(x)) return top | 1u << (mantissa_bits - 1);
    int bias = (1 << (exponent_bits - 1)) - 1, e;
    x = fabs(x);
    if (isinf(x)) return sign | top;
    frexp(x, &e); /* x in [2^(e-1), 2^e) */
    if (e - 1 < 1 - bias) e = 2 - bias;
    double units = rint(ldexp(x, mantissa_bits - (e - 1))); /* to even */
    unsigned bits = units < ldexp(1, mantissa_bits) ? (unsigned)units /* subnormal */
                                                    : (unsigned)((e - 1 + bias) * (1 << mantissa_bits)) + (unsigned)units - (1u << mantissa_bits);
    return sign | (bits > top ? top : bits);
}

double get_f(const wn_tensor *t, int64_t i) {
    const char *p = address(t, i);
    float f;
    double d;
    uint16_t h;
    switch (wn_dtype_of(t)) {
    case WN_F32: memcpy(&f, p, 4); return (double)f;
    case WN_F64: memcpy(&d, p, 8); return d;
    case WN_F16: memcpy(&h, p, 2); return half_value(h, 5, 10);
    case WN_BF16: memcpy(&h, p, 2); return half_value(h, 8, 7);
    default: return (double)get_i(t, i);
    }
}
int64_t get_i(const wn_tensor *t, int64_t i) {
    const char *p = address(t, i);
    int16_t h;
    int32_t w;
    int64_t l;
    switch (wn_dtype_of(t)) {
    case WN_I8: return (signed char)*p;
    case WN_U8: return (unsigned char)*p;
    case WN_BOOL: return *p != 0;
    case WN_I16: memcpy(&h, p, 2); return h;
    case WN_I32: memcpy(&w, p, 4); return w;
    case WN_I64: memcpy(&l, p, 8); return l;
    default: {
        double x = get_f(t, i);
        return x >= -0x1p63 && x < 0x1p63 ? (int64_t)x : INT64_MIN;
    }
    }
}
void put(const wn_tensor *t, int64_t i, double x, int64_t n) {
    char *p = address(t, i);
    float f = (float)x;
    uint16_t h;
    switch (wn_dtype_of(t)) {
    case WN_F32: memcpy(p, &f, 4); break;
    case WN_F64: memcpy(p, &x, 8); break;
    case WN_F16: h = (uint16_t)half_bits(x, 5, 10); memcpy(p, &h, 2); break;
    case WN_BF16: h = (uint16_t)half_bits(x, 8, 7); memcpy(p, &h, 2); break;
    case WN_BOOL: *p = n != 0; break;
    default: memcpy(p, &n, wn_dtype_size(wn_dtype_of(t))); /* little-endian: the low bytes */
    }
}

double round_to(wn_dtype d, double x) {
    if (d == WN_F32) return (double)(float)x;
    if (d == WN_F16) return half_value(half_bits(x, 5, 10), 5, 10);
    if (d == WN_BF16) return half_value(half_bits(x, 8, 7), 8, 7);
    return x;
}
int64_t wrap_to(wn_dtype d, int64_t x) {
    switch (d) {
    case WN_I8: return (int8_t)x;
    case WN_I16: return (int16_t)x;
    case WN_I32: return (int32_t)x;
    case WN_U8: return (uint8_t)x;
    case WN_BOOL: return x != 0;
    default: return x;
    }
}
double spacing(wn_dtype d, double x) {
    static const int digits[] = {[WN_F32] = 24, [WN_F64] = 53, [WN_F16] = 11, [WN_BF16] = 8};
    static const int lowest[] = {[WN_F32] = -126, [WN_F64] = -1022, [WN_F16] = -14, [WN_BF16] = -126};
    int e;
    if (!isfinite(x)) return 0;
    frexp(x, &e);
    if (x == 0 || e - 1 < lowest[d]) e = lowest[d] + 1;
    return ldexp(1, e - digits[d]);
}

bool same_bits(const wn_tensor *a, const wn_tensor *b) {
    if (wn_dtype_of(a) != wn_dtype_of(b) || wn_ndim(a) != wn_ndim(b)) return false;
    for (int d = 0; d < wn_ndim(a); d++)
        if (wn_size(a, d) != wn_size(b, d)) return false;
    size_t size = wn_dtype_size(wn_dtype_of(a));
    bool plain = wn_is_contiguous(a) && wn_is_contiguous(b);
    if (wn_numel(a) == 0) return true;
    if (plain && !memcmp(address(a, 0), address(b, 0), size * (size_t)wn_numel(a))) return true;
    for (int64_t i = 0; i < wn_numel(a); i++)
        if (memcmp(address(a, i), address(b, i), size) && !(isnan(get_f(a, i)) && isnan(get_f(b, i)))) return false;
    return true;
}

/* ------------------------------------------------------------------ mathematics in long double */

typedef long double ld;
static ld ld_abs(ld x) { return fabsl(x); }
static ld ld_round(ld x) { return nearbyintl(x); }
static ld ld_rsqrt(ld x) { return 1 / sqrtl(x); }
static ld ld_frac(ld x) { return x - truncl(x); }
static ld ld_sinc(ld x) { return x == 0 ? 1 : x == rintl(x) && !isinf(x) ? 0 : sinl(3.141592653589793238462643L * fmodl(x, 2)) / (3.141592653589793238462643L * x); }
static ld ld_sigmoid(ld x) { return x >= 0 ? 1 / (1 + expl(-x)) : expl(x) / (1 + expl(x)); }
static ld ld_softplus(ld x) { return (x > 0 ? x : 0) + log1pl(expl(-fabsl(x))) + (x != x ? x : 0); }
static ld ld_log_sigmoid(ld x) { return -ld_softplus(-x); }
static ld ld_gelu(ld x) { return x == -INFINITY ? -0.0L /* the limit; torch gives NaN */ : 0.5L * x * erfcl(-0.7071067811865475244008444L * x); }
static ld ld_gelu_grad(ld x) {
    if (isinf(x)) return x > 0 ? 1 : -0.0L; /* the limit, again */
    return 0.5L * erfcl(-0.7071067811865475244008444L * x) + x * (0.3989422804014326779399461L * expl(-0.5L * x * x));
}
static ld ld_gelu_tanh(ld x) {
    if (x == -INFINITY) return -0.0L; /* the limit; torch gives NaN */
    ld u = 0.79788456080286535587989L * (x + 0.044715L * x * x * x);
    return x * ld_sigmoid(2 * u);
}
static ld ld_silu(ld x) { return x * ld_sigmoid(x); }
static ld ld_mish(ld x) { return x == -INFINITY ? -0.0L /* the limit; torch gives NaN */ : x * tanhl(ld_softplus(x)); }
static ld ld_erfinv(ld y) {
    if (!(y > -1 && y < 1)) return y == 1 ? INFINITY : y == -1 ? -INFINITY : NAN;
    if (fabsl(y) < 1e-6L) return y * 0.886226925452758013649L * (1 + 0.2617993877991494L * y * y);
    ld lo = -8, hi = 8; /* bisection, then Newton */
    for (int i = 0; i < 40; i++) {
        ld mid = (lo + hi) / 2;
        if (y < 0 ? erfcl(-mid) - 1 < y : 1 - erfcl(mid) < y) lo = mid;
        else hi = mid;
    }
    ld x = (lo + hi) / 2;
    for (int i = 0; i < 4; i++) {
        ld off = y > 0.5L ? (1 - y) - erfcl(x) : y < -0.5L ? erfcl(-x) - (1 + y) : erfl(x) - y; /* erf(x) - y */
        x -= off / (1.128379167095512573896L * expl(-x * x));
    }
    return x;
}
static ld ld_digamma(ld x) {
    if (x == 0) return copysignl(INFINITY, -x);
    if (x < 0) return x == floorl(x) ? NAN : ld_digamma(1 - x) - 3.141592653589793238462643L / tanl(3.141592653589793238462643L * (x - floorl(x)));
    ld r = 0;
    while (x < 20) { r -= 1 / x; x += 1; }
    ld z = 1 / (x * x);
    return r + logl(x) - 0.5L / x - z * (1.L / 12 - z * (1.L / 120 - z * (1.L / 252 - z * (1.L / 240 - z * (5.L / 660 - z * 691.L / 32760)))));
}
static ld ld_remainder(ld x, ld y) {
    ld m = fmodl(x, y);
    return m != 0 && (m < 0) != (y < 0) ? m + y : m;
}
static ld ld_logaddexp(ld x, ld y) {
    if (x == y) return x + 0.6931471805599453094172321L;
    return fmaxl(x, y) + log1pl(expl(-fabsl(x - y))) + (x != x || y != y ? NAN : 0);
}
static ld ld_logaddexp2(ld x, ld y) {
    if (x == y) return x + 1;
    return fmaxl(x, y) + 1.442695040888963407359925L * log1pl(exp2l(-fabsl(x - y))) + (x != x || y != y ? NAN : 0);
}
static ld ld_xlogy(ld x, ld y) { return y != y ? y : x == 0 ? 0 : x * logl(y); }
static ld ld_xlog1py(ld x, ld y) { return y != y ? y : x == 0 ? 0 : x * log1pl(y); }
static ld ld_floor_divide(ld x, ld y) {
    if (y == 0) return x / y;
    ld mod = fmodl(x, y), q = (x - mod) / y; /* an integer, as near as long double tells */
    if (mod != 0 && (y < 0) != (mod < 0)) q -= 1;
    return q == 0 ? copysignl(0, x / y) : rintl(q);
}
static ld ld_logit(ld x) { return x >= 0.25L && x <= 0.75L ? log1pl((2 * x - 1) / (1 - x)) : logl(x / (1 - x)); }
static ld zeta_from(ld s, ld q) { /* q > 0, by many terms and the integral of the rest */
    ld sum = 0;
    while (q < 40 + s) { ld t = powl(q, -s); sum += t; q += 1; if (!(t > sum * 1e-25L)) return sum; }
    ld last = powl(q, -s), z = 1 / (q * q);
    return sum + last * (q / (s - 1) + 0.5L + s / (12 * q) - s * (s + 1) * (s + 2) * z / (720 * q) +
                         s * (s + 1) * (s + 2) * (s + 3) * (s + 4) * z * z / (30240 * q) -
                         s * (s + 1) * (s + 2) * (s + 3) * (s + 4) * (s + 5) * (s + 6) * z * z * z / (1209600 * q));
}
static ld ld_zeta(ld s, ld q) {
    if (s != s || q != q) return s + q;
    if (s <= 1) return s == 1 ? INFINITY : NAN;
    if (q > 0) return isinf(q) ? 0 : zeta_from(s, q);
    if (q == floorl(q)) return INFINITY;
    if (s != floorl(s)) return NAN;
    ld sum = 0;
    for (; q < 0; q += 1) sum += powl(q, -s);
    return sum + zeta_from(s, q);
}
static ld ld_polygamma(ld x, ld n) { return (fmodl(n, 2) == 0 ? -1 : 1) * tgammal(n + 1) * ld_zeta(n + 1, x); }
/* Modified Bessel functions: their series, from 100 on the asymptotic one; K by the trapezoidal rule, which is exact for such integrals. */
static ld bessel_i(int n, ld x, bool scaled) {
    ld a = fabsl(x), sum = 0, term;
    if (a != a) return x;
    if (a < 100) {
        term = n ? a / 2 : 1;
        for (int k = 1; sum + term != sum; k++) { sum += term; term *= a * a / 4 / (k * (ld)(k + n)); }
        if (scaled) sum *= expl(-a);
    } else if (isinf(a)) {
        sum = scaled ? 0 : a;
    } else {
        term = 1;
        for (int k = 1; k < 60; k++) { sum += term; term *= -(ld)(4 * n * n - (2 * k - 1) * (2 * k - 1)) / (k * 8 * a); }
        sum *= (scaled ? 1 : expl(a)) / sqrtl(6.283185307179586476925287L * a);
    }
    return n && x < 0 ? -sum : sum;
}
static ld bessel_k(int n, ld x, bool scaled) {
    if (!(x > 0)) return x == 0 ? INFINITY : NAN;
    if (isinf(x)) return 0;
    ld h = x > 1e6L ? 0.25L / sqrtl(x) : 1.L / 32, sum = 0.5L, term = 1;
    for (ld t = h; term > sum * 1e-22L; t += h) { ld s = sinhl(t / 2); sum += term = expl(-2 * x * s * s + (n ? logl(coshl(t)) : 0)); }
    return sum * h * (scaled ? 1 : expl(-x));
}
static ld ld_i0(ld x) { return bessel_i(0, x, false); }
static ld ld_i0e(ld x) { return bessel_i(0, x, true); }
static ld ld_i1(ld x) { return bessel_i(1, x, false); }
static ld ld_i1e(ld x) { return bessel_i(1, x, true); }
static ld ld_modified_bessel_k0(ld x) { return bessel_k(0, x, false); }
static ld ld_modified_bessel_k1(ld x) { return bessel_k(1, x, false); }
static ld ld_scaled_modified_bessel_k0(ld x) { return bessel_k(0, x, true); }
static ld ld_scaled_modified_bessel_k1(ld x) { return bessel_k(1, x, true); }
static ld ld_erfcx(ld x) {
    if (x < 8) return expl(x * x) * erfcl(x);
    ld sum = 0, term = 1, z = 0.5L / x / x;
    for (int k = 1; k < 40; k++) { sum += term; term *= -(2 * k - 1) * z; }
    return sum / x * 0.5641895835477562869480795L;
}
static ld ld_ndtr(ld x) { return 0.5L * erfcl(-0.7071067811865475244008444L * x); }
static ld ld_log_ndtr(ld x) {
    return x > -1 ? log1pl(-ld_ndtr(-x)) : logl(0.5L * ld_erfcx(-0.7071067811865475244008444L * x)) - 0.5L * x * x;
}
static ld ld_ndtri(ld p) { /* bisection */
    if (!(p > 0 && p < 1)) return p == 0 ? -INFINITY : p == 1 ? INFINITY : NAN;
    if (p > 0.5L) return -ld_ndtri(1 - p);
    ld lo = -40, hi = 0;
    for (int i = 0; i < 90; i++) {
        ld mid = (lo + hi) / 2;
        if (ld_ndtr(mid) < p) lo = mid;
        else hi = mid;
    }
    return (lo + hi) / 2;
}
static ld ld_igamma(ld a, ld x) { /* the series alone: for moderate arguments */
    if (!(a >= 0) || !(x >= 0)) return NAN;
    if (a == 0 || x == 0) return x > 0 ? 1 : a > 0 ? 0 : NAN;
    if (isinf(a)) return isinf(x) ? NAN : 0;
    if (x > a + 60 + 20 * sqrtl(a)) return 1;
    ld term = 1, sum = 1;
    for (ld n = a + 1; term > sum * 1e-22L; n += 1) sum += term *= x / n;
    return sum * expl(a * logl(x) - x - lgammal(a + 1));
}
static ld ld_igammac(ld a, ld x) { return 1 - ld_igamma(a, x); }
/* Integrals over a period by the trapezoidal rule; y by libm. */
static ld ld_bessel_j(int n, ld x) {
    ld sum = 0;
    if (isinf(x)) return 0;
    int steps = 64 + (int)(2 * fabsl(x));
    for (int k = 0; k < steps; k++) {
        ld t = 3.141592653589793238462643L * (k + 0.5L) / steps;
        sum += cosl(n * t - x * sinl(t));
    }
    return sum / steps;
}
static ld ld_bessel_j0(ld x) { return ld_bessel_j(0, x); }
static ld ld_bessel_j1(ld x) { return ld_bessel_j(1, x); }
static ld ld_bessel_y0(ld x) { return x < 0 ? NAN : (ld)y0((double)x); }
static ld ld_bessel_y1(ld x) { return x < 0 ? NAN : (ld)y1((double)x); }
static ld ld_spherical_bessel_j0(ld x) { return x == 0 ? 1 : isinf(x) ? 0 : sinl(x) / x; }
static ld ld_airy_ai(ld x) { /* its two power series, moderate x */
    ld f = 0, g = 0, a = 1, b = x;
    for (int k = 0; k < 200; k++) {
        f += a;
        g += b;
        a *= x * x * x / ((3 * k + 2) * (ld)(3 * k + 3));
        b *= x * x * x / ((3 * k + 3) * (ld)(3 * k + 4));
    }
    return 0.355028053887817239260063L * f - 0.258819403792806798405184L * g;
}
/* Polynomials by their explicit sums (Horner's rule from the top term). */
static ld binomial(ld n, int k) {
    ld r = 1;
    for (int i = 1; i <= k; i++) r *= (n - k + i) / i;
    return r;
}
static ld ld_legendre_polynomial_p(ld x, ld degree) { /* sum of (n k)^2 (x-1)^(n-k) (x+1)^k / 2^n */
    int n = (int)degree;
    ld sum = 0;
    for (int k = 0; k <= n; k++) sum += powl(binomial(n, k), 2) * powl((x - 1) / 2, n - k) * powl((x + 1) / 2, k);
    return n < 0 ? 0 : sum;
}
static ld ld_laguerre_polynomial_l(ld x, ld degree) {
    int n = (int)degree;
    ld sum = 0;
    for (int k = 0; k <= n; k++) sum += binomial(n, k) * powl(-x, k) / tgammal(k + 1.0L);
    return n < 0 ? 0 : sum;
}
static ld ld_hermite_polynomial_he(ld x, ld degree) {
    int n = (int)degree;
    ld sum = 0;
    for (int k = 0; 2 * k <= n; k++) sum += (k % 2 ? -1 : 1) * tgammal(n + 1.0L) / (tgammal(k + 1.0L) * tgammal(n - 2 * k + 1.0L)) * powl(x, n - 2 * k) / powl(2, k);
    return n < 0 ? 0 : sum;
}
static ld ld_hermite_polynomial_h(ld x, ld degree) { return powl(2, 0.5L * truncl(degree)) * ld_hermite_polynomial_he(1.414213562373095048801689L * x, degree); }
static ld ld_chebyshev_polynomial_u(ld x, ld degree) {
    int n = (int)degree;
    ld sum = 0;
    for (int k = 0; 2 * k <= n; k++) sum += (k % 2 ? -1 : 1) * binomial(n - k, k) * powl(2 * x, n - 2 * k);
    return n < 0 ? 0 : sum;
}
static ld one_less(ld degree) { return truncl(degree) - 1; }
static ld ld_chebyshev_polynomial_t(ld x, ld n) { return (int)n == 0 ? 1 : n < 0 ? 0 : ld_chebyshev_polynomial_u(x, n) - x * ld_chebyshev_polynomial_u(x, one_less(n)); }
static ld ld_chebyshev_polynomial_v(ld x, ld n) { return n <= -1 ? 0 : ld_chebyshev_polynomial_u(x, n) - ld_chebyshev_polynomial_u(x, one_less(n)); }
static ld ld_chebyshev_polynomial_w(ld x, ld n) { return n <= -1 ? 0 : ld_chebyshev_polynomial_u(x, n) + ld_chebyshev_polynomial_u(x, one_less(n)); }
static ld ld_shifted_chebyshev_polynomial_t(ld x, ld n) { return ld_chebyshev_polynomial_t(2 * x - 1, n); }
static ld ld_shifted_chebyshev_polynomial_u(ld x, ld n) { return ld_chebyshev_polynomial_u(2 * x - 1, n); }
static ld ld_shifted_chebyshev_polynomial_v(ld x, ld n) { return ld_chebyshev_polynomial_v(2 * x - 1, n); }
static ld ld_shifted_chebyshev_polynomial_w(ld x, ld n) { return ld_chebyshev_polynomial_w(2 * x - 1, n); }
#define LD1(f, lf) static ld ld_##f(ld x) { return lf(x); }
LD1(exp, expl) LD1(exp2, exp2l) LD1(expm1, expm1l) LD1(log, logl) LD1(log2, log2l) LD1(log10, log10l) LD1(log1p, log1pl)
LD1(sin, sinl) LD1(cos, cosl) LD1(tan, tanl) LD1(asin, asinl) LD1(acos, acosl) LD1(atan, atanl) LD1(sinh, sinhl) LD1(cosh, coshl)
LD1(tanh, tanhl) LD1(asinh, asinhl) LD1(acosh, acoshl) LD1(atanh, atanhl) LD1(erf, erfl) LD1(erfc, erfcl) LD1(lgamma, lgammal)
LD1(floor, floorl) LD1(ceil, ceill) LD1(trunc, truncl)
static ld ld_pow(ld x, ld y) { return powl(x, y); }
static ld ld_atan2(ld x, ld y) { return atan2l(x, y); }
static ld ld_hypot(ld x, ld y) { return hypotl(x, y); }
static ld ld_fmod(ld x, ld y) { return fmodl(x, y); }
static ld ld_copysign(ld x, ld y) { return copysignl(x, y); }

static ld ld_expm1_below(ld x) { return expm1l(x); }
#define FN1(f)                                                                                        \
    static inline float fn_##f##_f32(float x) { return (float)ld_##f((ld)x); }                        \
    static inline double fn_##f##_f64(double x) { return (double)ld_##f((ld)x); }
#define FN2(f)                                                                                        \
    static inline float fn_##f##_f32(float x, float y) { return (float)ld_##f((ld)x, (ld)y); }        \
    static inline double fn_##f##_f64(double x, double y) { return (double)ld_##f((ld)x, (ld)y); }
FN1(abs) FN1(round) FN1(rsqrt) FN1(frac) FN1(sinc) FN1(sigmoid) FN1(softplus) FN1(log_sigmoid) FN1(gelu) FN1(gelu_grad) FN1(gelu_tanh) FN1(silu) FN1(mish)
FN1(bessel_j0) FN1(bessel_j1) FN1(bessel_y0) FN1(bessel_y1) FN1(spherical_bessel_j0) FN1(airy_ai)
FN1(i0) FN1(i0e) FN1(i1) FN1(i1e) FN1(modified_bessel_k0) FN1(modified_bessel_k1) FN1(scaled_modified_bessel_k0)
FN1(scaled_modified_bessel_k1) FN1(erfcx) FN1(ndtr) FN1(log_ndtr) FN1(ndtri) FN1(logit) FN1(erfinv) FN1(digamma) FN1(exp) FN1(exp2) FN1(expm1) FN1(expm1_below) FN1(log) FN1(log2) FN1(log10) FN1(log1p) FN1(sin) FN1(cos) FN1(tan) FN1(asin) FN1(acos)
FN1(atan) FN1(sinh) FN1(cosh) FN1(tanh) FN1(asinh) FN1(acosh) FN1(atanh) FN1(erf) FN1(erfc) FN1(lgamma) FN1(floor) FN1(ceil) FN1(trunc)
FN2(chebyshev_polynomial_t) FN2(chebyshev_polynomial_u) FN2(chebyshev_polynomial_v) FN2(chebyshev_polynomial_w)
FN2(shifted_chebyshev_polynomial_t) FN2(shifted_chebyshev_polynomial_u) FN2(shifted_chebyshev_polynomial_v)
FN2(shifted_chebyshev_polynomial_w) FN2(hermite_polynomial_h) FN2(hermite_polynomial_he) FN2(laguerre_polynomial_l)
FN2(legendre_polynomial_p) FN2(igamma) FN2(igammac) FN2(zeta) FN2(polygamma) FN2(remainder) FN2(logaddexp) FN2(logaddexp2) FN2(xlogy) FN2(xlog1py) FN2(floor_divide) FN2(pow) FN2(atan2) FN2(hypot) FN2(fmod) FN2(copysign)
static inline float fn_sqrt_f32(float x) { return sqrtf(x); } /* rounded once: there is one right value */
static inline double fn_sqrt_f64(double x) { return sqrt(x); }
static inline double fn_sel_f64(int c, double a, double b) { return c ? a : b; }
static inline float fn_sel_f32(int c, float a, float b) { return c ? a : b; }
static inline double fn_clamp_range_f64(double x, double lo, double hi) { /* hi where lo > hi */
    if (x != x || lo != lo || hi != hi) return (double)NAN;
    if (hi < lo || hi < x) return hi;
    return x < lo ? lo : x;
}
static inline float fn_clamp_range_f32(float x, float lo, float hi) { return (float)fn_clamp_range_f64((double)x, (double)lo, (double)hi); }
static inline float fn_nextafter_f32(float x, float y) { return nextafterf(x, y); }
static inline double fn_nextafter_f64(double x, double y) { return nextafter(x, y); }

static int64_t wn__ipow(int64_t a, int64_t b) { /* by its meaning: the product, or the rounded-down reciprocal's */
    if (b < 0) return a == 1 ? 1 : a == -1 ? (b % 2 ? -1 : 1) : 0;
    if (b == 0) return 1;
    uint64_t half = (uint64_t)wn__ipow(a, b / 2);
    return (int64_t)(b % 2 ? half * half * (uint64_t)a : half * half);
}

static int64_t wn__gcd(int64_t a, int64_t b) { /* the largest that divides both */
    uint64_t x = a < 0 ? 0 - (uint64_t)a : (uint64_t)a, y = b < 0 ? 0 - (uint64_t)b : (uint64_t)b;
    return (int64_t)(y == 0 ? x : (uint64_t)wn__gcd((int64_t)y, (int64_t)(x % y)));
}
static int64_t wn__lcm(int64_t a, int64_t b) {
    int64_t g = wn__gcd(a, b), m = g ? (int64_t)((uint64_t)(a / g) * (uint64_t)b) : 0;
    return m < 0 ? (int64_t)(0 - (uint64_t)m) : m;
}
static int32_t wn__half_step(uint16_t x, uint16_t y) { /* as numbers of sign and magnitude */
    int a = x < 0x8000 ? x : 0x8000 - x, b = y < 0x8000 ? y : 0x8000 - y;
    if (a == b) return y;
    if (a == 0) return b > 0 ? 1 : 0x8001;
    return (a > 0) == (b > a) ? x + 1 : x - 1; /* away from 0, or towards it */
}

/* Integers: by zero 0, what leaves int64 wraps. */
static int64_t fn_div_trunc_i64(int64_t a, int64_t b) { return b == 0 ? 0 : b == -1 ? (int64_t)-(uint64_t)a : a / b; }
static int64_t fn_fmod_i64(int64_t a, int64_t b) { return b == 0 || b == -1 ? 0 : a % b; }
static int64_t fn_remainder_i64(int64_t a, int64_t b) {
    const int64_t r = fn_fmod_i64(a, b);
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}
static int64_t fn_floor_divide_i64(int64_t a, int64_t b) {
    const int64_t q = fn_div_trunc_i64(a, b);
    return fn_fmod_i64(a, b) != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}
static int64_t fn_shift_left_i64(int64_t a, int64_t b) { return b < 0 || b >= 64 ? 0 : (int64_t)((uint64_t)a << b); }
static int64_t fn_shift_right_i64(int64_t a, int64_t b) { return a >> (b < 0 || b >= 64 ? 63 : b); }

/* ------------------------------------------------------------------ the rows */

#define K(x) ((T)(x))
#define REF_CAT_(a, b) a##_##b
#define REF_CAT(a, b) REF_CAT_(a, b)
#define WN_REF(name, ...) static T REF_CAT(ref_##name, CT)(T a, T b, T c, T d) { return (T)(__VA_ARGS__); }

#define WN_REF_REAL
#define T float
#define CT f32
#define FN(f) fn_##f##_f32
#include "reference.inc"
#undef T
#undef CT
#undef FN
#define T double
#define CT f64
#define FN(f) fn_##f##_f64
#include "reference.inc"
#undef T
#undef CT
#undef WN_REF_REAL

#undef FN
#define WN_REF_INT
#define T int64_t
#define CT i64
#define FN(f) fn_##f##_i64
#include "reference.inc"
#undef T
#undef FN
#undef CT
#undef WN_REF_INT

#define WN_REF_BOOL
#define T uint8_t
#define CT b8
#include "reference.inc"
#undef T
#undef CT
#undef WN_REF_BOOL

typedef struct reference {
    const char *name;
    float (*f32)(float, float, float, float);
    double (*f64)(double, double, double, double);
    int64_t (*i64)(int64_t, int64_t, int64_t, int64_t);
    uint8_t (*b8)(uint8_t, uint8_t, uint8_t, uint8_t);
    bool exact;
} reference;
static const reference references[] = {
#define WN_REF_TABLE
#include "reference.inc"
};

static const reference *reference_of(const wn_op *op) {
    for (size_t i = 0; i < sizeof references / sizeof *references; i++)
        if (!strcmp(references[i].name, op->cname)) return &references[i];
    return NULL;
}

/* ------------------------------------------------------------------ promotion and broadcasting */

static const unsigned char promoted[11][11] = {
#include "../data/promote.h"
};
static int category_of(wn_dtype d) { return d == WN_DTYPE_DEFAULT ? 0 : d == WN_BOOL ? 1 : d >= WN_I8 ? 2 : 3; }
static wn_dtype promote2(wn_dtype a, wn_dtype b) { return !a ? b : !b ? a : (wn_dtype)promoted[a][b]; }

/* operand i of the row: a tensor, or a number with its kind */
static const wn_tensor *operand(const sample *s, int i, wn_val *number) {
    const wn_field *f = &s->op->fields[s->op->operands[i]];
    const void *p = s->args + f->offset;
    *number = wn_val_none();
    if (f->kind == WN_K_TENSOR) return *(wn_tensor *const *)p;
    if (f->kind == WN_K_INT) *number = wn_val_of_int(*(const int64_t *)p);
    else if (f->kind == WN_K_FLOAT) *number = wn_val_of_float(*(const double *)p);
    else *number = *(const wn_val *)p;
    if (number->kind == WN_VAL_TENSOR) return number->u.t;
    if (number->kind == WN_VAL_NONE) *number = f->fallback && strchr(f->fallback, '.') ? wn_val_of_float(f->number) : wn_val_of_int((int64_t)f->number);
    return NULL;
}
static double value_f(wn_val v) { return v.kind == WN_VAL_FLOAT ? v.u.f : (double)v.u.i; }
static int64_t value_i(wn_val v) { return v.kind == WN_VAL_FLOAT ? (int64_t)v.u.f : v.u.i; }

static wn_dtype common_type(const sample *s) {
    wn_dtype tier[3] = {0}; /* tensors with dimensions, without, numbers */
    for (int i = 0; i < s->op->noperands; i++) {
        if ((s->op->bool_operands | s->op->plain_operands) >> i & 1) continue;
        wn_val v;
        const wn_tensor *t = operand(s, i, &v);
        int k = !t ? 2 : wn_ndim(t) == 0;
        wn_dtype d = t ? wn_dtype_of(t) : v.kind == WN_VAL_FLOAT ? wn_default_dtype() : v.kind == WN_VAL_INT ? WN_I64 : WN_BOOL;
        tier[k] = promote2(tier[k], d);
    }
    wn_dtype low = category_of(tier[1]) < category_of(tier[2]) ? promote2(tier[1], tier[2]) : tier[1] ? tier[1] : tier[2];
    return category_of(tier[0]) < category_of(low) ? promote2(tier[0], low) : tier[0] ? tier[0] : low;
}

static bool broadcast_shape(const sample *s, naive *n) {
    n->ndim = 0;
    for (int i = 0; i < s->op->noperands; i++) {
        wn_val v;
        const wn_tensor *t = operand(s, i, &v);
        if (t && wn_ndim(t) > n->ndim) n->ndim = wn_ndim(t);
    }
    for (int d = 1; d <= n->ndim; d++) { /* from the last dimension */
        int64_t size = 1;
        for (int i = 0; i < s->op->noperands; i++) {
            wn_val v;
            const wn_tensor *t = operand(s, i, &v);
            if (!t || d > wn_ndim(t)) continue;
            int64_t have = wn_size(t, -d);
            if (have == 1) continue;
            if (size != 1 && size != have) return false;
            size = have;
        }
        n->shape[n->ndim - d] = size;
    }
    return true;
}

/* The element of a broadcast operand that meets element i of the result. */
static int64_t meets(const wn_tensor *t, const naive *n, int64_t i) {
    int64_t at = 0, step = 1;
    for (int d = 1; d <= n->ndim; d++) {
        int64_t size = n->shape[n->ndim - d], index = i % size;
        i /= size;
        if (d > wn_ndim(t)) continue;
        if (wn_size(t, -d) != 1) at += index * step;
        step *= wn_size(t, -d);
    }
    return at;
}

static wn_dtype computed_in(const sample *s, const reference *r, wn_dtype d) {
    bool is_float = category_of(d) == 3;
    switch (s->op->types) {
    case WN__TY_FLOAT: return is_float ? d : wn_default_dtype();
    case WN__TY_FLOAT_ONLY: return is_float ? d : WN_DTYPE_DEFAULT;
    case WN__TY_LOGICAL: return WN_BOOL;
    case WN__TY_BITS: return is_float || (d == WN_BOOL && !r->b8) ? WN_DTYPE_DEFAULT : d;
    case WN__TY_NUMBER: {
        bool mask = false; /* sub refuses one on either side */
        for (int i = 0; i < s->nmade; i++) mask |= wn_dtype_of(s->made[i]) == WN_BOOL;
        return d == WN_BOOL || (mask && (!strcmp(s->op->name, "sub") || !strcmp(s->op->name, "rsub"))) ? WN_DTYPE_DEFAULT : d;
    }
    case WN__TY_COUNTS: return d == WN_BOOL ? WN_I64 : d;
    default: return !is_float && !r->i64 && !(d == WN_BOOL && r->b8) ? WN_DTYPE_DEFAULT : d;
    }
}

bool naive_prepare(const sample *s, naive *n) {
    const reference *r = reference_of(s->op);
    if (!r) return false;
    wn_dtype d = computed_in(s, r, common_type(s));
    if (!d || !broadcast_shape(s, n)) return false;
    for (int i = 0; i < s->op->noperands; i++) { /* a fraction cannot be the alpha of an integer operation; elsewhere it is cut off */
        wn_val v;
        if (operand(s, i, &v) || !(s->op->plain_operands >> i & 1) || category_of(d) == 3) continue;
        if (v.kind == WN_VAL_FLOAT && v.u.f != rint(v.u.f) && !strcmp(s->op->fields[s->op->operands[i]].name, "alpha")) return false;
    }
    bool to_bool = s->op->types == WN__TY_COMPARE || s->op->types == WN__TY_LOGICAL;
    n->dtype = to_bool ? WN_BOOL : d;
    n->exact = r->exact;
    return true;
}

void naive_element(const sample *s, const naive *n, int64_t i, double *f, int64_t *k) {
    const reference *r = reference_of(s->op);
    wn_dtype d = computed_in(s, r, common_type(s));
    double x[4] = {0};
    int64_t y[4] = {0};
    for (int o = 0; o < s->op->noperands; o++) {
        wn_val v;
        const wn_tensor *t = operand(s, o, &v);
        int64_t at = t ? meets(t, n, i) : 0;
        bool integer = t && category_of(wn_dtype_of(t)) != 3;
        if (t) {
            y[o] = get_i(t, at);
            x[o] = integer ? (double)y[o] : get_f(t, at);
            if (integer && d != WN_F64) x[o] = (double)(float)y[o]; /* one rounding, straight to the compute type */
        } else {
            x[o] = s->op->types == WN__TY_COMPARE && category_of(d) == 3 ? round_to(d, value_f(v)) : value_f(v);
            y[o] = value_i(v);
        }
        if (category_of(d) == 2) y[o] = wrap_to(d, y[o]); /* numbers and 0-d tensors become elements first */
        if (s->op->types == WN__TY_LOGICAL || (s->op->bool_operands >> o & 1)) y[o] = x[o] != 0 || (integer && y[o]);
        if (s->op->bool_operands >> o & 1) x[o] = (double)y[o];
        if (d == WN_BOOL && s->op->types != WN__TY_LOGICAL && !t) y[o] = r->b8 ? x[o] != 0 : y[o];
    }
    *f = 0;
    *k = 0;
    if (d == WN_F64) *f = r->f64(x[0], x[1], x[2], x[3]);
    else if (category_of(d) == 3) *f = (double)r->f32((float)x[0], (float)x[1], (float)x[2], (float)x[3]);
    else if (d == WN_BOOL && r->b8) *k = r->b8((uint8_t)y[0], (uint8_t)y[1], (uint8_t)y[2], (uint8_t)y[3]);
    else *k = r->i64(y[0], y[1], y[2], y[3]);
    if (n->dtype == WN_BOOL && category_of(d) == 3) *k = *f != 0;
    if (category_of(n->dtype) != 3) {
        *k = wrap_to(n->dtype, *k);
        *f = (double)*k;
    }
}
