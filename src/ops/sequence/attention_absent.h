/* What attention leaves out is not there: a product with a weight of 0 would still read it, and 0 * NaN is NaN. The kernels multiply all the
 * same and look for NaN in what they made; where there is one, they run once more, `careful`: rows that are not finite are multiplied with 0
 * in such elements, and what those hold is added for the pairs of a query and a key that count. Either way the bits are the same. */
#ifndef WN_OPS_ATTENTION_ABSENT_H
#define WN_OPS_ATTENTION_ABSENT_H
#include "ops/sequence/attention_blocks.h"

/* The rows of a block that are not finite. */
enum { WN__ATTENTION_BLOCK = 512 }; /* rows of a block at most */
typedef struct wn__unclean {
    int64_t n;
    int64_t row[WN__ATTENTION_BLOCK];
} wn__unclean;

/* Queries q0.. and keys k0.. of a batch. */
typedef struct wn__corner {
    const wn__attention *j;
    int64_t q0, nq, k0, nk;
    const char *mask; /* of the first pair, or NULL */
} wn__corner;
wn__corner wn__corner_of(const wn__attention *j, int64_t b, int64_t q0, int64_t nq, int64_t k0, int64_t nk);

/* Numbers of a corner's pairs: of the accumulators' type, or bf16, each row at its beginning; or bf16, two queries zipped. */
typedef enum wn__numbers_kind { WN__WIDE, WN__NARROW, WN__ZIPPED } wn__numbers_kind;
typedef struct wn__numbers {
    char *p;
    int64_t ld; /* as in attention.h */
    wn__numbers_kind kind;
} wn__numbers;
/* What they are of pairs that do not count becomes x. */
void wn__set_absent(const wn__corner *c, wn__numbers of, float x);

/* n rows, with 0 for what is not finite: r itself if all is, else a copy at `to` (wn__near_size). */
wn__rows wn__clean_rows(const wn__attention *j, wn__rows r, int64_t n, int64_t width, char *to, wn__unclean *found);
/* What was left out there: to[q] += of[q, k] * r[k] for the found keys, or to[k] += of[q, k] * r[q] for the found queries, of pairs that count. */
void wn__add_keys(const wn__corner *c, const wn__unclean *found, wn__numbers of, wn__rows r, int64_t width, char *to);
void wn__add_queries(const wn__corner *c, const wn__unclean *found, wn__numbers of, wn__rows r, int64_t width, char *to);
#endif
