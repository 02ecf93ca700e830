/* Products of bf16 by vdpbf16ps (avx512_bf16): a packed element is a pair of neighbours along k, 32 bits that travel as a float; an
 * instruction multiplies 16 pairs and adds both products to f32 sums. Subnormal numbers count as zero there. Tiles are gemm_tile.h's. */
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512bf16"))), apply_to = function)
#else
#pragma GCC push_options
#ifndef WN_EMULATED_AVX512 /* tests/emulate */
#pragma GCC target("avx512bf16")
#endif
#endif
#include "base/as_f32.h"
#undef OF
#define OF(name) name##_bf16
#define TILE_MADD(c, b, x) ((c) = (V)_mm512_dpbf16_ps((__m512)(c), (__m512bh)(b), (__m512bh)_mm512_set1_ps(x)))
#define TILE_PACKED_ONLY
#include "engine/level/gemm_tile.h"
#include "engine/level/gemm_part.h"
/* A result of bf16, straight from the registers: products are never subnormal, only NaNs need care. */
#undef PLACE_HALVES
#define PLACE_HALVES (scale[2] != 0)
#define HAS_HALVES_OUT
#define HALVES_NAN(r) if (r < R) nan |= _mm512_cmp_ps_mask((__m512)s.row##r.c0, (__m512)(NV > 1 ? s.row##r.c1 : s.row##r.c0), _CMP_UNORD_Q);
#define HALVES_OUT(r) if (r < R) _mm512_mask_storeu_epi16(c + r * ldc, there, (__m512i)_mm512_cvtne2ps_pbh((__m512)s.row##r.c1, (__m512)s.row##r.c0));
INLINE bool halves_out_bf16(const int R, const int NV, sums_bf16 s, int cols, uint16_t *c, int64_t ldc) {
    const __mmask32 there = (__mmask32)(0xffffffff >> (2 * LANES - cols));
    __mmask16 nan = 0;
    TILE_ROWS(HALVES_NAN)
    if (nan) return false;
    TILE_ROWS(HALVES_OUT)
    return true;
}
static WN__ONCE void merge_halves_bf16(int rows, int nv, int cols, const float *tile, uint16_t *c, int64_t ldc) {
    for (int r = 0; r < rows; r++) write_f32(c + r * ldc, WN_BF16, 1, tile + r * nv * LANES, cols);
}
#include "engine/level/gemm_place.h"
static void place_halves_bf16(int64_t m, int64_t n, int64_t k, const void *a, int64_t lda, int64_t ska, const void *b, int64_t ldb, void *c, int64_t ldc) {
    static const float scale[3] = {1, 0, 1};
    place_all_bf16(m, n, k, a, lda, ska, b, ldb, 2 * LANES, c, ldc, sizeof(uint16_t), scale);
}
/* Element r of step p: k = 2p below, k = 2p + 1 above; past the end zero. */
static void pack_gather_bf16(uint32_t *dst, int width, int w, int64_t kc, const uint16_t *src, const int64_t *outer, const int64_t *inner) {
    for (int64_t p = 0; p < kc; p += 2, dst += width) {
        for (int r = 0; r < w; r++) {
            uint32_t high = p + 1 < kc ? src[outer[r] + inner[p + 1]] : 0;
            dst[r] = src[outer[r] + inner[p]] | high << 16;
        }
        for (int r = w; r < width; r++) dst[r] = 0;
    }
}

/* Outer index contiguous: two rows of k are interleaved. */
#define ZIP4(i) i, 32 + i, i + 1, 33 + i, i + 2, 34 + i, i + 3, 35 + i
static const uint16_t zip[2][32] __attribute__((aligned(64))) = {{ZIP4(0), ZIP4(4), ZIP4(8), ZIP4(12)}, {ZIP4(16), ZIP4(20), ZIP4(24), ZIP4(28)}};
#undef ZIP4
static void pack_rows_bf16(uint32_t *dst, int width, int w, int64_t kc, const uint16_t *src, const int64_t *inner) {
    const __mmask32 there = (__mmask32)(0xffffffff >> (2 * LANES - w));
    const __mmask16 first = (__mmask16)(width < LANES ? (1 << width) - 1 : 0xffff), second = (__mmask16)(width > LANES ? 0xffff >> (2 * LANES - width) : 0);
    const __m512i low = _mm512_load_si512(zip[0]), high = _mm512_load_si512(zip[1]);
    int64_t p = 0;
    if (w == 2 * LANES && width == 2 * LANES) { /* the common whole panel */
        for (; p + 2 <= kc; p += 2, dst += 2 * LANES) {
            const __m512i x = _mm512_loadu_si512(src + inner[p]), y = _mm512_loadu_si512(src + inner[p + 1]);
            _mm512_storeu_si512(dst, _mm512_permutex2var_epi16(x, low, y));
            _mm512_storeu_si512(dst + LANES, _mm512_permutex2var_epi16(x, high, y));
        }
    }
    for (; p < kc; p += 2, dst += width) {
        const __m512i x = _mm512_maskz_loadu_epi16(there, src + inner[p]);
        const __m512i y = p + 1 < kc ? _mm512_maskz_loadu_epi16(there, src + inner[p + 1]) : _mm512_setzero_si512();
        _mm512_mask_storeu_epi32(dst, first, _mm512_permutex2var_epi16(x, low, y));
        if (second) _mm512_mask_storeu_epi32(dst + LANES, second, _mm512_permutex2var_epi16(x, high, y));
    }
}

/* Rows contiguous along k are rows of pairs: 32-bit elements, transposed as f32's are. */
static bool pack_pairs_bf16(float *dst, int width, int w, int64_t kc, const uint16_t *src, const int64_t *outer, const int64_t *inner) {
    int64_t rows[WN__GEMM_MAX_NR], steps[512];
    const int64_t pairs = kc / 2;
    if (!is_run(inner, kc) || (uintptr_t)(src + inner[0]) % 4) return false;
    for (int r = 0; r < w; r++) {
        if (outer[r] % 2) return false;
        rows[r] = outer[r] / 2;
    }
    for (int64_t p = 0; p < pairs; p++) steps[p] = p;
    pack_same_f32(dst, width, w, pairs, (const float *)(const void *)(src + inner[0]), rows, steps);
    if (kc % 2) pack_gather_bf16((uint32_t *)(void *)(dst + pairs * width), width, w, 1, src, outer, inner + kc - 1);
    return true;
}

static void pack_bf16(void *dst, int width, int w, int64_t kc, const void *src, wn_dtype in, const int64_t *outer, const int64_t *inner) {
    const bool along = kc > 1 && inner[1] == inner[0] + 1;
    (void)in;
    if ((w > 1 || !along) && is_run(outer, w)) pack_rows_bf16(dst, width, w, kc, (const uint16_t *)src + outer[0], inner);
    else if (!pack_pairs_bf16(dst, width, w, kc, src, outer, inner)) pack_gather_bf16(dst, width, w, kc, src, outer, inner);
}

/* sums[q][r] += the products of row q of x (R of them) and of row r of z, n elements long. */
#define DOT_ROWS(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)
typedef struct dot_bf16 {
    __m512 c0, c1, c2;
} dot_bf16;
#define DOT_ROW(r) dot_bf16 row##r;
typedef struct dot_sums_bf16 {
    DOT_ROWS(DOT_ROW)
} dot_sums_bf16;
INLINE void dot_step_bf16(const int R, __m512bh a0, __m512bh a1, __m512bh a2, __m512bh b, dot_bf16 *s) {
    s->c0 = _mm512_dpbf16_ps(s->c0, a0, b);
    if (R > 1) s->c1 = _mm512_dpbf16_ps(s->c1, a1, b);
    if (R > 2) s->c2 = _mm512_dpbf16_ps(s->c2, a2, b);
}
#define DOT_STEP(r) dot_step_bf16(R, a0, a1, a2, (__m512bh)_mm512_maskz_loadu_epi16(there, z[r] + i), &s.row##r);
#define DOT_OUT(r) lanes[r] = (V)s.row##r.c0, lanes[8 + r] = (V)s.row##r.c1, lanes[16 + r] = (V)s.row##r.c2;
INLINE void dots_bf16(const int R, int64_t n, const uint16_t *x, int64_t ldx, const uint16_t *const *z, float *sums) {
    V lanes[2 * LANES] = {0};
    dot_sums_bf16 s = {0};
    NO_UNROLL for (int64_t i = 0; i < n; i += 2 * LANES) {
        const __mmask32 there = n - i >= 2 * LANES ? 0xffffffff : (__mmask32)((1u << (n - i)) - 1);
        const __m512bh a0 = (__m512bh)_mm512_maskz_loadu_epi16(there, x + i), a1 = (__m512bh)_mm512_maskz_loadu_epi16(there, x + (R > 1 ? ldx : 0) + i);
        const __m512bh a2 = (__m512bh)_mm512_maskz_loadu_epi16(there, x + (R > 2 ? 2 * ldx : 0) + i);
        DOT_ROWS(DOT_STEP)
    }
    DOT_ROWS(DOT_OUT)
    for (int f = 0; f < 8 * R; f += LANES) {
        lane_sums_f32(lanes + f);
        const int left = 8 * R - f < LANES ? 8 * R - f : LANES;
        for (int l = 0; l < left; l++) sums[f + l] += lanes[f][l];
    }
}
static WN__ONCE void dots1_bf16(int64_t n, const uint16_t *x, int64_t ldx, const uint16_t *const *z, float *sums) { dots_bf16(1, n, x, ldx, z, sums); }
static WN__ONCE void dots2_bf16(int64_t n, const uint16_t *x, int64_t ldx, const uint16_t *const *z, float *sums) { dots_bf16(2, n, x, ldx, z, sums); }
static WN__ONCE void dots3_bf16(int64_t n, const uint16_t *x, int64_t ldx, const uint16_t *const *z, float *sums) { dots_bf16(3, n, x, ldx, z, sums); }

/* Eight rows of B by up to three of A, a segment of k after the other. */
static void vec_dots_bf16(int m, int64_t n, int64_t k, const void *xv, int64_t ldx, const void *b, wn_dtype in, int64_t ldb, void *yv, int64_t ldy) {
    enum { SEGMENT = 2048 };
    static void (*const run[])(int64_t, const uint16_t *, int64_t, const uint16_t *const *, float *) = {dots1_bf16, dots2_bf16, dots3_bf16};
    const uint16_t *x = xv;
    float *y = yv, sums[WN__GEMM_DOTS + 2][8];
    (void)in;
    for (int64_t j = 0; j < n; j += 8) {
        const int rows = n - j < 8 ? (int)(n - j) : 8;
        memset(sums, 0, sizeof sums);
        for (int64_t p = 0; p < k; p += SEGMENT) {
            const uint16_t *z[8];
            for (int r = 0; r < 8; r++) z[r] = (const uint16_t *)b + (j + (r < rows ? r : 0)) * ldb + p;
            for (int i = 0; i < m; i += 3) run[m - i < 3 ? m - i - 1 : 2](k - p < SEGMENT ? k - p : SEGMENT, x + i * ldx + p, ldx, z, sums[i]);
        }
        for (int i = 0; i < m; i++) memcpy(y + i * ldy + j, sums[i], (size_t)rows * sizeof *y);
    }
}

/* write_f32 where no element needs care: what vcvtne2ps2bf16 does to subnormal numbers and NaNs is not what we do. */
#define CARE 0xa1 /* quiet NaN, subnormal, signaling NaN */
static void write_bf16(void *dst, wn_dtype out, int64_t step, const void *src, int64_t n) {
    const float *x = src;
    uint16_t *y = dst;
    if (out != WN_BF16 || step != 1) {
        write_f32(dst, out, step, src, n);
        return;
    }
    int64_t i = 0;
    for (; i + 2 * LANES <= n; i += 2 * LANES) {
        const __m512 low = _mm512_loadu_ps(x + i), high = _mm512_loadu_ps(x + i + LANES);
        if (_mm512_fpclass_ps_mask(low, CARE) | _mm512_fpclass_ps_mask(high, CARE)) write_f32(y + i, out, 1, x + i, 2 * LANES);
        else _mm512_storeu_si512(y + i, (__m512i)_mm512_cvtne2ps_pbh(high, low));
    }
    if (i < n) write_f32(y + i, out, 1, x + i, n - i);
}
#undef CARE
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

static const wn__gemm_type type_bf16 = {.mr = MR, .nr = 2 * LANES, .kc = 384, .depth = 2, .size = sizeof(float), .dtype = WN_F32,
                                        .tile = tile_bf16, .tile_runs = tile_runs_bf16, .pack = pack_bf16, .load = read_f32, .add = add_f32, .store = write_bf16,
                                        .place = place_bf16, .place_halves = place_halves_bf16, .vec_dots = vec_dots_bf16};
