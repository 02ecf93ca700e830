/* The blocked matrix product. All threads pack a superblock of A and one of B into panels, then take tiles of C. A tile
 * runs over all k chunks of the superblock, with A's panel in L1 and B's block in L2. An element of C is the sum of its
 * chunks in order, whoever computes it: the same bits for any number of threads and any tiling. */
#include "engine/gemm.h"
#include "base/alloc.h"
#include "base/level.h"
#include "base/threads.h"
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum {
    PANEL_BYTES = 8 << 20,  /* the packed superblock of an operand, which stays in L3 */
    K_SUPER = 2048,         /* k of a superblock, in whole chunks */
    SERIAL_BELOW = 400000,  /* multiply-adds of one core in the time that waking another takes */
    TILE_ROWS = 12,         /* panels of A in a tile of C */
    TILE_COLS = 8,          /* panels of B in a tile of C, in L2 */
    SHORT_K = 32,
    BARE_ROW = 3 << 10,     /* bytes of a row of A that need no packing */
    L1_WAYS = 8,
    MOST_INNER = 1024,      /* elements of k in a chunk: kc * depth at most */
    APART_MOST = 4,         /* threads that each pack for themselves; more would repeat too much */
    PACK_PANELS = 8,        /* panels packed together */
    PACK_SLICE = 16         /* elements of k in one go of that: reads whole rows of a row-major B */
};

_Atomic int64_t wn__terms_done, wn__terms_skipped;

const wn__gemm_kernels *wn__gemm_kernels_now(void) { return WN__OF_LEVEL(wn__gemm_kernels); }

/* Packed panels of one operand, by chunk, then by panel. */
typedef struct packed {
    char *at;
    int64_t first, panels; /* numbered as in the whole product */
    unsigned char *has;    /* [tile][chunk]: are its panels packed? NULL: all were packed before any tile */
} packed;

/* What one thread packs for itself when its tiles need it: of one operand all that a row (or column) of tiles walks
 * along, of the other what one such row needs. */
typedef struct own_panels {
    packed a, b; /* at: NULL before the thread begins */
} own_panels;

typedef struct gemm_job {
    const wn__gemm *g;
    int64_t m, n, k;                 /* k in steps: elements, or pairs of them */
    int64_t mp, np, kc, kn;          /* panels of the whole product; length and number of chunks */
    int64_t m0, m1, n0, n1, k0, k1;  /* the superblock: panels of A, panels of B, chunks */
    int64_t tm, tn;                  /* panels in a tile */
    bool own_a, own_b;               /* tiles pack that operand themselves: each part is needed by one tile */
    bool bare_a, bare_b;             /* that operand is read in place (of B: all but a narrow last panel) */
    int threads;                     /* number of threads that share the work */
    const int64_t *starts;           /* where chunks begin, if not every step of k is kept; NULL: every kc steps */
    bool small;                      /* too short to be interrupted */
    packed a, b;                     /* the superblock's panels; not of operands that tiles pack */
    own_panels *apart;               /* by worker, or NULL: what each packs for itself (run_apart) */
    char *acc;                       /* accumulators that outlive a superblock, [m][n of the superblock]; or NULL */
    bool direct;                     /* C itself accumulates */
    bool halves;                     /* sums are stored in a C of bf16 without a buffer */
    _Atomic bool failed;
} gemm_job;

static int64_t row_start(const gemm_job *j, int64_t p) { return wn__panel_start(j->m, j->mp, p); }
static int64_t col_start(const gemm_job *j, int64_t p) { return p * j->g->t->nr < j->n ? p * j->g->t->nr : j->n; }
static int64_t chunk_start(const gemm_job *j, int64_t c) { return j->starts ? j->starts[c] : c * j->kc < j->k ? c * j->kc : j->k; }

static int64_t chunk_length(const gemm_job *j, int64_t c) { return chunk_start(j, c + 1) - chunk_start(j, c); }
static int64_t a_bytes(const gemm_job *j, int64_t k) { return k * j->g->t->mr * (int64_t)j->g->t->size; } /* a panel, k deep */
static int64_t b_bytes(const gemm_job *j, int64_t k) { return k * j->g->t->nr * (int64_t)j->g->t->size; }

/* How many steps of k come before panel p of chunk c in the packed panels? */
static int64_t steps_before(const gemm_job *j, const packed *s, int64_t p, int64_t c) {
    return (chunk_start(j, c) - chunk_start(j, j->k0)) * s->panels + (p - s->first) * chunk_length(j, c);
}
static char *a_panel(const gemm_job *j, const packed *s, int64_t p, int64_t c) { return s->at + a_bytes(j, steps_before(j, s, p, c)); }
static char *b_panel(const gemm_job *j, const packed *s, int64_t p, int64_t c) { return s->at + b_bytes(j, steps_before(j, s, p, c)); }

/* Elements of k in `len` steps from step `at`; of pairs, the last may be half a pair. */
static int64_t elements(const gemm_job *j, int64_t at, int64_t len) {
    const int64_t depth = j->g->t->depth, left = j->g->ak.total - at * depth;
    return len * depth < left ? len * depth : left;
}

/* An operand, as packing sees it. */
typedef struct side {
    const wn__group *outer, *k;
    const void *data;
    int width;                                         /* of a panel */
    int64_t (*start)(const gemm_job *j, int64_t p);         /* the first row (column) of panel p */
} side;
static side side_a(const gemm_job *j) { return (side){&j->g->am, &j->g->ak, j->g->a, j->g->t->mr, row_start}; }
static side side_b(const gemm_job *j) { return (side){&j->g->bn, &j->g->bk, j->g->b, j->g->t->nr, col_start}; }

/* Prefetches what the next slice reads of each row of k: too short, and too far apart, for the hardware to predict. */
static void fetch_rows(const char *from, int64_t bytes, const int64_t *inner, int64_t n, int64_t size) {
    for (int64_t i = 0; i < n; i++)
        for (int64_t at = 0; at < bytes; at += 64) __builtin_prefetch(from + inner[i] * size + at);
}

/* Do the n columns lie side by side? */
static bool side_by_side(const int64_t *outer, int64_t n) {
    int64_t i = 1;
    while (i < n && outer[i] == outer[0] + i) i++;
    return i == n;
}

/* Packs panels p0 to p1 of chunk c; side by side, several at a time, in slices of k, so that whole lines are read. */
static void pack_panels(const gemm_job *j, const side *s, int64_t p0, int64_t p1, int64_t c, char *to) {
    const wn__gemm *g = j->g;
    const wn__gemm_type *t = g->t;
    int64_t outer[PACK_PANELS * WN__GEMM_MAX_NR], inner[MOST_INNER];
    const int64_t k0 = chunk_start(j, c), len = chunk_length(j, c), step = s->width * (int64_t)t->size, in = (int64_t)wn_dtype_size(g->in);
    const int64_t slice = wn__group_affine(s->k) && wn__group_stride(s->k) == 1 ? len : PACK_SLICE, together = s->width < t->nr ? TILE_ROWS : PACK_PANELS;
    wn__group_offsets(s->k, k0 * t->depth, elements(j, k0, len), inner);
    for (; p0 < p1; p0 += together, to += together * len * step) {
        const int64_t end = wn__least(p1, p0 + together), i0 = s->start(j, p0), count = s->start(j, end) - i0;
        wn__group_offsets(s->outer, i0, count, outer);
        if (t->pack_beside && g->in == t->dtype && count > end - p0 && side_by_side(outer, count)) {
            int start[TILE_ROWS + 1];
            for (int64_t p = p0; p <= end; p++) start[p - p0] = (int)(s->start(j, p) - i0);
            t->pack_beside(to, s->width, (int)(end - p0), start, len, (const char *)s->data + outer[0] * in, inner);
            continue;
        }
        for (int64_t at = 0; at < len; at += slice) {
            const int64_t n = elements(j, k0 + at, len - at < slice ? len - at : slice);
            for (int64_t p = p0; p < end; p++) {
                const int64_t i = s->start(j, p);
                if (at + slice < len) {
                    const int64_t next = (at + slice) * t->depth, more = elements(j, k0 + at + slice, wn__least(slice, len - at - slice));
                    fetch_rows((const char *)s->data + outer[i - i0] * in, (s->start(j, p + 1) - i) * in, inner + next, more, in);
                }
                t->pack(to + ((p - p0) * len + at) * step, s->width, (int)(s->start(j, p + 1) - i), n, s->data, g->in, outer + (i - i0), inner + at * t->depth);
            }
        }
    }
}
static void pack_a(const gemm_job *j, int64_t p0, int64_t p1, int64_t c, char *to) {
    const side s = side_a(j);
    pack_panels(j, &s, p0, p1, c, to);
}
static void pack_b(const gemm_job *j, int64_t p0, int64_t p1, int64_t c, char *to) {
    const side s = side_b(j);
    pack_panels(j, &s, p0, p1, c, to);
}

static int64_t pack_units(int64_t panels) { return (panels + PACK_PANELS - 1) / PACK_PANELS; }
static int64_t pack_units_a(const gemm_job *j) { return j->own_a || j->bare_a ? 0 : pack_units(j->m1 - j->m0); }
static int64_t pack_units_b(const gemm_job *j) { return j->own_b ? 0 : pack_units(j->n1 - j->n0); }

/* Units: for each chunk, groups of panels of A, then of B. */
static void pack_task(void *ctx, int64_t begin, int64_t end) {
    const gemm_job *j = ctx;
    const int64_t na = pack_units_a(j), nb = pack_units_b(j);
    for (int64_t u = begin; u < end; u++) {
        const int64_t c = j->k0 + u / (na + nb), i = u % (na + nb), at = (i < na ? i : i - na) * PACK_PANELS, p = (i < na ? j->m0 : j->n0) + at;
        if (i < na) pack_a(j, p, wn__least(p + PACK_PANELS, j->m1), c, a_panel(j, &j->a, p, c));
        else pack_b(j, p, wn__least(p + PACK_PANELS, j->n1), c, b_panel(j, &j->b, p, c));
    }
}

/* Where a tile, rows from r0 and columns from c0, accumulates: in C, in the superblock's buffer or the task's own. */
typedef struct target {
    char *at;
    int64_t ld;
} target;

static target tile_target(const gemm_job *j, int64_t r0, int64_t c0, char *own, int64_t own_ld) {
    const int64_t size = j->halves ? (int64_t)sizeof(uint16_t) : (int64_t)j->g->t->size;
    if (j->direct || j->halves) {
        const int64_t ld = wn__group_stride(&j->g->cm);
        return (target){(char *)j->g->c + (r0 * ld + c0) * size, ld};
    }
    if (j->acc) {
        const int64_t ld = (j->n1 - j->n0) * j->g->t->nr;
        return (target){j->acc + (r0 * ld + c0 - col_start(j, j->n0)) * size, ld};
    }
    return (target){own, own_ld};
}

/* Is there one chunk, and no place outside for sums? Then a buffer for a panel's rows will do for a tile. */
static bool one_chunk(const gemm_job *j) { return j->kn == 1 && !j->direct && !j->halves && !j->acc; }

/* Prefetches a high tile's part of C while its sums are computed (that pays with AVX-512; AVX2's six rows lose). */
static void fetch_tile(const char *to, int64_t row, int64_t rows, int64_t bytes) {
    for (int64_t i = 0; i < rows; i++)
        for (int64_t at = 0; at < bytes; at += 64) __builtin_prefetch(to + i * row + at, 0, 2);
}

static bool knows_zeros(const gemm_job *j) { return j->g->reach_a || j->g->reach_b; }

/* The range of steps of chunk c, from its beginning, in which panels p0.. of A by panels q0.. of B have terms. */
static void steps_of(const gemm_job *j, int64_t p0, int64_t p1, int64_t q0, int64_t q1, int64_t c, int64_t *from, int64_t *to) {
    const wn__gemm *g = j->g;
    const int64_t k = g->ak.total, depth = g->t->depth, start = chunk_start(j, c), len = chunk_length(j, c);
    int64_t a0 = 0, a1 = k, b0 = 0, b1 = k;
    if (g->reach_a) wn__reach_range(g->reach_a, row_start(j, p0), row_start(j, p1), k, &a0, &a1);
    if (g->reach_b) wn__reach_range(g->reach_b, col_start(j, q0), col_start(j, q1), k, &b0, &b1);
    *from = wn__reach_max(a0, b0) / depth;
    *to = (wn__least(a1, b1) + depth - 1) / depth;
    wn__reach_cut(start, len, from, to);
}

/* Multiplies panel p of A by panels q0.. of B in chunk c. a: A's packed panel; else its rows are read in place. Returns the
 * multiply-adds, in steps of k. */
static int64_t multiply(const gemm_job *j, int64_t p, int64_t q0, int64_t q1, int64_t c, const char *a, const char *b, char *to, int64_t ld) {
    const wn__gemm *g = j->g;
    const wn__gemm_type *t = g->t;
    const int64_t r = row_start(j, p), len = chunk_length(j, c), k0 = chunk_start(j, c), sk = wn__group_stride(&g->bk), size = (int64_t)t->size, none = 0;
    int64_t done = 0;
    const int w = (int)(row_start(j, p + 1) - r);
    const double beta = c == 0 ? g->beta : 1;
    const void *rows[WN__GEMM_MAX_MR];
    for (int i = 0; j->bare_a && i < w; i++) rows[i] = (const char *)g->a + (r + i) * wn__group_stride(&g->am) * size;
    for (int64_t q = q0; q < q1; q++, b += b_bytes(j, len), to += t->nr * (j->halves ? (int64_t)sizeof(uint16_t) : size)) {
        const int64_t col = col_start(j, q);
        const int cols = (int)(col_start(j, q + 1) - col);
        const bool bare = j->bare_b && cols == t->nr;
        int64_t at = 0, end = len;
        if (knows_zeros(j) && !j->halves) steps_of(j, p, p + 1, q, q + 1, c, &at, &end);
        const int64_t n = end - at, k = k0 + at;
        if (n == 0 && c > 0) continue; /* the first chunk must write C, even if only zeros */
        const char *ak = a + at * t->mr * size, *bk = b + at * t->nr * size;
        done += n * w * cols;
        if (j->direct && c > 0 && t->mr > L1_WAYS) fetch_tile(to, ld * size, w, cols * size);
        if (j->halves) t->place_halves(w, cols, len, a, 1, t->mr, b, t->nr, to, ld);
        else if (j->bare_a) t->tile_runs(w, cols, 1, n, rows, &k, bk, &none, to, ld, g->alpha, beta);
        else if (bare) t->tile(w, cols, n, ak, (const char *)g->b + (k * sk + col) * size, sk, to, ld, g->alpha, beta);
        else t->tile(w, cols, n, ak, bk, t->nr, to, ld, g->alpha, beta);
    }
    return done;
}

/* Adds one chunk of a tile; a and b: panels p0.. and q0.. of this chunk. Rows are finished while in cache. Returns
 * multiply's sum. */
static int64_t tile_chunk(const gemm_job *j, int64_t p0, int64_t p1, int64_t q0, int64_t q1, int64_t c, const char *a, const char *b,
                       target out) {
    const wn__gemm *g = j->g;
    const int64_t len = chunk_length(j, c), size = (int64_t)(j->halves ? sizeof(uint16_t) : g->t->size);
    const int64_t r0 = row_start(j, p0), c0 = col_start(j, q0), n = col_start(j, q1) - c0;
    const bool finish = c == j->kn - 1 && !j->halves && (!j->direct || g->epilogue);
    int64_t done = 0;
    for (int64_t p = p0; p < p1; p++, a += a_bytes(j, len)) {
        const int64_t r = row_start(j, p), end = row_start(j, p + 1), row = out.ld * size;
        char *to = out.at + (one_chunk(j) ? 0 : r - r0) * row;
        for (int64_t i = r; !j->direct && c == 0 && g->beta != 0 && i < end; i++) wn__gemm_load_row(g, to + (i - r) * row, i, c0, n);
        done += multiply(j, p, q0, q1, c, a, b, to, out.ld);
        for (int64_t i = r; finish && i < end; i++) wn__gemm_finish(g, to + (i - r) * row, i, c0, n);
    }
    return done;
}

static int64_t tile_rows(const gemm_job *j) { return (j->m1 - j->m0 + j->tm - 1) / j->tm; }
static int64_t tile_cols(const gemm_job *j) { return (j->n1 - j->n0 + j->tn - 1) / j->tn; }

/* Is B larger than A? Then threads that pack for themselves share out columns, and each packs all of A. */
static bool wide(const gemm_job *j) { return j->n > j->m; }

/* Makes room for what a thread packs itself; pages that it does not write are not touched. */
static bool begin_apart(const gemm_job *j, own_panels *own) {
    const int64_t chunks = j->k1 - j->k0, depth = chunk_start(j, j->k1) - chunk_start(j, j->k0);
    const int64_t rows = wide(j) ? j->m1 - j->m0 : j->tm, cols = wide(j) ? j->tn : j->n1 - j->n0;
    const int64_t in_a = j->own_a || j->bare_a ? 0 : (a_bytes(j, rows * depth) + 127) / 64 * 64;
    const int64_t in_b = j->own_b ? 0 : (b_bytes(j, cols * depth) + 127) / 64 * 64;
    const int64_t has_a = tile_rows(j) * chunks, has_b = tile_cols(j) * chunks;
    const int64_t all = in_a + in_b + has_a + has_b, huge = 2 << 20; /* panels then lie on one huge page */
    char *at = wn__scratch(4, (size_t)(all > huge / 2 && all < huge ? huge : all));
    if (!at) return false;
    unsigned char *has = (unsigned char *)at + in_a + in_b;
    own->a = (packed){at, j->m0, rows, has};
    own->b = (packed){at + in_a, j->n0, cols, has + has_a};
    memset(has, 0, (size_t)(has_a + has_b));
    return true;
}

/* Must panels p0.. of a tile be packed for chunk c? If there is room for one row only, the row before gives way. */
static bool wants(const gemm_job *j, packed *s, int64_t tile, int64_t p0, int64_t c) {
    const int64_t chunks = j->k1 - j->k0;
    if (!s->has) return false;
    if (s->panels <= tile && p0 != s->first) {
        s->first = p0;
        memset(s->has, 0, (size_t)chunks);
    }
    unsigned char *has = &s->has[(p0 - s->first) / tile * chunks + c - j->k0];
    const bool wanted = !*has;
    *has = 1;
    return wanted;
}
/* The packed panels p0.. of chunk c, packed by all threads before, or by this one now. */
static const char *panels_of_a(const gemm_job *j, packed *s, int64_t p0, int64_t p1, int64_t c) {
    const bool wanted = wants(j, s, j->tm, p0, c);
    char *panels = a_panel(j, s, p0, c);
    if (wanted) pack_a(j, p0, p1, c, panels);
    return panels;
}
static const char *panels_of_b(const gemm_job *j, packed *s, int64_t q0, int64_t q1, int64_t c) {
    const bool wanted = wants(j, s, j->tn, q0, c);
    char *panels = b_panel(j, s, q0, c);
    if (wanted) pack_b(j, q0, q1, c, panels);
    return panels;
}

/* For products with known zeros: counts the multiply-adds that a tile did and left out; a pair is two. */
static void count_terms(const gemm_job *j, int64_t rows, int64_t cols, int64_t done) {
    const int64_t steps = chunk_start(j, j->k1) - chunk_start(j, j->k0), depth = j->g->t->depth;
    wn__count_terms(done * depth, (rows * cols * steps - done) * depth);
}

static bool run_tile(gemm_job *j, packed *pa, packed *pb, int64_t p0, int64_t p1, int64_t q0, int64_t q1) {
    const wn__gemm *g = j->g;
    const int64_t r0 = row_start(j, p0), c0 = col_start(j, q0), c1 = col_start(j, q1);
    const int64_t size = (int64_t)g->t->size, own_ld = j->tn * g->t->nr;
    const int64_t sums = j->direct || j->halves || j->acc ? 0 : (one_chunk(j) ? 1 : j->tm) * g->t->mr * own_ld * size;
    const int64_t mine = j->own_a ? a_bytes(j, j->tm * j->kc) : j->own_b ? b_bytes(j, j->tn * j->kc) : 0;
    char *own = NULL;
    if (sums + mine && !(own = wn__scratch(1, (size_t)(sums + mine + 64)))) return false;
    char *here = own + (sums + 63) / 64 * 64;
    const target out = tile_target(j, r0, c0, own, own_ld);
    int64_t done = 0;
    for (int64_t c = j->k0; c < j->k1; c++) {
        const int64_t len = chunk_length(j, c);
        int64_t from = 0, to = len;
        if (knows_zeros(j) && !j->halves) steps_of(j, p0, p1, q0, q1, c, &from, &to);
        if (from == to) { /* nothing is packed, but this chunk may have to begin or finish C */
            done += tile_chunk(j, p0, p1, q0, q1, c, j->g->a, j->g->b, out);
            continue;
        }
        if (j->own_a && !j->bare_a) pack_a(j, p0, p1, c, here);
        if (j->own_b && !j->bare_b) pack_b(j, q0, q1, c, here);
        else if (j->bare_b && c1 % g->t->nr) pack_b(j, q1 - 1, q1, c, here + b_bytes(j, (q1 - 1 - q0) * len));
        const char *a = j->bare_a ? g->a : j->own_a ? here : panels_of_a(j, pa, p0, p1, c);
        const char *b = j->own_b ? here : panels_of_b(j, pb, q0, q1, c);
        done += tile_chunk(j, p0, p1, q0, q1, c, a, b, out);
    }
    if (knows_zeros(j)) count_terms(j, row_start(j, p1) - r0, c1 - c0, done);
    return true;
}

static void tile_task(void *ctx, int64_t begin, int64_t end) {
    gemm_job *j = ctx;
    const int64_t rows = tile_rows(j), cols = tile_cols(j);
    own_panels *own = j->apart ? &j->apart[wn__thread_number()] : NULL;
    bool ok = !own || own->a.at || begin_apart(j, own);
    const bool down = own && wide(j);
    for (int64_t u = begin; u < end && ok; u++) {
        const int64_t p = j->m0 + (down ? u % rows : u / cols) * j->tm, q = j->n0 + (down ? u / rows : u % cols) * j->tn;
        ok = run_tile(j, own ? &own->a : &j->a, own ? &own->b : &j->b, p, wn__least(p + j->tm, j->m1), q, wn__least(q + j->tn, j->n1));
    }
    if (!ok) atomic_store(&j->failed, true);
}

/* Makes tiles so small that every thread gets several. If tiles pack their A (B), they span all columns (rows). */
static void choose_tiles(gemm_job *j, bool apart) {
    const int64_t threads = j->threads, want = (!apart ? 4 : threads > 1 ? 12 : 1) * threads, rows = j->m1 - j->m0, cols = j->n1 - j->n0;
    const bool flat = !j->own_a && !j->own_b && j->kc <= SHORT_K; /* most of the work is storing C: long rows matter */
    j->tn = wn__least(flat ? TILE_ROWS * TILE_COLS / 2 : TILE_COLS, cols);
    j->tm = wn__least(flat ? TILE_ROWS * TILE_COLS / j->tn : TILE_ROWS, rows);
    if (apart && !j->own_a && !j->own_b) { /* no wider than a thread's share; then less high */
        int64_t *across = wide(j) ? &j->tn : &j->tm, *along = wide(j) ? &j->tm : &j->tn;
        const int64_t total = wide(j) ? cols : rows, groups = (total + *across * threads - 1) / (*across * threads) * threads;
        *across = (total + groups - 1) / groups;
        while (*along > 2 && tile_rows(j) * tile_cols(j) < want) *along = (*along + 1) / 2;
        return;
    }
    while ((j->own_a ? j->tm : j->own_b ? j->tn : j->tm * j->tn / 4) > 1 && tile_rows(j) * tile_cols(j) < want) {
        if (!j->own_b && (j->own_a || j->tm * j->g->t->mr >= j->tn * j->g->t->nr)) j->tm = (j->tm + 1) / 2;
        else j->tn = (j->tn + 1) / 2;
    }
}

/* Each thread packs for itself: reading what another core wrote costs several times that, if they share no cache. */
static bool run_apart(gemm_job *j) {
    own_panels own[WN__MAX_WORKERS];
    memset(own, 0, j->threads > 1 ? sizeof own : sizeof *own);
    choose_tiles(j, true);
    const int64_t tiles = tile_rows(j) * tile_cols(j);
    j->apart = own;
    const bool done = j->threads > 1 ? wn__parallel_fresh(tiles, 1, tile_task, j) : wn__serial_fresh(tiles, j->small ? tiles : 1, tile_task, j);
    j->apart = NULL;
    return done;
}

static bool run_superblock(gemm_job *j) {
    if (j->threads <= APART_MOST) return run_apart(j);
    choose_tiles(j, false);
    j->a.first = j->m0, j->a.panels = j->m1 - j->m0;
    j->b.first = j->n0, j->b.panels = j->n1 - j->n0;
    return wn__parallel_fresh((pack_units_a(j) + pack_units_b(j)) * (j->k1 - j->k0), 1, pack_task, j) &&
           wn__parallel_fresh(tile_rows(j) * tile_cols(j), 1, tile_task, j);
}

/* Chooses superblocks, in panels and chunks, and takes memory for panels and, if C cannot accumulate, for sums. */
static bool prepare(gemm_job *j, int64_t *ms, int64_t *ns, int64_t *ks) {
    const wn__gemm_type *t = j->g->t;
    const int64_t size = (int64_t)t->size;
    /* If C is one tile high (wide), each tile packs what only it needs, into L2, just before it is used. */
    j->own_b = j->mp <= TILE_ROWS && j->n >= j->m;
    j->own_a = !j->own_b && j->np <= TILE_COLS;
    const wn__gemm *g = j->g;
    j->bare_b = j->own_b && j->mp <= 5 && j->n * j->k * size <= WN__GEMM_BARE && g->in == t->dtype && wn__group_affine(&g->bn) && wn__group_stride(&g->bn) == 1 &&
                wn__group_affine(&g->bk) && wn__group_stride(&g->bk) * size % 1024 != 0;
    /* A is not packed if few columns use it, or if its few rows are short enough for L1 anyway. But more rows than L1
     * has ways must not lie a power of two apart: they would fall on the same lines. */
    const bool few = t->mr < L1_WAYS, used = j->own_a || (j->own_b && few && !j->bare_b) ? j->np <= 4 : few && j->k * size <= BARE_ROW && !j->own_b;
    j->bare_a = used && g->in == t->dtype && wn__group_affine(&g->am) && wn__group_affine(&g->ak) && (j->k == 1 || wn__group_stride(&g->ak) == 1) &&
                (few || wn__group_stride(&g->am) * size % 1024 != 0);
    /* If C accumulates, one chunk at a time: then what a row of tiles needs of A stays in L2 for all columns. */
    const bool apart = j->threads <= APART_MOST;
    *ks = apart && j->direct && !j->own_a && !j->own_b ? 1 : wn__least(j->kn, K_SUPER / j->kc > 0 ? K_SUPER / j->kc : 1);
    const int64_t k = wn__least(j->k, *ks * j->kc);
    *ms = j->own_a ? j->mp : wn__least(j->mp, PANEL_BYTES / a_bytes(j, k) + 1);
    *ns = j->own_b ? j->np : wn__least(j->np, PANEL_BYTES / b_bytes(j, k) + 1);
    const int64_t in_a = j->own_a || j->bare_a || apart ? 0 : (a_bytes(j, *ms * k) + 127) / 64 * 64;
    const int64_t in_b = j->own_b || apart ? 0 : (b_bytes(j, *ns * k) + 127) / 64 * 64;
    const bool outlive = !j->direct && *ks < j->kn;
    const int64_t acc_bytes = outlive ? j->m * *ns * t->nr * size : 0;
    j->a.at = wn__scratch(0, (size_t)(in_a + in_b + acc_bytes + 64));
    if (!j->a.at) return false;
    j->b.at = j->a.at + in_a;
    j->acc = outlive ? j->b.at + in_b : NULL;
    return true;
}

/* Is it too little work for more than one core? */
static bool serial(const wn__gemm *g) {
    return (double)g->cm.total * (double)g->cn.total * (double)((g->ak.total + g->t->depth - 1) / g->t->depth) < SERIAL_BELOW;
}
int wn__gemm_threads(const wn__gemm *g) { return serial(g) || wn__in_parallel() ? 1 : wn_num_threads(); }

/* The product g. Chunks divide `whole` steps of k; starts: where they begin among g's, if g has only some of these. */
static wn__ran run_product(const wn__gemm *g, int64_t whole, const int64_t *starts) {
    const wn__gemm_type *t = g->t;
    gemm_job j = {.g = g, .m = g->cm.total, .n = g->cn.total, .k = (g->ak.total + t->depth - 1) / t->depth, .starts = starts};
    j.mp = wn__panels(j.m, t->mr);
    j.np = wn__panels(j.n, t->nr);
    j.kn = wn__panels(whole, t->kc);
    j.kc = (whole + j.kn - 1) / j.kn;
    const bool rows = wn__group_affine(&g->cn) && wn__group_affine(&g->cm) && (j.n == 1 || wn__group_stride(&g->cn) == 1);
    j.direct = g->out == t->dtype && rows;
    j.halves = t->place_halves && g->out == WN_BF16 && rows && !g->epilogue && g->alpha == 1 && g->beta == 0 && j.kn == 1;
    j.small = serial(g);
    j.threads = wn__gemm_threads(g);
    int64_t ms, ns, ks;
    if (!prepare(&j, &ms, &ns, &ks)) return WN__NO_MEMORY;
    for (j.n0 = 0; j.n0 < j.np; j.n0 = j.n1) {
        j.n1 = wn__least(j.np, j.n0 + ns);
        for (j.k0 = 0; j.k0 < j.kn; j.k0 = j.k1) {
            j.k1 = wn__least(j.kn, j.k0 + ks);
            for (j.m0 = 0; j.m0 < j.mp; j.m0 = j.m1) {
                j.m1 = wn__least(j.mp, j.m0 + ms);
                if (!run_superblock(&j)) return WN__NO_MEMORY;
            }
        }
    }
    return wn__ran_if(!atomic_load(&j.failed));
}

static wn__ran run_blocked(void *form, const void *call) {
    const wn__gemm *g = form;
    const int64_t steps = (g->ak.total + g->t->depth - 1) / g->t->depth;
    wn__gemm h = *g;
    (void)call;
    h.kept_n = NULL; /* columns cannot be left out */
    if (g->t->depth > 1) h.kept_k = NULL; /* with steps left out, pairs would be different ones */
    int64_t *starts = h.kept_k ? wn__gemm_kept_starts(h.kept_k, steps, g->t->kc) : NULL;
    if (!starts) h.kept_k = NULL;
    if (!h.kept_m && !h.kept_k) return run_product(g, steps, NULL);
    wn__gemm kept;
    wn__gemm_keep(&h, &kept);
    wn__ran ran = kept.cm.total ? run_product(&kept, steps, starts) : WN__RAN;
    if (ran == WN__RAN && h.kept_m) wn__gemm_empty(&h);
    const int64_t done = kept.cm.total * kept.cn.total * kept.ak.total;
    if (ran == WN__RAN) wn__count_terms(done, g->cm.total * g->cn.total * g->ak.total - done);
    wn__free(starts);
    return ran;
}

/* ------------------------------------------------------------------ the table */

static const wn__kernel_row product[] = {
    {"vector", WN__FLOATS, WN__EVERY_LEVEL, wn__gemm_vector_suits, wn__gemm_vector, true},
    {"split", WN__FLOATS, WN__EVERY_LEVEL, wn__gemm_split_suits, wn__gemm_split, true},
    {"blocked", WN__FLOATS, WN__EVERY_LEVEL, NULL, run_blocked, true},
};
static void describe(const void *form, char *text, size_t room) {
    const wn__gemm *g = form;
    snprintf(text, room, "%s, %lld x %lld by %lld%s", wn_dtype_name(g->in), (long long)g->cm.total, (long long)g->ak.total, (long long)g->cn.total,
             g->t->depth > 1 ? ", pairs" : "");
}
WN__KERNEL_TABLE(wn__product_kernels, "product", product, .describe = describe);

bool wn__gemm_run(const wn__gemm *g) {
    WN_ASSERT(g->am.total == g->cm.total && g->bn.total == g->cn.total && g->ak.total == g->bk.total);
    WN_ASSERT(g->cm.total >= 0 && g->cn.total >= 0 && g->ak.total >= 0);
    if (g->cm.total == 0 || g->cn.total == 0) return true;
    if (g->ak.total == 0) {
        wn__gemm_empty(g);
        return true;
    }
    return wn__kernel_walk(&wn__product_kernels, g->in, (void *)(uintptr_t)g, NULL);
}
