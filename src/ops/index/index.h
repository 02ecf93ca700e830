/* Indexing: what the files index*.c share.
 *
 * Every row that goes through an index tensor is one walk over an *index space*: index_select is gather with an index that has
 * stride 0 in all dimensions but one, embedding is index_select in dimension 0, and so on. The tensor that is indexed is called
 * the table, the one that is walked through in order (result of a gather, source of a scatter) the slices. */
#ifndef WN_OPS_INDEX_H
#define WN_OPS_INDEX_H
#include "base/alloc.h"
#include "ops/pointwise/pointwise.h"

/* ------------------------------------------------------------------ walks (index_walk.c, index_rows.c) */

typedef enum wn__ix_mode {
    WN__IX_GATHER,  /* slices = table[index] */
    WN__IX_SCATTER, /* table[index] = slices; of repeats the last along the indexed dimension wins */
    WN__IX_ADD,     /* table[index] += alpha * slices, in order along the indexed dimension */
    WN__IX_MUL,     /* ... *= slices; bool: and */
    WN__IX_MIN,     /* the smaller of both; NaN wins */
    WN__IX_MAX
} wn__ix_mode;

typedef struct wn__ix {
    wn__ix_mode mode;
    wn_dtype dtype;               /* of table and slices; ADD: not f16, bf16 */
    int ndim, along;              /* dimensions of the index space; the one that the index stands for (-1 once it is of size 1) */
    int64_t shape[WN_MAX_DIMS];
    int64_t table[WN_MAX_DIMS];   /* byte strides; 0 along */
    int64_t slices[WN_MAX_DIMS];  /* byte strides */
    int64_t index[WN_MAX_DIMS];   /* strides in elements */
    int64_t step, limit;          /* of the table in the indexed dimension: byte stride and size */
    char *table_base, *slices_base;
    const int64_t *index_base;
    wn_val alpha;                 /* ADD; NONE: 1 */
    const char *start;            /* the table has nothing yet: what it starts from, of its strides (wn__ix_begin); NULL: it is complete */
} wn__ix;

/* Runs the walk (x is rearranged). False when it met an index outside [0, limit): a gather's result is to be dropped; a scatter skips
 * such elements (padding). Where all elements of an index row have one index (stride 0), only gathers look. */
bool wn__ix_run(wn__ix *x);

/* One block of a walk: n rows of `length` elements; what wn__ix_kernel's functions do. Strides as in wn__ix. */
typedef struct wn__ix_block {
    char *table, *slices;
    const int64_t *index;
    int64_t n, row_table, row_slices, row_index;         /* rows */
    int64_t length, in_table, in_slices, in_index;       /* inside a row; in_index 0: one index for the row */
    int64_t step, lo;
    uint64_t span;                                       /* only indices in [lo, lo + span) count */
    wn_val alpha;
} wn__ix_block;
typedef bool (*wn__ix_kernel)(const wn__ix_block *b); /* false: a gather met an index that does not count */
wn__ix_kernel wn__ix_kernel_for(wn__ix_mode mode, wn_dtype dtype, bool rows); /* folds: not f16, bf16 */

/* A scatter or an addition that is one line along the indexed dimension, shared out in bands of the table: each thread looks at all
 * indices and keeps those of its band, in order. *missed: an index is outside [0, limit). False: not worth it, nothing done
 * (index_bands.c). */
bool wn__ix_in_bands(const wn__ix *x, bool *missed);

/* ------------------------------------------------------------------ index tensors (index_walk.c) */

/* int64 (or int32, where `narrow`) or an error: code WN_E_RUNTIME, as torch. */
wn_status wn__ix_dtype(wn__call *c, const wn_tensor *index, bool narrow);
/* The index as int64, owned: itself, or a copy when it is int32 or its memory is written by the call. NULL + error record. */
wn_tensor *wn__ix_read(wn__call *c, wn_tensor *index);
/* The number of the first of n indices that is not in [0, limit); n: there is none. */
int64_t wn__ix_first_outside(const int64_t *p, int64_t stride, int64_t n, int64_t limit);
/* Are all of its elements in [0, limit)? The first one that is not goes into the error record. */
wn_status wn__ix_check(wn__call *c, wn_status code, const wn_tensor *index, const wn_tensor *table, int dim, int64_t limit);
/* A scatter's source, owned: itself, or a copy when its memory is written by the call. NULL + error record. */
wn_tensor *wn__ix_source(wn__call *c, wn_tensor *source);
/* For .infer: a scatter's result is the target in place, or lies row by row in self's shape. */
wn_status wn__ix_infer(wn__call *c, const wn_tensor *self);
/* ... after its arguments were looked at: dtypes, and an index no larger than what it goes through. */
wn_status wn__infer_scatter(wn__call *c, wn_tensor *self, int64_t dim, wn_tensor *index, wn_tensor *src);
/* c->out[0] as a scatter starts from it: with self's elements. NULL + error record. */
wn_tensor *wn__ix_result(wn__call *c, const wn_tensor *self);
/* The same for a walk whose table it is, whose strides and base are filled in here: a fresh result may be left for the walk to fill from
 * self, a part at a time while that is in the cache. `index` has an element for each of the slices'. */
wn_tensor *wn__ix_begin(wn__call *c, wn__ix *x, wn_tensor *self, const wn_tensor *slices, const wn_tensor *index, int dim);
/* May the walk itself find out whether all indices are in range? (A half written result must be nobody's; an index that says the same
 * for many elements is looked at faster on its own.) */
bool wn__ix_walk_checks(const wn__call *c, const wn_tensor *index);
/* Runs an ADD from `source` (shape as x's index space says) into `table`, whose strides and base are filled in here, through f32
 * where the dtype is f16 or bf16. Strides of dimensions beyond a tensor's own count as 0. */
wn_status wn__ix_add(wn__call *c, wn__ix *x, wn_tensor *table, wn_tensor *source, const wn_tensor *index);
/* The same where table and source (f16, bf16) are row-major and rows have one index each (*done). False: no memory (index_halves.c). */
bool wn__ix_add_halves(const wn__ix *x, const wn_tensor *table, const wn_tensor *source, bool *done);
/* g, of an index's shape, in the first corner of zeros of shape src: the gradient of a scatter's source (index_gather.c). */
wn_tensor *wn__ix_in_corner(wn_tensor *g, wn_dims src);
/* Of y = the product of what falls on each place (scatter_fold): the gradient of its sources, of index's shape (scatter_reduce.c). */
wn_tensor *wn__ix_product_grad(wn_tensor *self, int64_t dim, wn_tensor *index, wn_tensor *src, wn_tensor *y, wn_tensor *g, bool include_self);
/* Fills in what table, slices and index (int64; NULL: index strides are the caller's) say about a walk along dim. */
void wn__ix_set(wn__ix *x, const wn_tensor *table, const wn_tensor *slices, const wn_tensor *index, int dim);

/* For gradients: which positions of a 1-d index (of a dimension of `size`) write last; the others' values are gone. A bool vector;
 * NULL when no position repeats. Borrowed from the scope (index_select.c). */
wn_tensor *wn__last_writers(wn_tensor *index, int64_t size);

/* A tensor's geometry with 0-d counting as 1-d. */
static inline int wn__ndim1(const wn_tensor *t) { return t->ndim ? t->ndim : 1; }
static inline int64_t wn__size1(const wn_tensor *t, int d) { return t->ndim ? t->shape[d] : 1; }

/* ------------------------------------------------------------------ masks (index_mask.c, index_compact.c) */

enum { WN__MASK_CHUNK = 1 << 14 }; /* elements of one task */

/* The elements that are not 0, as bits in row-major order, and how many lie before each chunk. */
typedef struct wn__mask {
    uint64_t *bits;  /* one word more than needed */
    int64_t *before; /* [chunks + 1]; the last: the count */
    int64_t n, chunks, count;
    size_t capacity;
} wn__mask;
/* From any tensor expanded to shape; false when memory is short. */
bool wn__mask_make(wn__mask *m, const wn_tensor *t, int ndim, const int64_t *shape);
void wn__mask_drop(wn__mask *m);
/* The same as the call's plan, for .infer; there is nothing to drop. NULL + error record. */
wn__mask *wn__mask_plan(wn__call *c, const wn_tensor *t, int ndim, const int64_t *shape);
/* t's elements where m, of t broadcast to shape, is set, into r, 1-d (index_masked.c). */
void wn__mask_select(const wn_tensor *r, const wn_tensor *t, int ndim, const int64_t *shape, const wn__mask *m);
/* The reverse: m's places in `to` are filled from packed, m->count elements. */
void wn__mask_scatter(const wn_tensor *to, int ndim, const int64_t *shape, const wn__mask *m, char *packed);

/* n bits from position at, in the low bits; 1 <= n <= 64. */
static inline uint64_t wn__mask_word(const uint64_t *bits, int64_t at, int64_t n) {
    const uint64_t *w = bits + (at >> 6);
    int shift = (int)(at & 63);
    uint64_t v = shift ? w[0] >> shift | w[1] << (64 - shift) : w[0];
    return n < 64 ? v & (((uint64_t)1 << n) - 1) : v;
}

/* Elements at src, src + stride, ... whose bit (from position at) is set go to dst, without gaps; returns their end. Never
 * writes past `room`, the end of what belongs to this chunk. */
char *wn__compact(size_t size, const char *src, int64_t stride, const uint64_t *bits, int64_t at, int64_t n, char *dst, const char *room);
/* The same for as many whole words of 64 neighbouring elements as leave room for a vector that is written in full; *done: elements.
 * For level avx2 and above. */
char *wn__compact_x86(size_t size, const char *src, const uint64_t *bits, int64_t at, int64_t n, char *dst, const char *room, int64_t *done);
/* Of n marks (0 or 1, n a multiple of 4): inverse[e] = group + how many there are up to e, at[k] = i + where mark k is. Returns how many there are;
 * writes up to 4 places behind the last of at. Takes AVX2. */
int64_t wn__runs_x86(const uint8_t *fresh, int64_t i, int64_t n, int64_t group, int64_t *inverse, int64_t *at);
/* The reverse: the places whose bit is set are filled from src; returns what follows. */
const char *wn__spread(size_t size, char *dst, int64_t stride, const uint64_t *bits, int64_t at, int64_t n, const char *src);
#endif
