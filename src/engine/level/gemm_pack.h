/* Packing: any strided, possibly narrow operand becomes panels of T. A template like gemm_tile.h (T, LANES, OF). */

/* dst[i] = src[i * step] as T. */
static void OF(read)(void *dst, const void *src, wn_dtype in, int64_t n, int64_t step) {
    T *d = dst;
    if (step == 1 && in == (sizeof(T) == 4 ? WN_F32 : WN_F64)) {
        memcpy(dst, src, (size_t)n * sizeof(T));
        return;
    }
    if (step == 1 && sizeof(T) == 4 && (in == WN_F16 || in == WN_BF16)) {
        load_halves(dst, src, in, n);
        return;
    }
    switch (in) {
    case WN_F32:
        for (int64_t i = 0; i < n; i++) d[i] = (T)((const float *)src)[i * step];
        break;
    case WN_F64:
        for (int64_t i = 0; i < n; i++) d[i] = (T)((const double *)src)[i * step];
        break;
    case WN_F16:
        for (int64_t i = 0; i < n; i++) d[i] = (T)wn__f16_to_f32(((const uint16_t *)src)[i * step]);
        break;
    default:
        for (int64_t i = 0; i < n; i++) d[i] = (T)wn__bf16_to_f32(((const uint16_t *)src)[i * step]);
        break;
    }
}

static void OF(write)(void *dst, wn_dtype out, int64_t step, const void *src, int64_t n) {
    const T *s = src;
    if (step == 1 && out == (sizeof(T) == 4 ? WN_F32 : WN_F64)) {
        memcpy(dst, src, (size_t)n * sizeof(T));
        return;
    }
    if (step == 1 && sizeof(T) == 4 && (out == WN_F16 || out == WN_BF16)) {
        store_halves(dst, out, src, n);
        return;
    }
    switch (out) {
    case WN_F32:
        for (int64_t i = 0; i < n; i++) ((float *)dst)[i * step] = (float)s[i];
        break;
    case WN_F64:
        for (int64_t i = 0; i < n; i++) ((double *)dst)[i * step] = (double)s[i];
        break;
    case WN_F16:
        for (int64_t i = 0; i < n; i++) ((uint16_t *)dst)[i * step] = wn__f32_to_f16((float)s[i]);
        break;
    default:
        for (int64_t i = 0; i < n; i++) ((uint16_t *)dst)[i * step] = wn__f32_to_bf16((float)s[i]);
        break;
    }
}

/* acc[i] += src[i * step] converted to T, step 0 or 1. */
static void OF(add)(void *acc, const void *src, wn_dtype in, int64_t n, int64_t step) {
    enum { STEP = 64 };
    T *restrict y = acc, buf[STEP];
    if (step == 0) {
        OF(read)(buf, src, in, 1, 1);
        for (int64_t i = 0; i < n; i++) y[i] += buf[0];
        return;
    }
    if (in == (sizeof(T) == 4 ? WN_F32 : WN_F64)) {
        const T *restrict x = src;
        for (int64_t i = 0; i < n; i++) y[i] += x[i];
        return;
    }
    if (in == WN_BF16) {
        for (int64_t i = 0; i < n; i++) y[i] += (T)wn__bf16_to_f32(((const uint16_t *)src)[i]);
        return;
    }
    const int64_t size = in == WN_F64 ? 8 : in == WN_F32 ? 4 : 2;
    for (int64_t i = 0; i < n; i += STEP) {
        const int64_t m = n - i < STEP ? n - i : STEP;
        OF(read)(buf, (const char *)src + i * size, in, m, 1);
        for (int64_t l = 0; l < m; l++) y[i + l] += buf[l];
    }
}

#if VB == 32
/* Transposes LANES x LANES in registers: the quarters across are exchanged, then each half of a vector is interleaved by itself, which takes half
 * the instructions of interleaving whole vectors. */
INLINE void OF(transpose)(V *x) {
    enum { HALF = LANES / 2 };
    V y[LANES];
    _Pragma("GCC unroll 16") for (int i = 0; i < HALF; i++) y[i] = HALVES_LOW(x[i], x[i + HALF]), y[i + HALF] = HALVES_HIGH(x[i], x[i + HALF]);
    _Pragma("GCC unroll 4") for (int round = 1; round < HALF; round *= 2) {
        _Pragma("GCC unroll 16") for (int i = 0; i < HALF; i++) {
            const int from = i / (HALF / 2) * HALF + i % (HALF / 2), to = i / (HALF / 2) * HALF + i % (HALF / 2) * 2;
            x[to] = WITHIN_LOW(y[from], y[from + HALF / 2]);
            x[to + 1] = WITHIN_HIGH(y[from], y[from + HALF / 2]);
        }
        _Pragma("GCC unroll 16") for (int i = 0; i < LANES; i++) y[i] = x[i];
    }
}
#else
/* Transposes LANES x LANES in registers: log2(LANES) rounds of "interleave the first half of the rows with the second". */
INLINE void OF(zip_round)(const V *from, V *to) {
    _Pragma("GCC unroll 16") for (int i = 0; i < LANES / 2; i++) {
        to[2 * i] = ZIP_LOW(from[i], from[i + LANES / 2]);
        to[2 * i + 1] = ZIP_HIGH(from[i], from[i + LANES / 2]);
    }
}
INLINE void OF(transpose)(V *x) {
    V y[LANES];
    OF(zip_round)(x, y);
    if (LANES == 2) {
        x[0] = y[0], x[1] = y[1];
        return;
    }
    OF(zip_round)(y, x);
    if (LANES == 4) return;
    OF(zip_round)(x, y);
    if (LANES == 16) {
        OF(zip_round)(y, x);
        return;
    }
    _Pragma("GCC unroll 16") for (int i = 0; i < LANES; i++) x[i] = y[i];
}
#endif

/* Outer index contiguous: every k is one run of n elements; the last k stored without what hangs over, if it is the panel's last. */
INLINE void OF(pack_run)(const int n, const int room, const bool last, T *dst, int width, int64_t kc, const T *src, const int64_t *inner) {
    const PART_T part = PART(n);
    const int64_t whole = last ? kc - 1 : kc;
    for (int64_t p = 0; p < whole; p++) STOREV(dst + p * width, LOAD_PART(src + inner[p], part));
    if (last) STORE_PART(dst + whole * width, PART(room), room, LOAD_PART(src + inner[whole], part));
}
INLINE void OF(pack_rows)(const bool last, T *dst, int width, int w, int64_t kc, const T *src, const int64_t *inner) {
    if (w == 2 * LANES || kc == 0) { /* the common whole panel of B */
        for (int64_t p = 0; p < kc; p++, dst += width) {
            STOREV(dst, LOADV(src + inner[p]));
            STOREV(dst + LANES, LOADV(src + inner[p] + LANES));
        }
        return;
    }
    for (int r0 = (width - 1) / LANES * LANES; r0 >= 0; r0 -= LANES) { /* stored beyond the panel, too, as in pack_block */
        const int n = w - r0 < LANES ? w - r0 : LANES, room = width - r0 < LANES ? width - r0 : LANES;
        if (n > 0) OF(pack_run)(n, room, last, dst + r0, width, kc, src + r0, inner);
        else
            for (int64_t p = 0; p < kc; p++) memset(dst + p * width + r0, 0, (size_t)room * sizeof(T));
    }
}
static void OF(pack_copy)(T *dst, int width, int w, int64_t kc, const T *src, const int64_t *inner) {
    OF(pack_rows)(true, dst, width, w, kc, src, inner);
}

/* What a panel reads of a row of k is a part of a line, too far from the row before for the processor to foresee: a few rows for all panels, and
 * more of them would not fit into L1 where rows lie a power of two apart. */
static void OF(pack_beside)(void *dst, int width, int panels, const int *start, int64_t kc, const void *from, const int64_t *inner) {
    enum { SLICE = 8, AHEAD = 2 * SLICE };
    const T *src = from;
    const size_t bytes = (size_t)start[panels] * sizeof(T);
    for (int64_t at = 0; at < kc; at += SLICE) {
        const int64_t left = kc - at, n = left < SLICE ? left : SLICE, more = left - AHEAD < n ? left - AHEAD : n;
        for (int64_t i = 0; i < more; i++)
            for (size_t b = 0; b < bytes; b += 64) __builtin_prefetch((const char *)(src + inner[at + AHEAD + i]) + b);
        T *to = (T *)dst + at * width;
        for (int p = 0; p < panels; p++, to += kc * width)
            OF(pack_rows)(n == left, to, width, start[p + 1] - start[p], n, src + start[p], inner + at);
    }
}

static void OF(pack_gather)(T *dst, int width, int w, int64_t kc, const T *src, const int64_t *outer,
                            const int64_t *inner) {
    for (int64_t p = 0; p < kc; p++, dst += width) {
        for (int r = 0; r < w; r++) dst[r] = src[outer[r] + inner[p]];
        for (int r = w; r < width; r++) dst[r] = 0;
    }
}

/* One block of at most LANES rows, contiguous along k, transposed. A block narrower than a vector (the last one) is stored
 * in whole vectors too: what hangs over into the next k is written again by the blocks before it, which come later, or by
 * the next k; only what would hang over the end is stored piece by piece. */
static WN__ONCE void OF(store_ends)(T *dst, int width, int room, int64_t left, const V *x) {
    for (int t = 0; t < LANES; t++, dst += width, left -= width) {
        if (left >= LANES) STOREV(dst, x[t]);
        else
            for (int r = 0; r < room; r++) dst[r] = x[t][r];
    }
}
INLINE void OF(pack_block)(const bool full, T *dst, int width, int r0, int w, int64_t kc, const T *src, const int64_t *outer) {
    const int room = full || width - r0 >= LANES ? LANES : width - r0;
    int64_t p = 0;
    for (; p < kc && kc >= LANES; p += LANES) {
        if (p + LANES > kc) p = kc - LANES; /* the last repeats some of the one before */
        V x[LANES];
        _Pragma("GCC unroll 16") for (int r = 0; r < LANES; r++) {
            if (full || r < w) {
                __builtin_prefetch(src + outer[r] + p + 6 * LANES);
                x[r] = LOADV(src + outer[r] + p);
            } else {
                x[r] = (V){0};
            }
        }
        OF(transpose)(x);
        if (full || room == LANES || (kc - p - LANES + 1) * width - r0 >= LANES) {
            _Pragma("GCC unroll 16") for (int t = 0; t < LANES; t++) STOREV(dst + (p + t) * width + r0, x[t]);
        } else {
            OF(store_ends)(dst + p * width + r0, width, room, (kc - p) * width - r0, x);
        }
    }
    for (; p < kc; p++)
        for (int r = 0; r < room; r++) dst[p * width + r0 + r] = r < w ? src[outer[r] + p] : 0;
}

/* Rows contiguous along k, in runs (one run for a single k label, several for merged windows or several labels). */
static void OF(pack_runs)(T *dst, int width, int w, int64_t kc, const T *src, const int64_t *outer,
                          const int64_t *inner) {
    for (int64_t p = 0; p < kc;) {
        const int64_t len = run_length(inner + p, kc - p);
        if (len < LANES) {
            OF(pack_gather)(dst + p * width, width, w, len, src, outer, inner + p);
        } else {
            for (int r0 = (width - 1) / LANES * LANES; r0 >= 0; r0 -= LANES) {
                const int n = w - r0 < 0 ? 0 : w - r0 < LANES ? w - r0 : LANES;
                if (n == LANES) OF(pack_block)(true, dst + p * width, width, r0, n, len, src + inner[p], outer + r0);
                else OF(pack_block)(false, dst + p * width, width, r0, n, len, src + inner[p], outer + r0);
            }
        }
        p += len;
    }
}

static void OF(pack_same)(T *dst, int width, int w, int64_t kc, const T *src, const int64_t *outer,
                          const int64_t *inner) {
    if (w > 1 && is_run(outer, w)) OF(pack_copy)(dst, width, w, kc, src + outer[0], inner);
    else if (kc > 1 && inner[1] == inner[0] + 1) OF(pack_runs)(dst, width, w, kc, src, outer, inner);
    else OF(pack_gather)(dst, width, w, kc, src, outer, inner);
}

/* Narrow types: converted into a small block of T first (along whichever direction is contiguous), then packed from there. */
static void OF(pack_convert)(T *dst, int width, int w, int64_t kc, const void *src, wn_dtype in, const int64_t *outer,
                             const int64_t *inner) {
    enum { STEP = 64 };
    T block[WN__GEMM_MAX_NR * STEP];
    int64_t rows[WN__GEMM_MAX_NR], cols[STEP];
    const size_t size = in == WN_F64 ? 8 : in == WN_F32 ? 4 : 2;
    const bool unit = w > 1 && is_run(outer, w);
    if (unit && sizeof(T) == 4 && w == 2 * LANES && w == width && (in == WN_F16 || in == WN_BF16)) { /* the common whole panel of B */
        pack_halves((float *)(void *)dst, kc, (const uint16_t *)src + outer[0], in, inner);
        return;
    }
    for (int64_t p = 0; p < kc; p += STEP) {
        const int n = (int)(kc - p < STEP ? kc - p : STEP);
        const bool along = is_run(inner + p, n);
        if (unit) { /* block[k][w] */
            for (int i = 0; i < n; i++) OF(read)(block + i * w, (const char *)src + (outer[0] + inner[p + i]) * (int64_t)size, in, w, 1);
        } else { /* block[w][k] */
            for (int r = 0; r < w; r++) {
                if (along) OF(read)(block + r * STEP, (const char *)src + (outer[r] + inner[p]) * (int64_t)size, in, n, 1);
                else
                    for (int i = 0; i < n; i++)
                        OF(read)(block + r * STEP + i, (const char *)src + (outer[r] + inner[p + i]) * (int64_t)size, in, 1, 1);
            }
        }
        for (int r = 0; r < w; r++) rows[r] = unit ? r : r * STEP;
        for (int i = 0; i < n; i++) cols[i] = unit ? i * w : i;
        OF(pack_same)(dst + p * width, width, w, n, block, rows, cols);
    }
}

static void OF(pack)(void *dst, int width, int w, int64_t kc, const void *src, wn_dtype in, const int64_t *outer,
                     const int64_t *inner) {
    if (in == (sizeof(T) == 4 ? WN_F32 : WN_F64)) OF(pack_same)(dst, width, w, kc, src, outer, inner);
    else OF(pack_convert)(dst, width, w, kc, src, in, outer, inner);
}
