/* Accuracy and edge values of the mathematics headers: of the rows that are one function, by the library's own kernels, at every ISA level up
 * to the one in use (WINNOW_LEVEL).
 *
 *   test_math            samples, in seconds
 *   test_math --full     one-argument f32 functions over all 2^32 inputs, 10^7 samples of the others
 *   test_math --every=N  as --full, but only every Nth block of 1024 f32 inputs and 10^7 / N samples
 *   test_math [--full] name...   only these
 *
 * f32 is compared with libm's double, f64 with long double. An error is counted in units of the last place of the exact
 * value. Limits are 2 ulp unless `limits` says otherwise. */
#define _POSIX_C_SOURCE 200809L
#include "call/dispatch.h"
#include "engine/kernels.h"
#include "base/level.h"
#include "engine/math/base.h"
#include "engine/math/names.h"
#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { BLOCK = 1024 };
typedef long double ld;

/* ---- the functions under test ---- */
static const wn__kernels *tables[WN__LEVELS];
static int nlevels;

/* Rows of another name than the function's, or of more operands: then x is operand `at` of n, the others are these numbers everywhere. */
typedef struct alias {
    const char *name, *row;
    int n, at;
    double numbers[3];
} alias;
static const alias aliases[] = {
    {"log_sigmoid", "logsigmoid", 0, 0, {0}}, {"nextafter", "nextafter_wide", 0, 0, {0}}, {"logit", "logit_eps", 2, 0, {0, -1}},
    {"gelu_grad", "gelu_backward", 2, 1, {1}}, {"softplus", "softplus", 3, 0, {0, 1, INFINITY}},
};
typedef struct function {
    int kernel; /* in the tables; -1: no such row */
    const alias *as;
} function;
static function function_of(const char *name) {
    function f = {-1, NULL};
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (!strcmp(aliases[i].name, name)) f.as = &aliases[i];
    for (int i = 0; i < wn__nops; i++)
        if (wn__ops[i].cls == WN__POINTWISE && !strcmp(wn__ops[i].cname, f.as ? f.as->row : name)) f.kernel = wn__ops[i].kernel;
    return f;
}
/* o = f(a, b) for a block */
static void run(function f, int level, wn__ct ct, void *o, const void *a, const void *b) {
    static _Thread_local float floats[3][BLOCK];
    static _Thread_local double doubles[3][BLOCK];
    const void *in[4] = {a, b, NULL, NULL};
    for (int k = 0; f.as && k < f.as->n; k++) {
        for (int i = 0; i < BLOCK; i++) doubles[k][i] = f.as->numbers[k], floats[k][i] = (float)f.as->numbers[k];
        in[k] = k == f.as->at ? a : ct == WN__CT_F32 ? (const void *)floats[k] : doubles[k];
    }
    tables[level]->rows[f.kernel][ct](BLOCK, o, in);
}

/* ---- references: T is double (for f32) and long double (for f64) ---- */
#define PI_L 3.14159265358979323846264338327950288L
#define REF1(name, e64, eld)                                                                                           \
    static double name##_r32(double x, double y) {                                                                     \
        (void)y;                                                                                                       \
        return e64;                                                                                                    \
    }                                                                                                                  \
    static ld name##_r64(ld x, ld y) {                                                                                 \
        (void)y;                                                                                                       \
        return eld;                                                                                                    \
    }
#define REF2(name, e64, eld)                                                                                           \
    static double name##_r32(double x, double y) { return e64; }                                                       \
    static ld name##_r64(ld x, ld y) { return eld; }
#define LIBM1(name) REF1(name, name(x), name##l(x))
#define LIBM2(name) REF2(name, name(x, y), name##l(x, y))

LIBM1(exp) LIBM1(exp2) LIBM1(expm1) LIBM1(log) LIBM1(log2) LIBM1(log10) LIBM1(log1p)
LIBM1(sin) LIBM1(cos) LIBM1(tan) LIBM1(asin) LIBM1(acos) LIBM1(atan) LIBM1(sinh) LIBM1(cosh) LIBM1(tanh)
LIBM1(asinh) LIBM1(acosh) LIBM1(atanh) LIBM1(erf) LIBM1(erfc) LIBM1(sqrt) LIBM1(floor) LIBM1(ceil) LIBM1(trunc)
REF1(round, rint(x), rintl(x))
REF1(frac, x - trunc(x), x - truncl(x))
REF1(rsqrt, 1 / sqrt(x), 1 / sqrtl(x))
LIBM2(pow) LIBM2(atan2) LIBM2(hypot) LIBM2(fmod) LIBM2(copysign)

/* sin(pi x) / (pi x) with x reduced exactly */
static ld sinpi_l(ld x) {
    ld n = rintl(x), r = x - n, s = sinl(PI_L * r);
    return fmodl(n, 2) == 0 ? s : -s;
}
static double sinpi_d(double x) {
    double n = rint(x), r = x - n, s = sin((double)PI_L * r);
    return fmod(n, 2) == 0 ? s : -s;
}
/* + 0: zeros are positive */
REF1(sinc, x == 0 ? 1 : isinf(x) ? (double)NAN : sinpi_d(x) / ((double)PI_L * x) + 0,
     x == 0 ? 1 : isinf(x) ? (ld)NAN : sinpi_l(x) / (PI_L * x) + 0)

static ld erfinv_l(ld y) {
    ld a = fabsl(y), q = 1 - a, x;
    if (!(a < 1)) return a == 1 ? copysignl(INFINITY, y) : y - y + (ld)NAN;
    if (a == 0) return y;
    ld w = -logl(q * (1 + a));
    x = a < 0.7L ? a * 0.95L : sqrtl(w);
    for (int i = 0; i < 60; i++) {
        ld d = (a < 0.5L ? erfl(x) - a : q - erfcl(x)) / (1.128379167095512573896158903121545171688L * expl(-x * x));
        ld n = x - d / (1 + x * d);
        if (fabsl(n - x) <= 1e-19L * x) break;
        x = n;
    }
    return copysignl(x, y);
}
/* with the zero at 1/2 exact */
static ld logit_l(ld x) {
    ld d = 2 * x - 1;
    return x >= 0 && x <= 1 ? (fabsl(d) < 0.5L ? log1pl(d / (1 - x)) : logl(x) - log1pl(-x)) : (ld)NAN;
}
REF1(logit, (double)logit_l(x), logit_l(x))
REF1(erfinv, (double)erfinv_l(x), erfinv_l(x))
REF1(sigmoid, x < 0 ? exp(x) / (1 + exp(x)) : 1 / (1 + exp(-x)), x < 0 ? expl(x) / (1 + expl(x)) : 1 / (1 + expl(-x)))
REF1(softplus, x > 0 ? x + log1p(exp(-x)) : log1p(exp(x)), x > 0 ? x + log1pl(expl(-x)) : log1pl(expl(x)))
REF1(log_sigmoid, x > 0 ? -log1p(exp(-x)) : x - log1p(exp(x)), x > 0 ? -log1pl(expl(-x)) : x - log1pl(expl(x)))
/* x / sqrt(2) carries its rounding error into the far tail, so that is put right to first order. */
static ld gelu_l(ld x) {
    const ld c = 0.70710678118654752440084436210484903928L;
    if (isinf(x)) return x > 0 ? x : -0.0L;
    ld t = -x * c, d = fmal(-x, c, -t) - x * -3.6e-20L * 0;
    return 0.5L * x * (erfcl(t) - 1.128379167095512573896158903121545171688L * expl(-t * t) * d);
}
REF1(gelu, isinf(x) ? (x > 0 ? x : -0.0) : 0.5 * x * erfc(-x * 0.70710678118654752440), gelu_l(x))
/* Phi(x) + x phi(x). Around its zero at -0.7518 the Taylor series from there, times (2 - x^2) phi etc. */
static ld gelu_grad_l(ld x) {
    const ld z = -0.75179152469356445745790494L, c = 0.3989422804014326779399461L; /* c = 1 / sqrt(2 pi) */
    if (x < -100) return -0.0L; /* it comes from below; for -inf too */
    if (x > 100) return 1;
    ld d = x - z, z2 = z * z;
    if (fabsl(d) < 0x1p-20L)
        return d * c * expl(-0.5L * z2) * (2 - z2 + d * (z * (z2 - 4) / 2 + d * ((-z2 * z2 + 7 * z2 - 4) / 6)));
    return 0.5L * erfcl(-x * 0.70710678118654752440084436210484903928L) + x * c * expl(-0.5L * x * x);
}
REF1(gelu_grad, (double)gelu_grad_l(x), gelu_grad_l(x))
#define GT(x) (2 * 0.797884560802865355879892119868763737L * ((x) + 0.044715L * (x) * (x) * (x)))
static ld gelu_tanh_l(ld x) {
    ld t = GT(x), e = expl(-fabsl(t));
    if (isinf(x)) return x > 0 ? x : -0.0L;
    return t > 0 ? x / (1 + e) : x * e / (1 + e);
}
static double gelu_tanh_d(double x) {
    double t = (double)GT(x), e = exp(-fabs(t));
    if (isinf(x)) return x > 0 ? x : -0.0;
    return t > 0 ? x / (1 + e) : x * e / (1 + e);
}
REF1(gelu_tanh, gelu_tanh_d(x), gelu_tanh_l(x))
REF1(silu, x == -INFINITY ? (double)NAN : x < 0 ? x * exp(x) / (1 + exp(x)) : x / (1 + exp(-x)),
     x == -INFINITY ? (ld)NAN : x < 0 ? x * expl(x) / (1 + expl(x)) : x / (1 + expl(-x)))
static ld mish_l(ld x) {
    ld e = expl(-fabsl(x));
    if (isinf(x)) return x > 0 ? x : -0.0L;
    return x < 0 ? x * e * (e + 2) / (e * (e + 2) + 2) : x * (1 + 2 * e) / (1 + 2 * e + 2 * e * e);
}
static double mish_d(double x) {
    double e = exp(-fabs(x));
    if (isinf(x)) return x > 0 ? x : -0.0;
    return x < 0 ? x * e * (e + 2) / (e * (e + 2) + 2) : x * (1 + 2 * e) / (1 + 2 * e + 2 * e * e);
}
REF1(mish, mish_d(x), mish_l(x))
REF1(lgamma, lgamma(x), lgammal(x))
/* Recurrence and asymptotic series; reflection below 0. */
static ld digamma_l(ld x) {
    ld r = 0;
    if (isinf(x)) return x > 0 ? x : (ld)NAN;
    if (x == 0) return copysignl(INFINITY, -x);
    if (x < 0) {
        if (x == truncl(x)) return (ld)NAN;
        ld f = x - rintl(x);
        return digamma_l(1 - x) - PI_L / tanl(PI_L * f);
    }
    while (x < 20) {
        r -= 1 / x;
        x += 1;
    }
    ld z = 1 / (x * x);
    ld s = 1.L / 240 - z * (1.L / 132 - z * (691.L / 32760 - z / 12));
    return r + logl(x) - 0.5L / x - z * (1.L / 12 - z * (1.L / 120 - z * (1.L / 252 - z * s)));
}
REF1(digamma, (double)digamma_l(x), digamma_l(x))
static ld pymod_l(ld x, ld y) {
    ld r = fmodl(x, y);
    return r != 0 && (r < 0) != (y < 0) ? r + y : r;
}
REF2(remainder, (double)pymod_l(x, y), pymod_l(x, y))
static double nextafter_r32(double x, double y) { return (double)nextafterf((float)x, (float)y); }
static ld nextafter_r64(ld x, ld y) { return (ld)nextafter((double)x, (double)y); }
static ld logaddexp_l(ld x, ld y) {
    if (isnan(x) || isnan(y)) return (ld)NAN;
    ld m = x > y ? x : y, d = x > y ? y - x : x - y;
    return isinf(m) ? m : m + log1pl(expl(d));
}
static ld logaddexp2_l(ld x, ld y) {
    if (isnan(x) || isnan(y)) return (ld)NAN;
    ld m = x > y ? x : y, d = x > y ? y - x : x - y;
    return isinf(m) ? m : m + log1pl(exp2l(d)) * 1.442695040888963407359924681001892137L;
}
REF2(logaddexp, (double)logaddexp_l(x, y), logaddexp_l(x, y))
REF2(logaddexp2, (double)logaddexp2_l(x, y), logaddexp2_l(x, y))
REF2(xlogy, isnan(y) ? y : x == 0 ? 0 : x * log(y), isnan(y) ? y : x == 0 ? 0 : x * logl(y))
REF2(xlog1py, isnan(y) ? y : x == 0 ? 0 : x * log1p(y), isnan(y) ? y : x == 0 ? 0 : x * log1pl(y))

/* ---- the table ---- */
typedef struct row {
    const char *name;
    int args;
    double (*r32)(double, double);
    ld (*r64)(ld, ld);
} row;
#define ROW1(name) {#name, 1, name##_r32, name##_r64},
#define ROW2(name) {#name, 2, name##_r32, name##_r64},
static const row rows[] = {WN__MATH_1(ROW1) WN__MATH_2(ROW2)};

/* Where the result passes through zero and its terms do not, relative accuracy ends: logaddexp (for some pairs), lgamma and
 * digamma (below 0; near its positive zero only the reference of digamma ends). There errors are counted in ulp of `floor`
 * at least; for lgamma only if x < 0. */
typedef struct limit {
    const char *name;
    double ulp32, floor32, ulp64, floor64;
    int below0;
} limit;
static const limit limits[] = {
    {"logaddexp", 2, 1, 2, 1, 0},
    {"logaddexp2", 2, 1, 2, 1, 0},
    {"lgamma", 2, 0, 2, 0.05, 1},
    {"digamma", 2, 0, 2, 0.05, 0},
    {"gelu_grad", 2, 0, 2, 0.5, 1},
    {"exp2", 1.1, 0, 2, 0, 0},
    {"expm1", 1, 0, 2, 0, 0},
    {"log", 1, 0, 2, 0, 0},
    {"log2", 1, 0, 2, 0, 0},
    {"log10", 1, 0, 2, 0, 0},
    {"log1p", 1, 0, 2, 0, 0},
    {"sin", 1, 0, 2, 0, 0},
    {"cos", 1, 0, 2, 0, 0},
    {"tanh", 1, 0, 2, 0, 0},
};
static limit limit_of(const char *name) {
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (!strcmp(limits[i].name, name)) return limits[i];
    return (limit){name, 2, 0, 2, 0, 0};
}

static int passed, failed;
static void check(int ok, const char *what, const char *name, double x, double y, double got, double want) {
    if (ok) {
        passed++;
        return;
    }
    if (failed++ < 40) printf("FAIL %s %s(%a, %a) = %a, want %a\n", what, name, x, y, got, want);
}

static uint64_t mix(uint64_t *s) {
    uint64_t z = (*s += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Error in ulp of the exact value; 1e9 for a wrong NaN, infinity or sign of zero. */
static double ulps_f32(float got, double ref, double floor_) {
    if (isnan(ref)) return isnan(got) ? 0 : 1e9;
    if (isnan(got)) return 1e9;
    float r = (float)ref;
    if (ref == 0) return got == 0 && !signbit(got) == !signbit(ref) ? 0 : 1e9;
    if (isinf(r)) return got == r ? 0 : isinf(got) || fabs(ref) > 0x1.000001p128 ? 1e9 : (double)got / ref > 0.9999 ? 1 : 1e9;
    if (isinf(got)) return fabsf(r) > 0x1.fffffcp127f && (got > 0) == (r > 0) ? 1 : 1e9;
    double m = fabs(ref) > floor_ ? fabs(ref) : floor_;
    m = m > 0x1p-126 ? m : 0x1p-126;
    uint64_t e = wn__bits_f64(m) >> 52; /* times 2^(23 - exponent) */
    return fabs((double)got - ref) * wn__from_f64((2 * 1023 + 23 - e) << 52);
}
static double ulps_f64(double got, ld ref, double floor_) {
    if (isnan(ref)) return isnan(got) ? 0 : 1e9;
    if (isnan(got)) return 1e9;
    double r = (double)ref;
    if (ref == 0) return got == 0 && !signbit(got) == !signbit(ref) ? 0 : 1e9;
    if (isinf(r)) return got == r ? 0 : isinf(got) || fabsl(ref) > 0x1.0000000000001p1023L * 2 ? 1e9 : (ld)got / ref > 0.9999L ? 1 : 1e9;
    if (isinf(got)) return fabs(r) > 0x1.ffffffffffffdp1023 && (got > 0) == (r > 0) ? 1 : 1e9;
    int e;
    ld m = fabsl(ref) > (ld)floor_ ? fabsl(ref) : (ld)floor_;
    frexpl(m, &e);
    return (double)(fabsl((ld)got - ref) * ldexpl(1, 53 - (e < -1021 ? -1021 : e)));
}

/* ---- one function over many inputs, on several threads ---- */
typedef struct job {
    const row *r;
    function f;
    uint64_t from, to, step; /* blocks of f32 bit patterns, or sample numbers */
    int kind; /* 0: f32 patterns, 1: f32 samples, 2: f64 samples */
    limit l;
    double worst, at, at2;
    int level;
} job;

/* Samples: half any bit pattern, half moderate values (where functions are used), some near 0 and 1. */
static double sample(uint64_t *s, int f64) {
    uint64_t u = mix(s), k = mix(s) % 16;
    double v = (double)(u >> 11) * 0x1p-53, sg = u & 1 ? -1 : 1;
    if (k < 5) return f64 ? wn__from_f64(u) : (double)wn__from_f32((uint32_t)u);
    if (k < 8) return sg * 10 * v;
    if (k < 10) return sg * v;
    if (k < 12) return sg * 100 * v;
    if (k < 13) return sg * 1000 * v;
    if (k < 14) return 1 + sg * v * ldexp(1, -(int)(u % 40));
    if (k < 15) return sg * v * ldexp(1, -(int)(u % 60));
    return sg * (double)(u % 41) * 0.5;
}
static double floor_of(double f, limit l, double x) { return l.below0 && !(x < 0) ? 0 : f; }
static void *work(void *p) {
    job *j = p;
    static _Thread_local float a[BLOCK], b[BLOCK], o[WN__LEVELS][BLOCK];
    static _Thread_local double da[BLOCK], db[BLOCK], dout[WN__LEVELS][BLOCK];
    for (uint64_t k = j->from; k < j->to; k += j->step) {
        uint64_t s = k * 77777 + (uint64_t)j->kind;
        for (int i = 0; i < BLOCK; i++) {
            if (j->kind == 0) a[i] = wn__from_f32((uint32_t)(k * BLOCK + (uint64_t)i)), b[i] = 0;
            else if (j->kind == 1) a[i] = (float)sample(&s, 0), b[i] = (float)sample(&s, 0);
            else da[i] = sample(&s, 1), db[i] = sample(&s, 1);
        }
        for (int level = 0; level < nlevels; level++) {
            if (j->kind < 2) run(j->f, level, WN__CT_F32, o[level], a, b);
            else run(j->f, level, WN__CT_F64, dout[level], da, db);
        }
        for (int i = 0; i < BLOCK; i++) {
            const double x = j->kind < 2 ? (double)a[i] : da[i], y = j->kind < 2 ? (double)b[i] : db[i];
            const double want = j->kind < 2 ? j->r->r32(x, y) : 0, floor_ = floor_of(j->kind < 2 ? j->l.floor32 : j->l.floor64, j->l, x);
            const ld want_l = j->kind < 2 ? 0 : j->r->r64((ld)x, (ld)y);
            for (int level = 0; level < nlevels; level++) {
                const double e = j->kind < 2 ? ulps_f32(o[level][i], want, floor_) : ulps_f64(dout[level][i], want_l, floor_);
                if (e > j->worst) j->worst = e, j->at = x, j->at2 = y, j->level = level;
            }
        }
    }
    return NULL;
}
static job sweep(const row *r, function f, int kind, uint64_t blocks, uint64_t step, limit l) {
    enum { MAX = 64 };
    job j[MAX];
    pthread_t t[MAX];
    int n = (int)sysconf(_SC_NPROCESSORS_ONLN), started = 0;
    n = blocks / step < 4096 || n < 1 ? 1 : n > MAX ? MAX : n;
    for (int i = 0; i < n; i++) j[i] = (job){r, f, (uint64_t)i * step, blocks, step * (uint64_t)n, kind, l, 0, 0, 0, 0};
    for (int i = 1; i < n; i++, started++)
        if (pthread_create(&t[i], NULL, work, &j[i])) break;
    work(&j[0]);
    for (int i = started + 1; i < n; i++) work(&j[i]);
    for (int i = 1; i <= started; i++) pthread_join(t[i], NULL);
    for (int i = 1; i < n; i++)
        if (j[i].worst > j[0].worst) j[0] = j[i];
    return j[0];
}

/* ---- edge values: every pair out of a list, exact classes (NaN, infinity, zero and its sign) ---- */
static void edges(const row *r, function f, int level) {
    static const double e[] = {0.0, -0.0, 1, -1, 2, -2, 0.5, -0.5, 3, -3, INFINITY, -INFINITY, NAN, 1e30, -1e30, 100,
                               -100, 1e5, -1e5,
                               0x1p-149, -0x1p-149, 0x1p-126, 0x1.fffffcp-127, 0x1.fffffep127, -0x1.fffffep127, 0x1p24, 0x1.fffffep23,
                               0.25,
                               1.5, 2.5, -1.5, -2.5, 3.5, 0x1p23, 0x1.000002p22, 0x1.8p22, 0x1p31, -0x1p31};
    static const double d[] = {0x1p-1074, -0x1p-1074, 0x1p-1022, 0x1.ffffffffffffep-1023, 0x1.fffffffffffffp1023,
                               -0x1.fffffffffffffp1023, 0x1p53, 0x1.fffffffffffffp52, 0x1p52, 0x1.8p51, 0x1.0000000000001p51,
                               1e300, -1e300};
    enum { NE = sizeof e / sizeof *e, ND = sizeof d / sizeof *d };
    limit l = limit_of(r->name);
    int ny = r->args == 2 ? NE + ND : 1;
    for (int i = 0; i < NE + ND; i++)
        for (int k = 0; k < ny; k++) {
            double x = i < NE ? e[i] : d[i - NE], y = k < NE ? e[k] : d[k - NE];
            static float a[BLOCK], b[BLOCK], o[BLOCK];
            static double da[BLOCK], db[BLOCK], dout[BLOCK];
            a[0] = (float)x, b[0] = (float)y, da[0] = x, db[0] = y;
            if (i < NE && k < NE) {
                double w;
                run(f, level, WN__CT_F32, o, a, b);
                w = r->r32((double)a[0], (double)b[0]);
                check(ulps_f32(o[0], w, l.floor32) <= l.ulp32, "f32", r->name, x, y, (double)o[0], w);
            }
            run(f, level, WN__CT_F64, dout, da, db);
            ld v = r->r64((ld)x, (ld)y);
            check(ulps_f64(dout[0], v, l.floor64) <= l.ulp64, "f64", r->name, x, y, dout[0], (double)v);
        }
}

/* The scalar remainder of a vectorised loop gives the bits of its body. */
static void same_bits(const row *r, function f, int level) {
    static float a[BLOCK], b[BLOCK], o[BLOCK], p[BLOCK];
    uint64_t s = 5;
    for (int i = 0; i < BLOCK; i++) a[i] = (float)sample(&s, 0), b[i] = (float)sample(&s, 0);
    run(f, level, WN__CT_F32, o, a, b);
    for (int i = 0; i + 1 < BLOCK; i++) { /* the same inputs in other lanes */
        float t = a[i];
        a[i] = a[i + 1], a[i + 1] = t, t = b[i], b[i] = b[i + 1], b[i + 1] = t;
    }
    run(f, level, WN__CT_F32, p, a, b);
    int bad = -1;
    for (int i = 0; i + 1 < BLOCK; i++)
        if (memcmp(&o[i + 1], &p[i], 4) && !(isnan(o[i + 1]) && isnan(p[i]))) bad = i;
    check(bad < 0, "lanes", r->name, bad < 0 ? 0 : (double)a[bad], 0, bad < 0 ? 0 : (double)p[bad], 0);
}

int main(int argc, char **argv) {
    int every = 0, names = 0;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--full")) every = 1;
        if (!strncmp(argv[i], "--every=", 8)) every = atoi(argv[i] + 8);
        names += argv[i][0] != '-';
    }
    for (const int top = wn__cpu_level(); nlevels <= top; nlevels++) {
        wn__cpu_level_set(nlevels);
        tables[nlevels] = wn__kernels_choose();
    }
    printf("%-12s %9s %-18s %9s %-24s (max ulp, where, at which level)\n", "", "f32", "", "f64", "");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const row *r = &rows[i];
        int run = !names;
        for (int a = 1; a < argc; a++) run |= !strcmp(argv[a], r->name);
        if (!run) continue;
        limit l = limit_of(r->name);
        const function f = function_of(r->name);
        check(f.kernel >= 0, "row", r->name, 0, 0, 0, 0);
        if (f.kernel < 0) continue;
        uint64_t all = (uint64_t)1 << 32, some = every > 0 ? 1 + 10000 / (uint64_t)every : 40;
        job a = r->args == 1 ? sweep(r, f, 0, all / BLOCK, every > 0 ? (uint64_t)every : 46339, l) : (job){0};
        job b = sweep(r, f, 1, some, 1, l), c = sweep(r, f, 2, some, 1, l);
        if (a.worst > b.worst) b = a;
        check(b.worst <= l.ulp32, "ulp f32", r->name, b.at, b.at2, b.worst, l.ulp32);
        check(c.worst <= l.ulp64, "ulp f64", r->name, c.at, c.at2, c.worst, l.ulp64);
        printf("%-12s %9.3f %-16.8a %d %9.3f %-22.13a %d", r->name, b.worst, b.at, b.level, c.worst, c.at, c.level);
        if (r->args == 2) printf(" y: %a %a", b.at2, c.at2);
        printf("\n");
        fflush(stdout);
        for (int level = 0; level < nlevels; level++) {
            edges(r, f, level);
            same_bits(r, f, level);
        }
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
