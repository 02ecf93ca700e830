/* Keys, and orders of lines. */
#include "ops/order/order.h"
#include "base/alloc.h"
#include "base/interrupt.h"
#include "engine/keys.h"
#include "base/threads.h"

/* ------------------------------------------------------------------ keys */

void wn__keys32(const wn__line *l, int64_t begin, int64_t n, uint32_t *key) {
    wn__key_kernels_now()->narrow(l->dtype, wn__line_at(l, begin), l->stride, n, key);
}
void wn__keys64(const wn__line *l, int64_t begin, int64_t n, uint64_t *key) {
    wn__key_kernels_now()->wide(l->dtype, wn__line_at(l, begin), l->stride, n, key);
}
enum { SOME = 256 };

/* ------------------------------------------------------------------ sorting */

enum { DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS, MOST_DIGITS = 8, PIECES = 32, FAR = 1 << 22, AT_ONCE = 1 << 20 };
enum { WIDE_BITS = 11, WIDE_DIGITS = 3, WIDE_FROM = 1 << 13, WIDE_TO = 1 << 17 }; /* of 32 bits */

#define KEY uint32_t
#define ITEM wn__item32
#define KEY_OF(i) ((i).key)
#define NAME(f) items32_##f
#include "ops/order/order_radix.h"
#define KEY uint64_t
#define ITEM wn__item64
#define KEY_OF(i) ((i).key)
#define NAME(f) items64_##f
#include "ops/order/order_radix.h"
#define KEY uint32_t
#define ITEM uint32_t
#define KEY_OF(i) (i)
#define NAME(f) keys32_##f
#include "ops/order/order_radix.h"
#define KEY uint64_t
#define ITEM uint64_t
#define KEY_OF(i) (i)
#define NAME(f) keys64_##f
#include "ops/order/order_radix.h"

void wn__sort_items64(wn__item64 *a, wn__item64 *b, int64_t n) {
    const wn__way way = wn__way_enter(WN__WAY_WHOLE); /* in the middle of its work nothing in a and b can be relied on */
    const wn__item64 *r = items64_sort(a, b, n);
    wn__way_leave(way);
    if (r != a) memcpy(a, r, (size_t)n * sizeof *a);
}

/* Items of a line, made on several threads where there are many. */
typedef struct making {
    const wn__line *l;
    wn__item32 *narrow;
    wn__item64 *wide;
    uint64_t flip, least; /* least: what the keys of a narrow range are lessened by */
} making;
static void make_items(void *ctx, int64_t begin, int64_t end) {
    const making *m = ctx;
    for (int64_t i = begin, n; i < end; i += n) {
        n = end - i < SOME ? end - i : SOME;
        if (m->narrow && m->l->dtype == WN_I64) {
            uint64_t key[SOME];
            wn__keys64(m->l, i, n, key);
            for (int64_t k = 0; k < n; k++) m->narrow[i + k] = (wn__item32){(uint32_t)(key[k] - m->least) ^ (uint32_t)m->flip, (uint32_t)(i + k)};
        } else if (m->narrow) {
            uint32_t key[SOME];
            wn__keys32(m->l, i, n, key);
            for (int64_t k = 0; k < n; k++) m->narrow[i + k] = (wn__item32){key[k] ^ (uint32_t)m->flip, (uint32_t)(i + k)};
        } else {
            uint64_t key[SOME];
            wn__keys64(m->l, i, n, key);
            for (int64_t k = 0; k < n; k++) m->wide[i + k] = (wn__item64){key[k] ^ m->flip, i + k};
        }
    }
}

/* Integers seldom use their 64 bits: do these fit into 32 when the least is taken from them? */
static bool narrow_range(const wn__line *l, uint64_t *least) {
    uint64_t key[SOME], low = UINT64_MAX, high = 0;
    for (int64_t i = 0, n; i < l->n; i += n) {
        n = l->n - i < SOME ? l->n - i : SOME;
        wn__keys64(l, i, n, key);
        for (int64_t k = 0; k < n; k++) {
            low = key[k] < low ? key[k] : low;
            high = key[k] > high ? key[k] : high;
        }
        if (high - low > UINT32_MAX) return false;
    }
    *least = low;
    return true;
}

bool wn__order_line(const wn__line *l, bool descending, wn__order *o) {
    uint64_t least = 0;
    bool narrow = l->n < UINT32_MAX && (wn__keys_narrow(l->dtype) || (l->dtype == WN_I64 && narrow_range(l, &least)));
    size_t item = narrow ? sizeof(wn__item32) : sizeof(wn__item64);
    *o = (wn__order){.n = l->n, .flip = descending ? (uint32_t)wn__key_most(l->dtype) : 0, .least = least};
    if ((uint64_t)l->n > SIZE_MAX / (2 * item)) return false;
    size_t half = (size_t)l->n * item;
    o->memory = half <= (size_t)1 << 18 ? wn__scratch(2, 2 * half + 1) : wn__data_alloc(2 * half, &o->capacity);
    if (!o->memory) return false;
    void *b = (char *)o->memory + half;
    making m = {.l = l, .narrow = narrow ? o->memory : NULL, .wide = narrow ? NULL : o->memory, .flip = descending ? wn__key_most(l->dtype) : 0, .least = least};
    if (l->n < 1 << 16) make_items(&m, 0, l->n);
    else if (!wn__parallel_fresh(l->n, 1 << 14, make_items, &m)) narrow = false, b = NULL;
    if (narrow) o->narrow = items32_sort(o->memory, b, l->n);
    else if (b) o->wide = items64_sort(o->memory, b, l->n);
    if (!o->narrow && !o->wide) wn__order_free(o);
    return o->memory;
}
void wn__order_free(wn__order *o) {
    if (o->capacity) wn__data_free(o->memory, o->capacity);
    o->memory = NULL;
    o->capacity = 0;
}

void *wn__sorted_keys(const wn__line *l, size_t *capacity) {
    bool narrow = wn__keys_narrow(l->dtype);
    size_t one = narrow ? 4 : 8, bytes = (size_t)l->n * one;
    if ((uint64_t)l->n > SIZE_MAX / (2 * one)) return NULL;
    char *p = wn__data_alloc(2 * bytes, capacity);
    if (!p) return NULL;
    const void *sorted;
    if (narrow) {
        wn__keys32(l, 0, l->n, (uint32_t *)(void *)p);
        sorted = keys32_sort((uint32_t *)(void *)p, (uint32_t *)(void *)(p + bytes), l->n);
    } else {
        wn__keys64(l, 0, l->n, (uint64_t *)(void *)p);
        sorted = keys64_sort((uint64_t *)(void *)p, (uint64_t *)(void *)(p + bytes), l->n);
    }
    if (!sorted) {
        wn__data_free(p, *capacity);
        return NULL;
    }
    if (sorted != p) memcpy(p, sorted, bytes);
    return p;
}
