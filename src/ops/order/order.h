/* Lines of elements as unsigned keys (cpu/keys.h), and their sorting by radix: stable, with no bad input. */
#ifndef WN_OPS_ORDER_H
#define WN_OPS_ORDER_H
#include "ops/ops.h"

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

/* For callers that have few items: sorts a, with room for n more in b. */
void wn__sort_items64(wn__item64 *a, wn__item64 *b, int64_t n);
/* The keys of l in ascending order, as 32 or 64 bits (by dtype); *capacity is for wn__data_free. NULL: no memory. */
void *wn__sorted_keys(const wn__line *l, size_t *capacity);

/* Where line number t of shape_of (all dimensions but dim, row-major) begins in a tensor with these strides, in elements. */
static inline int64_t wn__line_offset(const wn_tensor *shape_of, const int64_t *strides, int dim, int64_t t) {
    int64_t offset = 0;
    for (int d = shape_of->ndim - 1; d >= 0; d--) {
        if (d == dim) continue;
        offset += t % shape_of->shape[d] * strides[d];
        t /= shape_of->shape[d];
    }
    return offset;
}
#endif
