/* WINNOW_RNG=torch: the streams of PyTorch 2.13's CPU generator, bit for bit. They are serial by nature (mt19937), so
 * nothing here runs on several threads; the caller holds the generator's lock, as torch does.
 *
 * Torch's kernels are compiled for AVX2 with contraction on, so where a product is added the result is an fma; the places
 * are written out below. Its f32 Box-Muller uses Cephes' single precision log, sin and cos in a particular order of
 * operations; everything in f64 uses the C library, so there the bits are those of torch with the same libm. */
#include <math.h>
#include <string.h>
#include "base/half.h"
#include "tensor/rng_gen.h"
#include "base/level.h"

/* -------------------------------------------------------------------------------------------------- mt19937 */

enum { MT_M = 397 };

void wn__mt_seed(wn__mt *m, uint64_t seed) {
    m->state[0] = (uint32_t)seed; /* torch uses the low half only */
    for (uint32_t i = 1; i < WN__MT_N; i++) {
        uint32_t s = m->state[i - 1];
        m->state[i] = 1812433253u * (s ^ (s >> 30)) + i;
    }
    m->left = 1;
    m->next = 0;
    m->has_normal = false;
    m->normal = 0.0;
}

static inline uint32_t twist(uint32_t high, uint32_t low) {
    uint32_t y = (high & 0x80000000u) | (low & 0x7fffffffu);
    return (y >> 1) ^ ((0u - (low & 1u)) & 0x9908b0dfu);
}
static void renew(wn__mt *m) {
    uint32_t *s = m->state;
    int i = 0;
    for (; i < WN__MT_N - MT_M; i++) s[i] = s[i + MT_M] ^ twist(s[i], s[i + 1]);
    for (; i < WN__MT_N - 1; i++) s[i] = s[i + MT_M - WN__MT_N] ^ twist(s[i], s[i + 1]);
    s[i] = s[MT_M - 1] ^ twist(s[i], s[0]);
    m->left = WN__MT_N;
    m->next = 0;
}
static inline uint32_t temper(uint32_t y) {
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c5680u;
    y ^= (y << 15) & 0xefc60000u;
    return y ^ (y >> 18);
}
static inline uint32_t draw32(wn__mt *m) {
    if (--m->left == 0) renew(m);
    return temper(m->state[m->next++]);
}
static inline uint64_t draw64(wn__mt *m) {
    uint64_t high = draw32(m);
    return high << 32 | draw32(m);
}

static inline float unit_f32(wn__mt *m) { return (float)(int32_t)(draw32(m) & 0xffffffu) * 0x1p-24f; }
static inline double unit_f64(wn__mt *m) { return (double)(int64_t)(draw64(m) & 0x1fffffffffffffu) * 0x1p-53; }

static inline void store(wn_dtype dtype, void *dst, int64_t i, double v) {
    switch (dtype) {
    case WN_F32: ((float *)dst)[i] = (float)v; break;
    case WN_F64: ((double *)dst)[i] = v; break;
    case WN_F16: ((uint16_t *)dst)[i] = wn__f32_to_f16((float)v); break; /* through f32, as torch's constructor */
    case WN_BF16: ((uint16_t *)dst)[i] = wn__f32_to_bf16((float)v); break;
    default: break;
    }
}

/* ----------------------------------------------------------------- kernels where the fma must be a fast one */

enum { CHUNK = 512 }; /* elements at a time; a multiple of 16 */

/* Cephes' logf for x in [2^-24, 1], in the order of operations of torch's AVX2 build. */
static inline __attribute__((always_inline)) float cephes_log(float x) {
    uint32_t u = wn__f32_to_bits(x);
    float e = (float)((int32_t)(u >> 23) - 126);
    float m = wn__f32_from_bits((u & 0x007fffffu) | 0x3f000000u); /* [0.5, 1) */
    bool small = m < 0.707106781186547524f;
    float again = small ? m : 0.0f;
    e -= small ? 1.0f : 0.0f;
    m = m - 1.0f + again;
    float z = m * m;
    float y = fmaf(7.0376836292e-2f, m, -1.1514610310e-1f);
    y = fmaf(y, m, 1.1676998740e-1f);
    y = fmaf(y, m, -1.2420140846e-1f);
    y = fmaf(y, m, 1.4249322787e-1f);
    y = fmaf(y, m, -1.6668057665e-1f);
    y = fmaf(y, m, 2.0000714765e-1f);
    y = fmaf(y, m, -2.4999993993e-1f);
    y = fmaf(y, m, 3.3333331174e-1f);
    y = fmaf(y * m, z, e * -2.12194440e-4f);
    y = fmaf(-0.5f, z, y);
    return fmaf(e, 0.693359375f, m + y);
}

/* Cephes' sinf and cosf for x in [0, 2 pi], likewise. */
static inline __attribute__((always_inline)) void cephes_sincos(float x, float *sine, float *cosine) {
    int32_t octant = ((int32_t)(x * 1.27323954473516f) + 1) & ~1;
    float y = (float)octant;
    x = fmaf(y, -0.78515625f, x);
    x = fmaf(y, -2.4187564849853515625e-4f, x);
    x = fmaf(y, -3.77489497744594108e-8f, x);
    float z = x * x;
    float c = fmaf(2.443315711809948e-5f, z, -1.388731625493765e-3f);
    c = fmaf(c, z, 4.166664568298827e-2f);
    c = fmaf(z, z * c, -(z * 0.5f)) + 1.0f;
    float s = fmaf(-1.9515295891e-4f, z, 8.3321608736e-3f);
    s = fmaf(s, z, -1.6666654611e-1f);
    s = fmaf(x, z * s, x);
    uint32_t sb = wn__f32_to_bits(s), cb = wn__f32_to_bits(c);
    bool swap = (octant & 2) != 0;
    uint32_t sin_sign = (uint32_t)(octant & 4) << 29;
    uint32_t cos_sign = (uint32_t)(~(octant - 2) & 4) << 29;
    *sine = wn__f32_from_bits((swap ? cb : sb) ^ sin_sign);
    *cosine = wn__f32_from_bits((swap ? sb : cb) ^ cos_sign);
}

/* Uniforms to normals, 16 at a time: the first 8 become radii, the other 8 angles. */
static inline __attribute__((always_inline)) void normal16_body(float *restrict v, int64_t n, float mean, float std) {
    for (int64_t i = 0; i < n; i += 16) {
        float *restrict d = v + i;
        float a[8], b[8];
        for (int j = 0; j < 8; j++) {
            float radius = sqrtf(-2.0f * cephes_log(1.0f - d[j]));
            float sine, cosine;
            cephes_sincos(6.283185307179586f * d[j + 8], &sine, &cosine);
            a[j] = fmaf(radius * cosine, std, mean);
            b[j] = fmaf(radius * sine, std, mean);
        }
        for (int j = 0; j < 8; j++) d[j] = a[j];
        for (int j = 0; j < 8; j++) d[j + 8] = b[j];
    }
}
static inline __attribute__((always_inline)) void scale_body(float *restrict v, float low, float span) {
    for (int i = 0; i < CHUNK; i++) v[i] = fmaf(v[i], span, low);
}

static void normal16_plain(float *v, int64_t n, float mean, float std) { normal16_body(v, n, mean, std); }
static void scale_plain(float *v, float low, float span) { scale_body(v, low, span); }
#if defined(__x86_64__) && !defined(__FMA__)
/* The baseline build has no fma instruction, and calling the C library for each fma would cost 20 times the rest. */
__attribute__((target("avx2,fma"))) static void normal16_fma(float *v, int64_t n, float mean, float std) {
    normal16_body(v, n, mean, std);
}
__attribute__((target("avx2,fma"))) static void scale_fma(float *v, float low, float span) { scale_body(v, low, span); }
#else
#define normal16_fma normal16_plain
#define scale_fma scale_plain
#endif
static void normal16(float *v, int64_t n, float mean, float std) {
    if (wn__cpu_level() >= WN__LEVEL_AVX2) normal16_fma(v, n, mean, std);
    else normal16_plain(v, n, mean, std);
}
static void scale(float *v, float low, float span) {
    if (wn__cpu_level() >= WN__LEVEL_AVX2) scale_fma(v, low, span);
    else scale_plain(v, low, span);
}

/* -------------------------------------------------------------------------------------------- distributions */

void wn__mt_uniform(wn__mt *m, wn_dtype dtype, void *dst, int64_t n, double low, double high) {
    if (dtype == WN_F64) {
        double *o = dst;
        for (int64_t i = 0; i < n; i++) {
            double v = fma(unit_f64(m), high - low, low);
            o[i] = v == high ? low : v; /* rounding must not reach the upper bound */
        }
        return;
    }
    float lo = (float)low, hi = (float)high;
    float buf[CHUNK];
    for (int64_t i = 0; i < n; i += CHUNK) {
        int len = n - i < CHUNK ? (int)(n - i) : CHUNK;
        for (int j = 0; j < len; j++) buf[j] = unit_f32(m);
        for (int j = len; j < CHUNK; j++) buf[j] = 0.0f;
        scale(buf, lo, hi - lo);
        if (dtype == WN_F32) {
            float *o = (float *)dst + i;
            for (int j = 0; j < len; j++) o[j] = buf[j] == hi ? lo : buf[j];
        } else {
            bool f16 = dtype == WN_F16;
            uint16_t *o = (uint16_t *)dst + i;
            uint16_t lo16 = f16 ? wn__f32_to_f16(lo) : wn__f32_to_bf16(lo);
            float rounded_hi = f16 ? wn__f16_to_f32(wn__f32_to_f16(hi)) : wn__bf16_to_f32(wn__f32_to_bf16(hi));
            for (int j = 0; j < len; j++) {
                uint16_t h = f16 ? wn__f32_to_f16(buf[j]) : wn__f32_to_bf16(buf[j]);
                float back = f16 ? wn__f16_to_f32(h) : wn__bf16_to_f32(h);
                o[j] = back == rounded_hi ? lo16 : h;
            }
        }
    }
}

static const double two_pi = 6.283185307179586476925286766559;

/* Fewer than 16 elements: one at a time in f64. Box-Muller gives two; the second waits for the next such call. */
static void normal_few(wn__mt *m, wn_dtype dtype, void *dst, int64_t n, double mean, double std) {
    for (int64_t i = 0; i < n; i++) {
        double v = m->normal;
        if (m->has_normal) {
            m->has_normal = false;
        } else {
            double u1 = unit_f64(m), u2 = unit_f64(m);
            double radius = sqrt(-2.0 * log1p(-u2)), angle = two_pi * u1;
            m->normal = radius * sin(angle);
            m->has_normal = true;
            v = radius * cos(angle);
        }
        store(dtype, dst, i, fma(v, std, mean));
    }
}

static void normal16_f64(double *d, double mean, double std) {
    for (int j = 0; j < 8; j++) {
        double radius = sqrt(-2.0 * log(1.0 - d[j])), angle = two_pi * d[j + 8];
        d[j] = fma(radius * cos(angle), std, mean);
        d[j + 8] = fma(radius * sin(angle), std, mean);
    }
}

/* 16 elements and more. When n is no multiple of 16, the last 16 are drawn anew, over those drawn before. f32 and f64
 * draw all n uniforms first; half types draw 16 at a time, and none for the incomplete group. */
void wn__mt_normal(wn__mt *m, wn_dtype dtype, void *dst, int64_t n, double mean, double std) {
    if (n < 16) {
        normal_few(m, dtype, dst, n, mean, std);
        return;
    }
    int64_t whole = n - n % 16;
    if (dtype == WN_F64) {
        double *d = dst;
        for (int64_t i = 0; i < n; i++) d[i] = unit_f64(m);
        for (int64_t i = 0; i < whole; i += 16) normal16_f64(d + i, mean, std);
        if (whole < n) {
            d += n - 16;
            for (int j = 0; j < 16; j++) d[j] = unit_f64(m);
            normal16_f64(d, mean, std);
        }
        return;
    }
    float mean32 = (float)mean, std32 = (float)std;
    if (dtype == WN_F32) {
        float *d = dst;
        for (int64_t i = 0; i < n; i++) d[i] = unit_f32(m);
        normal16(d, whole, mean32, std32);
        if (whole < n) {
            d += n - 16;
            for (int j = 0; j < 16; j++) d[j] = unit_f32(m);
            normal16(d, 16, mean32, std32);
        }
        return;
    }
    float buf[CHUNK];
    uint16_t *o = dst;
    for (int64_t i = 0; i < n;) {
        int len = 16;
        int64_t at = i;
        if (i < whole) len = whole - i < CHUNK ? (int)(whole - i) : CHUNK;
        else at = n - 16;
        for (int j = 0; j < len; j++) buf[j] = unit_f32(m);
        normal16(buf, len, mean32, std32);
        for (int j = 0; j < len; j++) o[at + j] = dtype == WN_F16 ? wn__f32_to_f16(buf[j]) : wn__f32_to_bf16(buf[j]);
        i += len;
    }
}

void wn__mt_exponential(wn__mt *m, wn_dtype dtype, void *dst, int64_t n, double lambda) {
    double factor = -1.0 / lambda;
    for (int64_t i = 0; i < n; i++) store(dtype, dst, i, factor * log1p(-unit_f64(m)));
}

static inline void store_flag(size_t size, uint64_t one, void *dst, int64_t i, bool v) {
    uint64_t bits = (0 - (uint64_t)v) & one; /* no branch: it would be mispredicted every other time */
    switch (size) {
    case 1: ((uint8_t *)dst)[i] = (uint8_t)bits; break;
    case 2: ((uint16_t *)dst)[i] = (uint16_t)bits; break;
    case 4: ((uint32_t *)dst)[i] = (uint32_t)bits; break;
    default: ((uint64_t *)dst)[i] = bits; break;
    }
}

void wn__mt_bernoulli(wn__mt *m, wn_dtype dtype, void *dst, int64_t n, double p) {
    size_t size = wn_dtype_size(dtype);
    uint64_t one = wn__one_bits(dtype);
    for (int64_t i = 0; i < n; i++) store_flag(size, one, dst, i, unit_f64(m) < p);
}

void wn__mt_bernoulli_each(wn__mt *m, wn_dtype dtype, void *dst, int64_t n, wn_dtype pt, const void *p) {
    size_t size = wn_dtype_size(dtype);
    uint64_t one = wn__one_bits(dtype);
    for (int64_t i = 0; i < n; i++) {
        bool v;
        switch (pt) {
        case WN_F64: v = unit_f64(m) < ((const double *)p)[i]; break;
        case WN_F16: v = unit_f32(m) < wn__f16_to_f32(((const uint16_t *)p)[i]); break;
        case WN_BF16: v = unit_f32(m) < wn__bf16_to_f32(((const uint16_t *)p)[i]); break;
        default: v = unit_f32(m) < ((const float *)p)[i]; break;
        }
        store_flag(size, one, dst, i, v);
    }
}

void wn__mt_integers(wn__mt *m, wn_dtype dtype, void *dst, int64_t n, wn__int_draw draw) {
    int64_t buf[CHUNK];
    for (int64_t i = 0; i < n; i += CHUNK) {
        int len = n - i < CHUNK ? (int)(n - i) : CHUNK;
        for (int j = 0; j < len; j++) {
            uint64_t x = draw.wide ? draw64(m) : draw32(m);
            buf[j] = (int64_t)((draw.range ? x % draw.range : x) + (uint64_t)draw.base);
        }
        wn__store_integers(dtype, dst, i, buf, len);
    }
}

void wn__mt_permutation(wn__mt *m, int64_t *dst, int64_t n) {
    if (n < UINT32_MAX / 20) {
        for (int64_t i = 0; i < n; i++) dst[i] = i;
        for (int64_t i = 0; i < n - 1; i++) {
            int64_t j = i + (int64_t)(draw32(m) % (uint64_t)(n - i));
            int64_t t = dst[i];
            dst[i] = dst[j];
            dst[j] = t;
        }
        return;
    }
    /* 32 bits would be visibly uneven: 64, and the inside-out variant. */
    for (int64_t i = 0; i < n; i++) {
        int64_t j = (int64_t)(draw64(m) % (uint64_t)(i + 1));
        dst[i] = i;
        dst[i] = dst[j];
        dst[j] = i;
    }
}
