/* Masks as bits: made once from any tensor, counted by chunks, so that several threads know where their elements belong. */
#include "base/inline.h"
#include "base/threads.h"
#include "ops/index/index.h"
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { CHUNK_WORDS = WN__MASK_CHUNK / 64 };

/* Bit i: is byte i not 0? */
static inline uint64_t bits_of_bytes(const uint8_t *p) {
#if defined(__SSE2__)
    uint64_t w = 0;
    for (int k = 0; k < 4; k++) {
        __m128i zero = _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(const void *)(p + 16 * k)), _mm_setzero_si128());
        w |= (uint64_t)(uint32_t)_mm_movemask_epi8(zero) << 16 * k;
    }
    return ~w;
#else
    uint64_t w = 0;
    for (int i = 0; i < 64; i++) w |= (uint64_t)(p[i] != 0) << i;
    return w;
#endif
}

#define BODY "ops/index/index_mask_of.h"
#include "base/for_numbers.h"
static void words_half(const void *src, uint64_t *w, int64_t n) { /* -0 is 0 */
    const uint16_t *x = src;
    for (int64_t k = 0; k < n; k++, x += 64) {
        uint8_t set[64];
        for (int i = 0; i < 64; i++) set[i] = (x[i] & 0x7fff) != 0;
        w[k] = bits_of_bytes(set);
    }
}
static void (*const words[WN__DTYPES])(const void *, uint64_t *, int64_t) = {BY_NUMBER(words), [WN_F16] = words_half, [WN_BF16] = words_half, [WN_BOOL] = words_u8};

static inline int64_t ones(uint64_t v) { /* without the instruction, which the baseline lacks */
    v -= v >> 1 & 0x5555555555555555u;
    v = (v & 0x3333333333333333u) + (v >> 2 & 0x3333333333333333u);
    v = (v + (v >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (int64_t)(v * 0x0101010101010101u >> 56);
}

typedef struct making {
    wn__mask *m;
    const char *p;
    wn_dtype dtype;
} making;

static void make_chunks(void *ctx, int64_t begin, int64_t end) {
    const making *k = ctx;
    wn__mask *m = k->m;
    size_t size = wn__dtype_size(k->dtype);
    for (int64_t chunk = begin; chunk < end; chunk++) {
        int64_t first = chunk * WN__MASK_CHUNK, n = m->n - first < WN__MASK_CHUNK ? m->n - first : WN__MASK_CHUNK, count = 0;
        uint64_t *w = m->bits + chunk * CHUNK_WORDS;
        const char *p = k->p + (size_t)first * size;
        words[k->dtype](p, w, n / 64);
        if (n % 64) {
            char last[64 * 8] = {0};
            memcpy(last, p + (size_t)(n / 64 * 64) * size, (size_t)(n % 64) * size);
            words[k->dtype](last, w + n / 64, 1);
        }
        for (int64_t i = 0; i < (n + 63) / 64; i++) count += ones(w[i]);
        m->before[chunk + 1] = count;
    }
}

static int64_t bit_words(const wn__mask *m) { return (m->n + 63) / 64 + 1; }
/* Of bits and counts; m gets what follows from the shape. */
static size_t words_of(wn__mask *m, int ndim, const int64_t *shape) {
    memset(m, 0, sizeof *m);
    m->n = wn__numel_of(ndim, shape, NULL);
    m->chunks = (m->n + WN__MASK_CHUNK - 1) / WN__MASK_CHUNK;
    return (size_t)(bit_words(m) + m->chunks + 1);
}
static bool make_bits(wn__mask *m, const wn_tensor *t, int ndim, const int64_t *shape) {
    int64_t strides[WN_MAX_DIMS];
    m->before = (int64_t *)(void *)(m->bits + bit_words(m));
    /* strided and broadcast masks are laid out first: a byte an element, in one fast pass */
    wn_tensor *flat = NULL;
    if (!t->contiguous || t->numel != m->n) {
        wn__broadcast_strides(t, ndim, shape, strides);
        for (int d = 0; d < ndim; d++) strides[d] /= (int64_t)wn__dtype_size(t->dtype);
        wn_tensor *wide = wn__tensor_view(t, ndim, shape, strides, t->offset);
        flat = wide ? wn__contiguous_raw(wide) : NULL;
        wn__release(wide);
        if (!flat) return false;
    }
    making k = {m, wn__ptr(flat ? flat : t), (wn_dtype)t->dtype};
    m->before[0] = 0;
    wn__parallel(m->chunks, 2, make_chunks, &k);
    m->bits[(m->n + 63) / 64] = 0; /* read by wn__mask_word at the end */
    for (int64_t i = 0; i < m->chunks; i++) m->before[i + 1] += m->before[i];
    m->count = m->before[m->chunks];
    wn__release(flat);
    return true;
}

bool wn__mask_make(wn__mask *m, const wn_tensor *t, int ndim, const int64_t *shape) {
    m->bits = wn__data_array((int64_t)words_of(m, ndim, shape), 8, &m->capacity);
    if (m->bits && make_bits(m, t, ndim, shape)) return true;
    wn__mask_drop(m);
    return false;
}
wn__mask *wn__mask_plan(wn__call *c, const wn_tensor *t, int ndim, const int64_t *shape) {
    wn__mask size, *m = wn__plan_room(c, sizeof *m + 8 * words_of(&size, ndim, shape));
    if (!m) return NULL;
    *m = size;
    m->bits = (uint64_t *)(void *)(m + 1);
    if (make_bits(m, t, ndim, shape)) return m;
    wn__fail_memory(c->op->name);
    return NULL;
}

void wn__mask_drop(wn__mask *m) {
    if (m->bits) wn__data_free(m->bits, m->capacity);
    m->bits = NULL;
}
