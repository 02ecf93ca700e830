/* Convolution forward and its gradient in the input, of many images that are small: vectors run along images. The copy of a band is
 * [y][x][channel][image], so that a vector is one position of 4 to 16 images; a position's sum runs over the taps that it sees,
 * each a run of channels in the copy and in the packed weights. Nothing is padded: at the border of a 4x4 image a third of all taps is
 * skipped, and rows need not fill vectors. Bf16 multiplies pairs of channels (level/gemm_bf16.h). Two dimensions at most. */
#include "core/alloc.h"
#include "cpu/conv_plan.h"
#include "cpu/pool.h"
#include <stdatomic.h>
#include <string.h>

enum {
    COPY_BYTES = 448 << 10, /* of a band and a chunk of channels: it stays in L2 */
    SUM_BYTES = 1 << 20,    /* of a task: touched once for every chunk */
    LEAST_CHANNELS = 8,     /* fewer fill neither a run nor a tile */
    STEP = 256              /* elements packed at a time */
};

/* What the positions of one dimension see: position o the entries from start[o] to start[o + 1]. */
typedef struct seen {
    int64_t *start, *source, *kernel;
} seen;

typedef struct job {
    const wn__conv_plan *p;
    const wn__conv_call *call;
    const wn__gemm_type *t;     /* multiplies; p->t moves */
    seen dim[2];                /* y, x */
    int64_t taps, steps, chunk; /* elements of the kernel; channels in the multiplier's steps, of all and of a chunk */
    int64_t lanes, blocks;      /* images of a vector, blocks of images */
    int64_t rows, bands, high;  /* rows of a band of the result; the most rows of the copy that one sees */
    int64_t mp, mblock, mblocks;
    char *packed;
    _Atomic bool failed;
} job;

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* The source coordinate that position o sees through kernel element k, or -1. */
static int64_t source_of(const wn__conv_plan *p, int d, bool transposed, int64_t o, int64_t k) {
    const int64_t first = p->taps[d].first, move = p->taps[d].move;
    if (!transposed) {
        const int64_t at = o * p->step[d] + first + k * move;
        return at < p->in[d] ? at : -1;
    }
    const int64_t at = o - first - k * move;
    return at >= 0 && at % p->step[d] == 0 && at / p->step[d] < p->in[d] ? at / p->step[d] : -1;
}

/* How many (position, tap) of dimension d exist. */
static int64_t count_seen(const wn__conv_plan *p, int d, bool transposed) {
    int64_t n = 0;
    for (int64_t o = 0; o < p->out[d]; o++)
        for (int64_t k = 0; k < p->taps[d].n; k++) n += source_of(p, d, transposed, o, k) >= 0;
    return n;
}

static int64_t *list_seen(const wn__conv_plan *p, int d, bool transposed, int64_t *memory, seen *s) {
    int64_t n = 0;
    s->start = memory;
    s->source = memory + p->out[d] + 1;
    s->kernel = s->source + p->out[d] * p->taps[d].n;
    for (int64_t o = 0; o < p->out[d]; o++) {
        s->start[o] = n;
        for (int64_t k = 0; k < p->taps[d].n; k++) {
            const int64_t at = source_of(p, d, transposed, o, k);
            if (at >= 0) s->source[n] = at, s->kernel[n++] = k;
        }
    }
    s->start[p->out[d]] = n;
    return s->kernel + p->out[d] * p->taps[d].n;
}

static int64_t lanes_of(const wn__gemm_type *t) { return t->nr / 2; } /* images of a vector */

/* Rows of the source that positions y0.. of a band see: lo and how many. */
static int64_t source_rows(const seen *y, int64_t y0, int64_t y1, int64_t *lo) {
    int64_t last = -1;
    *lo = INT64_MAX;
    for (int64_t i = y->start[y0]; i < y->start[y1]; i++) {
        if (y->source[i] < *lo) *lo = y->source[i];
        if (y->source[i] > last) last = y->source[i];
    }
    return last < 0 ? *lo = 0 : last - *lo + 1;
}

/* What multiplies: pairs of channels where the processor has them. */
static const wn__gemm_type *multiplier(const wn__conv_plan *p) {
    const wn__gemm_kernels *kernels = wn__gemm_kernels_now();
    return p->dtype == WN_BF16 && kernels->bf16 && p->cin % 2 == 0 && wn__cpu_has_bf16() ? kernels->bf16 : p->t;
}

/* Multiply-adds of both ways, for one weight and image: here (images filled up to whole vectors), and along rows with their gaps. */
bool wn__conv_images_suit(const wn__conv_plan *p, bool transposed) {
    const wn__gemm_type *t = p->t;
    const int64_t lanes = lanes_of(t), filled = (p->images + lanes - 1) / lanes * lanes, row = p->in[2] * p->cin * lanes * (int64_t)t->size;
    if (p->taps[0].n != 1 || p->in[0] != 1 || p->out[0] != 1 || p->cin < LEAST_CHANNELS || p->cout < LEAST_CHANNELS || filled == 0 ||
        p->taps[1].n * p->taps[2].n > t->kc || p->out[1] > 4096 || p->out[2] > 4096)
        return false;
    const int64_t chunks = (p->cin * p->taps[1].n * p->taps[2].n + t->kc - 1) / t->kc;
    if (row / chunks * (p->taps[1].n + 2) > COPY_BYTES) return false; /* bands would be mostly their neighbours' rows */
    int64_t o[3], reach[3], n = 1;
    for (int d = 1; d < 3; d++) {
        const int64_t s = p->step[d];
        o[d] = transposed ? (p->out[d] + s - 1) / s : p->out[d];
        reach[d] = (p->taps[d].n - 1) * p->taps[d].move / s;
        n *= p->taps[d].n;
    }
    const double along_rows = (double)(((o[1] - 1) * (o[2] + reach[2]) + o[2] + lanes - 1) / lanes * lanes) * (double)n * (double)p->images;
    const double here = (double)count_seen(p, 1, transposed) * (double)count_seen(p, 2, transposed) * (double)filled;
    const bool strided = transposed && p->step[1] * p->step[2] > 1; /* along rows, remainders are stored with gaps */
    const double moves = (strided ? 0.95 : 1.04) + 6 / (double)p->cout; /* both transpositions: measured */
    return here / multiplier(p)->depth * moves < along_rows;
}

static int64_t panel_row(const job *j, int64_t panel) { return wn__panel_start(j->p->cout, j->mp, panel); }
static char *panel_at(const job *j, int64_t group, int64_t panel, int64_t step) {
    return j->packed + ((group * j->mp + panel) * j->steps + step) * j->taps * j->t->mr * (int64_t)j->t->size;
}

/* [channel][tap][mr] becomes [tap][channel][mr]. */
static void exchange(const char *from, char *to, int64_t channels, int64_t taps, int64_t bytes) {
    for (int64_t t = 0; t < taps; t++)
        for (int64_t c = 0; c < channels; c++, to += bytes) memcpy(to, from + (c * taps + t) * bytes, (size_t)bytes);
}

/* Steps s.. of a panel of weights as [tap][step][mr]; dense ones are read along their rows first. */
static void pack_chunk(const job *j, const int64_t *outer, int64_t w, int64_t s, int64_t n, char *to, char *other) {
    const wn__conv_plan *p = j->p;
    const wn__conv_call *c = j->call;
    int64_t inner[STEP];
    const int64_t depth = j->t->depth, bytes = j->t->mr * (int64_t)j->t->size;
    const bool along = depth == 1 && j->taps > 1 && c->wk[2] == 1 && c->wk[1] == p->taps[2].n && c->wc == j->taps;
    wn__group k = {.n = 3, .total = j->taps * n * depth, .size = {p->taps[1].n, p->taps[2].n, n * depth}, .stride = {c->wk[1], c->wk[2], c->wc}};
    if (along) k.n = 1, k.size[0] = k.total, k.stride[0] = 1;
    const char *from = c->w + s * depth * c->wc * (int64_t)wn_dtype_size(p->dtype);
    char *first = along ? other : to;
    for (int64_t i = 0; i < k.total; i += STEP) {
        wn__group_offsets(&k, i, least(STEP, k.total - i), inner);
        j->t->pack(first + i / depth * bytes, j->t->mr, (int)w, least(STEP, k.total - i), from, p->dtype, outer, inner);
    }
    if (along) exchange(other, to, n, j->taps, bytes);
}

/* Weights as [group][panel][chunk][tap][step][mr]. Units: (group, panel). */
static void pack_task(void *ctx, int64_t begin, int64_t end, int worker) {
    job *j = ctx;
    int64_t outer[WN__GEMM_MAX_MR];
    (void)worker;
    char *other = wn__scratch(1, (size_t)(j->chunk * j->taps * j->t->mr * (int64_t)j->t->size));
    if (!other) {
        atomic_store(&j->failed, true);
        return;
    }
    for (int64_t u = begin; u < end; u++) {
        const int64_t group = u / j->mp, panel = u % j->mp, r0 = panel_row(j, panel), w = panel_row(j, panel + 1) - r0;
        for (int64_t i = 0; i < w; i++) outer[i] = group * j->call->wgroup + (r0 + i) * j->call->wm;
        for (int64_t s = 0; s < j->steps; s += j->chunk)
            pack_chunk(j, outer, w, s, least(j->chunk, j->steps - s), panel_at(j, group, panel, s), other);
    }
}

/* One task: panels p0.. of rows y0.. of a block of images. */
typedef struct part {
    int64_t image, images, group, y0, y1, p0, p1;
    int64_t low, high; /* rows of the source in the copy */
    char *copy, *sum, *piece;
    int64_t *offsets; /* of a position's taps, in the weights and in the copy, or what packing asks for */
} part;

/* Steps s.. of the source: one after another is packed as [position][image] and dealt to its place in [position][step][image]. */
static void copy_band(const job *j, const part *a, int64_t s, int64_t n) {
    const wn__conv_plan *p = j->p;
    const int64_t isize = (int64_t)wn_dtype_size(p->dtype), depth = j->t->depth, bytes = j->lanes * (int64_t)j->t->size;
    const int64_t positions = a->high * p->in[2], most = STEP / depth;
    int64_t outer[WN__GEMM_MAX_NR], inner[STEP];
    for (int64_t i = 0; i < a->images; i++) outer[i] = i * p->in_stride[0];
    const wn__group k = {.n = 3, .total = positions * depth, .size = {a->high, p->in[2], depth}, .stride = {p->in_stride[3], p->in_stride[4], p->in_stride[1]}};
    for (int64_t q = 0; q < positions; q += most) {
        const int64_t m = least(most, positions - q);
        wn__group_offsets(&k, q * depth, m * depth, inner);
        for (int64_t c = 0; c < n; c++) {
            const int64_t at = a->image * p->in_stride[0] + (a->group * p->cin + (s + c) * depth) * p->in_stride[1] + a->low * p->in_stride[3];
            j->t->pack(a->piece, (int)j->lanes, (int)a->images, m * depth, j->call->in + at * isize, p->dtype, outer, inner);
            char *to = a->copy + (q * n + c) * bytes;
            for (int64_t i = 0; i < m; i++) memcpy(to + i * n * bytes, a->piece + i * bytes, (size_t)bytes);
        }
    }
}

/* Where the taps of position (y, x) lie in the weights and in the copy; how many. */
static int64_t list_taps(const job *j, const part *a, int64_t y, int64_t x, int64_t n, int64_t *aoff, int64_t *boff) {
    const wn__conv_plan *p = j->p;
    const seen *sy = &j->dim[0], *sx = &j->dim[1];
    int64_t taps = 0;
    for (int64_t ty = sy->start[y]; ty < sy->start[y + 1]; ty++)
        for (int64_t tx = sx->start[x]; tx < sx->start[x + 1]; tx++, taps++) {
            aoff[taps] = (sy->kernel[ty] * p->taps[2].n + sx->kernel[tx]) * n * j->t->mr;
            boff[taps] = ((sy->source[ty] - a->low) * p->in[2] + sx->source[tx]) * n * j->lanes;
        }
    return taps;
}

/* Do positions x and x + 1 see the same taps? Then they share a tile, and their sources lie so far apart. */
static int64_t step_to_next(const job *j, int64_t x) {
    const seen *s = &j->dim[1];
    if (x + 1 == j->p->out[2]) return 0;
    const int64_t a = s->start[x], b = s->start[x + 1], n = b - a;
    if (n == 0 || s->start[x + 2] - b != n) return 0;
    for (int64_t i = 0; i < n; i++)
        if (s->kernel[a + i] != s->kernel[b + i] || s->source[b + i] - s->source[a + i] != s->source[b] - s->source[a]) return 0;
    return s->source[b] - s->source[a];
}

/* The sums of all positions of the band, one panel of weights after another; n steps from s. */
static void add_chunk(const job *j, const part *a, int64_t s, int64_t n) {
    const wn__conv_plan *p = j->p;
    const int64_t line = j->lanes * (int64_t)j->t->size, positions = (a->y1 - a->y0) * p->out[2], m0 = panel_row(j, a->p0);
    int64_t *aoff = a->offsets, *boff = a->offsets + j->taps;
    for (int64_t i = a->p0; i < a->p1; i++) {
        const int64_t r = panel_row(j, i), rows = panel_row(j, i + 1) - r;
        const char *weights = panel_at(j, a->group, i, s);
        char *to = a->sum + (r - m0) * positions * line;
        for (int64_t y = a->y0; y < a->y1; y++)
            for (int64_t x = 0; x < p->out[2];) {
                const int64_t taps = list_taps(j, a, y, x, n, aoff, boff), apart = step_to_next(j, x) * n * j->lanes, cols = apart ? 2 : 1;
                j->t->tile_list((int)rows, (int)(cols * j->lanes), taps, n, weights, aoff, a->copy, boff, apart, to, positions * j->lanes, s ? 1 : 0);
                to += cols * line;
                x += cols;
            }
    }
}

/* [position][image] becomes rows of images; bias, epilogue, conversion. */
static void write_out(const job *j, const part *a) {
    const wn__conv_plan *p = j->p;
    const wn__gemm_type *t = p->t;
    const wn__epilogue *e = j->call->e;
    const int64_t size = (int64_t)t->size, osize = (int64_t)wn_dtype_size(p->dtype), n = p->out[2], rows = a->y1 - a->y0, positions = rows * n;
    const bool end_to_end = p->out_stride[4] == 1 && p->out_stride[3] == n;
    int64_t inner[WN__GEMM_MAX_NR], *outer = a->offsets;
    for (int64_t i = 0; i < j->lanes; i++) inner[i] = i;
    for (int64_t q = 0; q < positions; q++) outer[q] = q * j->lanes;
    for (int64_t m = panel_row(j, a->p0); m < panel_row(j, a->p1); m++) {
        const int64_t channel = a->group * p->cout + m;
        double add = wn__conv_bias(p, j->call, channel);
        t->pack(a->piece, (int)positions, (int)positions, a->images, a->sum + (m - panel_row(j, a->p0)) * positions * j->lanes * size, t->dtype, outer, inner);
        for (int64_t i = 0; i < a->images; i++) {
            char *from = a->piece + i * positions * size;
            char *to = j->call->out + ((a->image + i) * p->out_stride[0] + channel * p->out_stride[1] + a->y0 * p->out_stride[3]) * osize;
            if (e) {
                t->store_rows(from, t->dtype, positions, 1, positions, 1, from, positions, add);
                e->run(e->ctx, from, a->image + i, channel, a->y0 * n, positions);
            }
            if (end_to_end) t->store_rows(to, p->dtype, positions, 1, positions, 1, from, positions, e ? -0.0 : add);
            else t->store_rows(to, p->dtype, p->out_stride[3], p->out_stride[4], n, rows, from, n, e ? -0.0 : add);
        }
    }
}

static part part_of(const job *j, int64_t u) {
    part a = {.p0 = u % j->mblocks * j->mblock};
    u /= j->mblocks;
    a.p1 = least(a.p0 + j->mblock, j->mp);
    a.y0 = u % j->bands * j->rows;
    a.y1 = least(a.y0 + j->rows, j->p->out[1]);
    u /= j->bands;
    a.group = u % j->p->groups;
    a.image = u / j->p->groups * j->lanes;
    a.images = least(j->lanes, j->p->images - a.image);
    a.high = source_rows(&j->dim[0], a.y0, a.y1, &a.low);
    return a;
}

static void task(void *ctx, int64_t begin, int64_t end, int worker) {
    job *j = ctx;
    const wn__conv_plan *p = j->p;
    const int64_t line = j->lanes * (int64_t)j->t->size, positions = j->rows * p->out[2];
    const int64_t copy = j->high * p->in[2] * j->chunk * line, sum = j->mblock * j->t->mr * positions * line;
    const int64_t piece = (positions > STEP ? positions : STEP) * line + 128;
    (void)worker;
    char *scratch = wn__scratch(1, (size_t)(copy + sum + piece + (positions + 2 * j->taps) * 8));
    if (!scratch) {
        atomic_store(&j->failed, true);
        return;
    }
    for (int64_t u = begin; u < end; u++) {
        part a = part_of(j, u);
        a.copy = scratch, a.sum = scratch + copy, a.piece = a.sum + sum;
        a.offsets = (int64_t *)(void *)(a.piece + piece);
        for (int64_t s = 0; s < j->steps; s += j->chunk) {
            copy_band(j, &a, s, least(j->chunk, j->steps - s));
            add_chunk(j, &a, s, least(j->chunk, j->steps - s));
        }
        write_out(j, &a);
    }
}

/* Bands and panels of a task. No element's sum depends on them. */
static void choose_parts(job *j) {
    const wn__conv_plan *p = j->p;
    const int64_t line = j->lanes * (int64_t)j->t->size;
    int64_t lo;
    for (j->bands = 1;; j->bands++) {
        j->rows = (p->out[1] + j->bands - 1) / j->bands;
        j->high = 0;
        for (int64_t y = 0; y < p->out[1]; y += j->rows) {
            const int64_t n = source_rows(&j->dim[0], y, least(y + j->rows, p->out[1]), &lo);
            if (n > j->high) j->high = n;
        }
        if (j->rows == 1 || j->high * p->in[2] * j->chunk * line <= COPY_BYTES) break;
    }
    j->bands = (p->out[1] + j->rows - 1) / j->rows;
    const int64_t units = j->blocks * p->groups * j->bands, panel = j->rows * p->out[2] * j->t->mr * line;
    const int64_t want = (2 * (int64_t)wn_num_threads() + units - 1) / units, most = SUM_BYTES / panel < 1 ? 1 : SUM_BYTES / panel;
    j->mblocks = (j->mp + most - 1) / most;
    if (j->mblocks < want) j->mblocks = least(want, j->mp);
    j->mblock = (j->mp + j->mblocks - 1) / j->mblocks;
    j->mblocks = (j->mp + j->mblock - 1) / j->mblock;
}

bool wn__conv_images(const wn__conv_plan *p, const wn__conv_call *call, bool transposed) {
    job j = {.p = p, .call = call, .t = multiplier(p), .taps = p->taps[1].n * p->taps[2].n};
    j.steps = p->cin / j.t->depth;
    const int64_t chunks = (j.steps * j.taps + j.t->kc - 1) / j.t->kc;
    j.chunk = (j.steps + chunks - 1) / chunks;
    j.lanes = lanes_of(j.t);
    j.blocks = (p->images + j.lanes - 1) / j.lanes;
    j.mp = wn__panels(p->cout, j.t->mr);
    int64_t lists = 0;
    for (int d = 1; d < 3; d++) lists += p->out[d] + 1 + 2 * p->out[d] * p->taps[d].n;
    const int64_t packed = (p->groups * j.mp * j.steps * j.taps * j.t->mr * (int64_t)j.t->size + 63) / 64 * 64;
    j.packed = wn__scratch(0, (size_t)(packed + lists * 8));
    if (!j.packed) return false;
    int64_t *memory = (int64_t *)(void *)(j.packed + packed);
    for (int d = 1; d < 3; d++) memory = list_seen(p, d, transposed, memory, &j.dim[d - 1]);
    choose_parts(&j);
    wn__parallel(p->groups * j.mp, 1 + 65536 / (j.steps * j.taps * j.t->mr), pack_task, &j);
    if (atomic_load(&j.failed)) return false;
    const double work = (double)j.steps * (double)j.taps * (double)(j.mblock * j.t->mr) * (double)(j.rows * p->out[2] * j.lanes);
    wn__parallel(j.blocks * p->groups * j.bands * j.mblocks, 1 + (int64_t)(200000 / work), task, &j);
    return !atomic_load(&j.failed);
}
