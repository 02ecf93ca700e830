/* Batches of small products. Operands stay in place, in L1, and a kernel call is a product (or many dot products):
 * preparing each product as the blocked engine does would take longer than the product. */
#include "engine/gemm.h"
#include "base/alloc.h"
#include "base/inline.h"
#include "engine/block.h"
#include "base/threads.h"
#include <stdatomic.h>
#include <string.h>

enum {
    PLACE_BYTES = 20 << 10, /* of a chunk of B, per row of the register tile */
    L1_BYTES = 32 << 10,
    DOT_LONGEST = 256,      /* longest k of dot products; longer ones gain nothing from being computed together */
    DOT_SHORTEST = 8,       /* shortest k, if A has several rows */
    DOT_MOST = 16,          /* from so many columns on, and with a short k, B is better transposed */
    DOT_ROWS = 512,         /* dot products of one call */
    TURN_MOST = 16,         /* longest k for which B is packed element by element */
    HALVES_LONGEST = 4096,  /* longest k of products of bf16 and f16 */
    FEW_MOST = 4096,        /* elements of a B that only few rows use */
    PACK_MOST = 64 << 10,   /* elements of a B that is packed */
    PACK_FEW = 1024,        /* the same if few rows use it: a larger product is better by itself */
    PACK_STEP = 512,        /* of k packed at a time */
    HALVES_SUMS = 4096,     /* sums (and copied rows of A) that stay in L1 until converted */
    WORK = 65536            /* multiply-adds that are worth another thread */
};

typedef struct small {
    const wn__gemm *g;
    bool packed;                                   /* B's rows lie along k: each product packs them */
    bool whole;                                    /* pairs: A is read in place */
    bool straight;                                 /* pairs: sums go to C without a buffer */
    bool folded;                                   /* dot products: the batch's last label counts as columns */
    const wn__group *a, *b, *c;                    /* the batch's offsets in the operands */
    int64_t m, n, k, lda, ska, ldb, skb, ldc, snc; /* sizes, and strides over rows, columns and k */
    int64_t dot_step;                              /* dot products: distance between their rows of A; 0: the same row */
    int64_t pieces, rows;                          /* pieces of a product, and their rows (or dot products) */
    _Atomic bool failed;
} small;

/* Product number i of the batch, with what wn__gemm_finish needs. */
static wn__gemm product(const small *s, int64_t i, char *c) {
    wn__gemm g = *s->g;
    g.batch = i;
    g.c = c;
    return g;
}

/* Packs w columns of B (or rows of A), `step` apart, k deep with `along` between, into a panel of `width`. */
static void pack_panel(const wn__gemm *g, int width, int64_t w, int64_t k, const void *src, int64_t step, int64_t along, void *to) {
    const wn__gemm_type *t = g->t;
    int64_t outer[WN__GEMM_MAX_NR], inner[PACK_STEP];
    for (int64_t i = 0; i < w; i++) outer[i] = i * step;
    for (int64_t p = 0; p < k; p += PACK_STEP) {
        const int64_t n = k - p < PACK_STEP ? k - p : PACK_STEP;
        for (int64_t i = 0; i < n; i++) inner[i] = (p + i) * along;
        t->pack((char *)to + p / t->depth * width * (int64_t)t->size, width, (int)w, n, src, g->in, outer, inner);
    }
}
/* All columns of B are packed in panels, one after the other. */
static int panel_width(const small *s) { return s->n <= s->g->t->nr / 2 ? s->g->t->nr / 2 : s->g->t->nr; }
static int64_t panels_size(const small *s) {
    const int width = panel_width(s);
    return wn__panels(s->n, width) * width * wn__panels(s->k, s->g->t->depth);
}
/* Are rows of B so short along k that B is transposed to [k][n]? Packing panels takes longer. */
static bool turns(const small *s) { return s->k <= TURN_MOST && s->g->t->depth == 1 && s->g->in == s->g->t->dtype; }

#include "base/as_f32.h"
#include "engine/gemm_small_of.h"
#include "base/as_f64.h"
#include "engine/gemm_small_of.h"
#include "base/as_none.h"

static void pack_b(const small *s, const char *b, char *to) {
    const wn__gemm *g = s->g;
    const int width = panel_width(s);
    if (turns(s)) {
        if (g->t->size == 8) turn_f64(s, (const double *)(const void *)b, (double *)(void *)to);
        else turn_f32(s, (const float *)(const void *)b, (float *)(void *)to);
        return;
    }
    const int64_t in = (int64_t)wn_dtype_size(g->in), panel = wn__panels(s->k, g->t->depth) * width * (int64_t)g->t->size;
    for (int64_t j = 0; j < s->n; j += width, to += panel)
        pack_panel(g, width, s->n - j < width ? s->n - j : width, s->k, b + j * s->ldb * in, s->ldb, s->skb, to);
}

/* Runs the epilogue on rows that lie in C already. */
static void finish_rows(const small *s, int64_t i, int64_t at, int64_t rows, char *c) {
    for (int64_t r = at; r < at + rows; r++, c += s->ldc * (int64_t)s->g->t->size) wn__gemm_epilogue(s->g, c, i, r, 0, s->n);
}

/* Rows from `at` on, chunk p: in one call or, if A has known zeros, by register tiles, whose first chunk writes C. */
static void place_chunk(const small *s, int64_t at, int64_t rows, int64_t p, int64_t len, const char *a, const char *b, int64_t width, int64_t ldb, char *c) {
    const wn__gemm *g = s->g;
    const int64_t size = (int64_t)g->t->size, step = g->reach_a ? g->t->mr : rows;
    int64_t done = 0;
    for (int64_t r = 0; r < rows; r += step) {
        const int64_t n = wn__least(step, rows - r);
        int64_t from = 0, to = len;
        if (g->reach_a) {
            wn__reach_range(g->reach_a, at + r, at + r + n, s->k, &from, &to);
            wn__reach_cut(p, len, &from, &to);
        }
        if (from == to && p) continue;
        done += n * (to - from);
        for (int64_t j = 0; j < s->n; j += width)
            g->t->place(n, s->n - j < width ? s->n - j : width, to - from, a + (r * s->lda + from * s->ska) * size, s->lda, s->ska, b + (j * s->k + from * ldb) * size, ldb,
                        g->t->nr, c + (r * s->ldc + j) * size, s->ldc, g->alpha, p ? 1 : g->beta);
    }
    if (g->reach_a) wn__count_terms(done * s->n, (rows * len - done) * s->n);
}

/* C's element is the sum of chunks of k in order, as in the blocked engine. B is packed if its rows lie along k. */
static void run_products(void *ctx, int64_t begin, int64_t end) {
    small *s = ctx;
    const wn__gemm *g = s->g;
    const int64_t size = (int64_t)g->t->size, chunks = wn__panels(s->k, g->t->kc), kc = (s->k + chunks - 1) / chunks;
    const int64_t width = s->packed && !turns(s) ? panel_width(s) : s->n, ldb = s->packed ? width : s->skb;
    char *packed = NULL;
    const char *last = NULL; /* the B packed last, which products may share */
    if (s->packed && !(packed = wn__scratch_array(1, panels_size(s), (size_t)size))) {
        atomic_store(&s->failed, true);
        return;
    }
    for (int64_t u = begin; u < end; u++) {
        const int64_t i = u / s->pieces, at = u % s->pieces * s->rows, rows = s->m - at < s->rows ? s->m - at : s->rows;
        const char *a = (const char *)g->a + (wn__group_offset(s->a, i) + at * s->lda) * size, *b = (const char *)g->b + wn__group_offset(s->b, i) * size;
        char *c = (char *)g->c + (wn__group_offset(s->c, i) + at * s->ldc) * size;
        if (packed && b != last) pack_b(s, last = b, packed);
        if (packed) b = packed;
        for (int64_t p = 0; p < s->k; p += kc, a += kc * s->ska * size, b += kc * ldb * size)
            place_chunk(s, at, rows, p, wn__least(kc, s->k - p), a, b, width, ldb, c);
        if (g->epilogue) finish_rows(s, i, at, rows, c);
    }
}

static int64_t steps_of(const small *s) { return wn__panels(s->k, s->g->t->depth); }

/* Rows of A for the kernel, of pairs or floats: in place, copied, or (side by side) packed as in the blocked engine. */
typedef struct rows_of_a {
    const float *p;
    int64_t lda, ska;
} rows_of_a;

static rows_of_a make_rows(const small *s, const uint16_t *a, int64_t rows, float *room) {
    const wn__gemm_type *t = s->g->t;
    const int64_t steps = steps_of(s);
    if (s->whole) return (rows_of_a){(const float *)(const void *)a, s->lda / 2, 1};
    if (s->ska == 1 && t->depth == 1) {
        for (int64_t i = 0; i < rows; i++) t->load(room + i * steps, a + i * s->lda, s->g->in, s->k, 1);
        return (rows_of_a){room, steps, 1};
    }
    if (s->ska == 1) {
        uint16_t *to = (uint16_t *)(void *)room;
        const size_t bytes = (size_t)s->k * sizeof *to;
        if (bytes >= 8) wn__block_now()->move(rows, bytes, to, 2 * steps * (int64_t)sizeof *to, a, s->lda * (int64_t)sizeof *to);
        for (int64_t i = 0; i < rows; i++, to += 2 * steps, a += s->lda) {
            if (bytes < 8) memcpy(to, a, bytes);
            if (s->k % 2) to[s->k] = 0;
        }
        return (rows_of_a){room, steps, 1};
    }
    pack_panel(s->g, t->mr, rows, s->k, a, s->lda, s->ska, room);
    return (rows_of_a){room, 1, t->mr};
}

/* Rows of a product of bf16 or f16, with B packed in panels of `width`: summed in L1 in chunks of k, then converted. */
static void finish_halves(const small *s, int64_t i, rows_of_a a, int64_t r, int64_t rows, int width, const float *packed, float *acc, char *c) {
    const wn__gemm *g = s->g;
    const wn__gemm_type *t = g->t;
    const int64_t steps = steps_of(s), chunks = wn__panels(steps, t->kc), kc = (steps + chunks - 1) / chunks, out = (int64_t)wn_dtype_size(g->out);
    char *row = c + r * s->ldc * out;
    if (s->straight) {
        for (int64_t j = 0; j < s->n; j += width)
            t->place_halves(rows, s->n - j < width ? s->n - j : width, steps, a.p, a.lda, a.ska, packed + j * steps, width, row + j * out, s->ldc);
        return;
    }
    for (int64_t l = 0; g->beta != 0 && l < rows; l++) t->load(acc + l * s->n, row + l * s->ldc * out, g->out, s->n, s->snc);
    for (int64_t p = 0; p < steps; p += kc)
        for (int64_t j = 0; j < s->n; j += width)
            t->place(rows, s->n - j < width ? s->n - j : width, steps - p < kc ? steps - p : kc, a.p + p * a.ska, a.lda, a.ska, packed + j * steps + p * width,
                     width, t->nr, acc + j, s->n, g->alpha, p ? 1 : g->beta);
    if (!g->epilogue && s->snc == 1 && s->ldc == s->n) {
        t->store(row, g->out, 1, acc, rows * s->n);
        return;
    }
    const wn__gemm own = product(s, i, c);
    for (int64_t l = 0; l < rows; l++) {
        if (g->epilogue) wn__gemm_finish(&own, acc + l * s->n, r + l, 0, s->n);
        else t->store(row + l * s->ldc * out, g->out, s->snc, acc + l * s->n, s->n);
    }
}

static void run_halves(void *ctx, int64_t begin, int64_t end) {
    small *s = ctx;
    const wn__gemm *g = s->g;
    const wn__gemm_type *t = g->t;
    const int width = panel_width(s);
    const int64_t steps = steps_of(s), size = panels_size(s);
    const int64_t in = (int64_t)wn_dtype_size(g->in), out = (int64_t)wn_dtype_size(g->out);
    const int64_t each = (s->straight ? 0 : s->n) + (s->whole ? 0 : steps), fit = each ? HALVES_SUMS / each : s->m; /* of a row in L1 */
    const int64_t most = fit < t->mr || (!s->whole && s->ska != 1) ? t->mr : fit;
    const char *last = NULL;
    float *packed = wn__scratch_array(1, size + most * (each + 1), sizeof(float)), *acc = packed + size, *room = acc + (s->straight ? 0 : most * s->n);
    if (!packed) {
        atomic_store(&s->failed, true);
        return;
    }
    for (int64_t u = begin; u < end; u++) {
        const int64_t i = u / s->pieces, at = u % s->pieces * s->rows, stop = s->m - at < s->rows ? s->m : at + s->rows;
        const uint16_t *a = (const uint16_t *)(const void *)((const char *)g->a + wn__group_offset(s->a, i) * in);
        const char *b = (const char *)g->b + wn__group_offset(s->b, i) * in;
        char *c = (char *)g->c + wn__group_offset(s->c, i) * out;
        if (b != last) pack_b(s, last = b, (char *)packed);
        for (int64_t r = at; r < stop; r += most) {
            const int64_t rows = stop - r < most ? stop - r : most;
            finish_halves(s, i, make_rows(s, a + r * s->lda, rows, room), r, rows, width, packed, acc, c);
        }
    }
}

/* Finishes such sums through the epilogue. */
static void finish_dots(const small *s, int64_t i, int64_t at, int64_t rows, const char *a, const char *b, char *c) {
    const int64_t size = (int64_t)s->g->t->size;
    double sums[DOT_ROWS];
    s->g->t->pair_dots(rows, s->k, a, s->dot_step, b, s->ldb, sums, 1);
    if (!s->folded) {
        const wn__gemm own = product(s, i, c - at * s->snc * size);
        wn__gemm_finish(&own, sums, 0, at, rows);
        return;
    }
    for (int64_t r = 0; r < rows; r++) {
        const wn__gemm own = product(s, i * s->n + at + r, c + r * s->snc * size);
        wn__gemm_finish(&own, (char *)sums + r * size, 0, 0, 1);
    }
}

/* Each of A's few rows with all rows of B (columns of the product). */
static void run_dots(void *ctx, int64_t begin, int64_t end) {
    const small *s = ctx;
    const wn__gemm *g = s->g;
    const int64_t size = (int64_t)g->t->size;
    for (int64_t u = begin; u < end; u++) {
        const int64_t i = u / s->pieces, at = u % s->pieces * s->rows, rows = s->n - at < s->rows ? s->n - at : s->rows;
        const char *a = (const char *)g->a + (wn__group_offset(s->a, i) + at * s->dot_step) * size;
        const char *b = (const char *)g->b + (wn__group_offset(s->b, i) + at * s->ldb) * size;
        char *c = (char *)g->c + (wn__group_offset(s->c, i) + at * s->snc) * size;
        if (g->epilogue) finish_dots(s, i, at, rows, a, b, c);
        for (int64_t r = 0; r < s->m && !g->epilogue; r++, a += s->lda * size, c += s->ldc * size) g->t->pair_dots(rows, s->k, a, s->dot_step, b, s->ldb, c, s->snc);
    }
}

static void deal(small *s, int64_t units, double work, wn__task task) {
    const int64_t grain = 1 + (int64_t)(WORK / (work + 1));
    if (!wn__parallel_fresh(units, (double)units * work < 4 * WORK ? units : grain, task, s)) atomic_store(&s->failed, true);
}

/* Do dot products suit: few rows of A, and k side by side in both operands? */
static bool dots(small *s, int64_t batches) {
    const wn__gemm *g = s->g;
    const bool many = s->m > 2 && s->n >= DOT_MOST && s->k <= TURN_MOST; /* better to transpose B */
    const bool few = s->m <= WN__GEMM_FEW && s->k >= DOT_SHORTEST && s->n * s->k <= PACK_MOST && !many && batches > 1 && !g->epilogue;
    if ((s->m != 1 && !few) || s->k > DOT_LONGEST || (s->k > 1 && (s->ska != 1 || s->skb != 1)) || g->alpha != 1 || g->beta != 0) return false;
    wn__group a = *s->a, b = *s->b, c = *s->c;
    if (s->m == 1 && s->n == 1 && c.n) { /* single: the batch's last label gives columns, each with a row of A */
        s->n = c.size[c.n - 1];
        s->folded = true;
        s->dot_step = a.stride[c.n - 1], s->ldb = b.stride[c.n - 1], s->snc = c.stride[c.n - 1];
        a.n--, b.n--, c.n--;
        batches /= s->n;
    }
    s->a = &a, s->b = &b, s->c = &c;
    s->rows = s->n < DOT_ROWS ? s->n : DOT_ROWS;
    s->pieces = wn__panels(s->n, DOT_ROWS);
    deal(s, batches * s->pieces, (double)s->k * (double)s->rows * (double)s->m, run_dots);
    return true;
}

/* Matrices of a few rows and columns, such as rotations and covariances: any call would cost more than their sums. */
static void run_tiny(void *ctx, int64_t begin, int64_t end) {
    const small *s = ctx;
    const wn__gemm *g = s->g;
    const int64_t size = (int64_t)g->t->size;
    for (int64_t i = begin; i < end; i++) {
        const char *a = (const char *)g->a + wn__group_offset(s->a, i) * size, *b = (const char *)g->b + wn__group_offset(s->b, i) * size;
        char *c = (char *)g->c + wn__group_offset(s->c, i) * size;
        (g->t->size == 8 ? tiny_of_f64 : tiny_of_f32)(s, a, b, c);
    }
}

/* Do products take less time than a call that prepares them? More so if B's columns are not side by side. (Dot products
 * that are single or longer are better computed together.) */
static bool tiny(small *s, int64_t batches) {
    enum { ANY = 16, TURNED = 64 };
    const int64_t work = s->m * s->n * s->k;
    const bool turned = s->m > 1 && s->m <= WN__GEMM_FEW && s->n > 1 && (s->ldb != 1 || s->snc != 1);
    if (batches < 2 || s->g->epilogue || s->m * s->n == 1 || work > (turned ? TURNED : ANY) || (s->k > 4 && s->ska == 1 && s->skb == 1)) return false;
    deal(s, batches, (double)work, run_tiny);
    return true;
}

/* Do rows lie half a page apart? They fall on the same few lines of L1, which matters if panels are used again. */
static bool page_apart(int64_t bytes) { return bytes % 2048 == 0; }
/* Must A be packed for that reason? A tile of many rows has time to fetch each row from L2. */
static bool place_a(const small *s, int64_t size) {
    const bool apart = s->ska * size % 1024 == 0 && s->g->t->mr < 8;
    return s->m * s->k * size <= L1_BYTES || (s->lda == 1 && !apart) || (s->ska == 1 && !page_apart(s->lda * size));
}
static bool place_b(const small *s, int64_t size) {
    const int64_t kc = s->k < s->g->t->kc ? s->k : s->g->t->kc, bytes = s->n * kc * size;
    return bytes <= 2 * L1_BYTES || (bytes <= PLACE_BYTES * s->g->t->mr && !page_apart(s->skb * size));
}

static bool products(small *s, int64_t batches) {
    const wn__gemm *g = s->g;
    const int64_t size = (int64_t)g->t->size, mr = g->t->mr;
    if (s->n > 1 && s->snc != 1) return false;
    s->packed = s->n > 1 && s->ldb != 1;
    if (s->packed && (s->skb != 1 || (s->m <= WN__GEMM_FEW && s->n * s->k > PACK_FEW) || s->n * s->k > PACK_MOST || (s->m <= WN__GEMM_DOTS && s->k >= WN__GEMM_DOTS_LEAST))) return false;
    if (!place_a(s, size) || (!s->packed && !place_b(s, size))) return false;
    const double row = (double)s->n * (double)s->k;
    s->rows = s->m;
    if (batches < 4 * (int64_t)wn_num_threads() && (double)s->m * row > 4 * WORK) s->rows = (int64_t)(2 * WORK / (row * (double)mr) + 1) * mr;
    s->pieces = (s->m + s->rows - 1) / s->rows;
    deal(s, batches * s->pieces, (double)s->rows * row, run_products);
    return true;
}

/* Is every offset even, so that pairs stay whole? */
static bool even(const wn__group *g) {
    int64_t odd = 0;
    for (int d = 0; d < g->n; d++) odd |= g->stride[d];
    return odd % 2 == 0;
}

static bool halves(small *s, int64_t batches) {
    const wn__gemm *g = s->g;
    const int64_t mr = g->t->mr;
    const double row = (double)s->n * (double)s->k;
    const bool paired = g->t->depth == 2, few = s->m <= WN__GEMM_DOTS || s->n <= WN__GEMM_DOTS;
    if ((g->in != WN_BF16 && g->in != WN_F16) || s->n * s->k > PACK_MOST || s->k > HALVES_LONGEST) return false;
    if (!paired && few && (s->m <= WN__GEMM_FEW || row >= FEW_MOST)) return false; /* these are streamed */
    if (!paired && s->n * wn__least(s->k, g->t->kc) * (int64_t)g->t->size > PLACE_BYTES * mr) return false;
    s->whole = paired && s->ska == 1 && s->k % 2 == 0 && s->lda % 2 == 0 && even(s->a) && (uintptr_t)g->a % 4 == 0 && !page_apart(2 * s->lda);
    s->straight = !g->epilogue && g->alpha == 1 && g->beta == 0 && g->out == WN_BF16 && s->snc == 1 && g->t->place_halves && steps_of(s) <= g->t->kc;
    s->rows = s->m;
    if (batches < 4 * (int64_t)wn_num_threads() && (double)s->m * row > 4 * WORK) s->rows = (8 + (int64_t)(2 * WORK / (row * (double)mr))) * mr;
    s->pieces = (s->m + s->rows - 1) / s->rows;
    deal(s, batches * s->pieces, (double)s->rows * row, run_halves);
    return true;
}

bool wn__gemm_small(const wn__gemm *g, const wn__group *a, const wn__group *b, const wn__group *c, bool *done) {
    WN_ASSERT(!*done && a->total == c->total && b->total == c->total);
    const bool half = wn_dtype_size(g->in) == 2;
    *done = false;
    if (!half && (g->in != g->t->dtype || g->out != g->t->dtype)) return true;
    if (!wn__group_affine(&g->am) || !wn__group_affine(&g->ak) || !wn__group_affine(&g->bk) || !wn__group_affine(&g->bn) ||
        !wn__group_affine(&g->cm) || !wn__group_affine(&g->cn))
        return true;
    small s = {.g = g, .a = a, .b = b, .c = c, .m = g->cm.total, .n = g->cn.total, .k = g->ak.total, .lda = wn__group_stride(&g->am),
               .ska = wn__group_stride(&g->ak), .skb = wn__group_stride(&g->bk), .ldc = wn__group_stride(&g->cm), .snc = wn__group_stride(&g->cn)};
    if (!s.m || !s.n || !s.k || !c->total) return true;
    atomic_init(&s.failed, false);
    s.ldb = wn__group_stride(&g->bn);
    *done = half ? halves(&s, c->total) : tiny(&s, c->total) || dots(&s, c->total) || products(&s, c->total);
    return !atomic_load(&s.failed);
}
