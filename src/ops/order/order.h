/* Lines of elements as unsigned keys (engine/keys.h), and their sorting by radix: stable, with no bad input. */
#ifndef WN_OPS_ORDER_H
#define WN_OPS_ORDER_H
#include "call/dispatch.h"

/* n elements of one dtype, `stride` elements apart. */
typedef struct wn__line {
    wn_dtype dtype;
    const char *p;
    int64_t stride, n;
} wn__line;

static inline const char *wn__line_at(const wn__line *l, int64_t i) { return l->p + i * l->stride * (int64_t)wn__dtype_size(l->dtype); }

/* Keys of dtypes of four bytes and less have 8 * size bits. */
static inline bool wn__keys_narrow(wn_dtype d) { return wn__dtype_size(d) <= 4; }
static inline int wn__key_bits(wn_dtype d) { return 8 * (int)wn__dtype_size(d); }
static inline uint64_t wn__key_most(wn_dtype d) { return UINT64_MAX >> (64 - wn__key_bits(d)); } /* the key of NaN */

/* Keys of elements begin .. begin + n - 1. keys32 is for narrow dtypes only. */
void wn__keys32(const wn__line *l, int64_t begin, int64_t n, uint32_t *key);
void wn__keys64(const wn__line *l, int64_t begin, int64_t n, uint64_t *key);

typedef struct wn__item32 {
    uint32_t key, index;
} wn__item32;
typedef struct wn__item64 {
    uint64_t key;
    int64_t index;
} wn__item64;

/* A line of elements of one byte, stable: where they come from to at[], the elements to values[] (NULL: not asked for). */
void wn__sort_bytes(const wn__line *l, bool descending, int64_t *at, char *values, int64_t stride);

/* How often each of the 256 bytes occurs among n. */
void wn__count_bytes(const void *x, int64_t n, int64_t *count);

/* A sorted line: in one of the two arrays. Keys are good for comparing with one another: descending ones are complemented, those of
 * int64 are less the smallest one. */
typedef struct wn__order {
    int64_t n;
    const wn__item32 *narrow;
    const wn__item64 *wide;
    uint32_t flip;  /* a narrow key ^ flip, and for int64 + least, is the element's key */
    uint64_t least;
    void *memory;
    size_t capacity; /* 0: the memory is the thread's scratch (slot 2) */
} wn__order;

/* False: no memory. Small orders live in scratch memory: one at a time on a thread. */
bool wn__order_line(const wn__line *l, bool descending, wn__order *o);
void wn__order_free(wn__order *o);
static inline int64_t wn__order_index(const wn__order *o, int64_t i) { return o->narrow ? (int64_t)o->narrow[i].index : o->wide[i].index; }
static inline uint64_t wn__order_key(const wn__order *o, int64_t i) { return o->narrow ? o->narrow[i].key : o->wide[i].key; }

/* Several short lines of one dtype, n elements `stride` apart each, sorted side by side (order_rows.c). */
enum { WN__ROW_LINES = 16, WN__ROW_MOST = 1024 };
typedef struct wn__rows {
    wn_dtype dtype;
    int64_t stride, n;
    const char *line[WN__ROW_LINES];
    int lines; /* at most wn__rows_lanes(dtype) */
    bool descending, places_only; /* places_only: nobody asks for keys */
    enum wn__rows_kind { WN__ROWS_HALF, WN__ROWS_ONE, WN__ROWS_PAIRS } kind;
    int bits; /* of a place, below the key */
    void *items;
} wn__rows;
static inline int wn__rows_lanes(wn_dtype d) { return wn__dtype_size(d) <= 2 ? 16 : 8; }
bool wn__rows_fit(wn_dtype d, int64_t n, int64_t lines); /* are these worth it? */
/* False: no memory. The result is valid until the thread's next order. */
bool wn__order_rows(wn__rows *r);
/* Of item i of line l: the element's place, and a key to compare with others of the line. (place_of: for loops that know the kind.) */
static inline int64_t wn__rows_place_of(enum wn__rows_kind kind, const wn__rows *r, int64_t i, int l) {
    if (kind == WN__ROWS_HALF) return ((const uint16_t *)r->items)[2 * (16 * i + l)]; /* a place is the low half of a word */
    if (kind == WN__ROWS_ONE) return (int64_t)(((const uint64_t *)r->items)[8 * i + l] & (((uint64_t)1 << r->bits) - 1));
    return ((const int64_t *)r->items)[8 * (r->n + i) + l];
}
static inline int64_t wn__rows_place(const wn__rows *r, int64_t i, int l) { return wn__rows_place_of(r->kind, r, i, l); }
static inline uint64_t wn__rows_key(const wn__rows *r, int64_t i, int l) {
    if (r->kind == WN__ROWS_HALF) return ((const uint32_t *)r->items)[16 * i + l] >> r->bits;
    return ((const uint64_t *)r->items)[8 * i + l] >> (r->kind == WN__ROWS_ONE ? r->bits : 0);
}
static inline uint64_t wn__rows_nan(const wn__rows *r) { /* such a key of NaN, ascending */
    if (r->kind == WN__ROWS_PAIRS) return (uint64_t)INT64_MAX;
    return wn__key_most(r->dtype) | (r->kind == WN__ROWS_ONE ? (uint64_t)0x3ff << (52 - r->bits) : 0);
}

/* For callers that have few items: sorts a, with room for n more in b. */
void wn__sort_items64(wn__item64 *a, wn__item64 *b, int64_t n);
/* The keys of l in ascending order, as 32 or 64 bits (by dtype); *capacity is for wn__data_free. NULL: no memory. */
void *wn__sorted_keys(const wn__line *l, size_t *capacity);

/* Where line number t of shape_of (all dimensions but dim, row-major) begins in a tensor with these strides, in elements. */
static inline int64_t wn__line_offset(const wn_tensor *shape_of, const int64_t *strides, int dim, int64_t t) {
    int64_t offset = 0;
    for (int d = shape_of->ndim - 1; d >= 0; d--) {
        if (d == dim) continue;
        if (t < shape_of->shape[d]) return offset + t * strides[d]; /* no division for the outermost one */
        offset += t % shape_of->shape[d] * strides[d];
        t /= shape_of->shape[d];
    }
    return offset;
}
#endif
