/* The map of attention's mask. */
#include "ops/sequence/attention_map.h"
#include <math.h>
#include <string.h>
#include "base/alloc.h"
#include "base/threads.h"
#include "support/fact.h"

enum {
    NONE = 0, /* no pair of the tile counts */
    SOME = 1,
    ALL = 2,
    LEAST_PAIRS = 4096 /* of a batch: less is computed faster than looked at */
};

/* ------------------------------------------------------------------ reading the mask */

/* Of n bytes: is one not 0, is one 0? */
static void look_at_bytes(const uint8_t *m, int64_t n, int64_t step, bool *some, bool *gap) {
    const uint64_t ones = 0x0101010101010101, high = 0x8080808080808080;
    int64_t i = 0;
    for (uint64_t x; step == 1 && i + 8 <= n; i += 8) {
        memcpy(&x, m + i, sizeof x);
        *some |= x != 0;
        *gap |= ((x - ones) & ~x & high) != 0;
    }
    for (; i < n; i++) {
        *some |= m[i * step] != 0;
        *gap |= m[i * step] == 0;
    }
}
/* Of n biases: is one not -inf? */
static bool some_bias(const wn__attention *j, const char *m, int64_t n, int64_t step) {
    bool some = false;
    if (j->dtype == WN_F64)
        for (int64_t i = 0; i < n; i++) some |= ((const double *)(const void *)m)[i * step] != -(double)INFINITY;
    else
        for (int64_t i = 0; i < n; i++) some |= ((const float *)(const void *)m)[i * step] != -INFINITY;
    return some;
}

static uint8_t tile_of(const wn__attention *j, const char *m, int64_t rows, int64_t keys) {
    const int64_t rs = j->mstride[j->lead], cs = j->mstride[j->lead + 1], size = j->bool_mask ? 1 : j->size;
    bool some = false, gap = !j->bool_mask;
    if (cs == 0) keys = 1;
    for (int64_t i = 0; i < (rs ? rows : 1) && !(some && gap); i++, m += rs * size) {
        if (j->bool_mask) look_at_bytes((const uint8_t *)m, keys, cs, &some, &gap);
        else some |= some_bias(j, m, keys, cs);
    }
    return !some ? NONE : gap ? SOME : ALL;
}

/* ------------------------------------------------------------------ the map */

/* Batches whose masks are the same memory have one map. */
static int64_t maps_of(const wn__attention *j) {
    int64_t n = 1;
    for (int d = 0; d < j->lead; d++) n *= j->mstride[d] ? j->shape[d] : 1;
    return n;
}
/* The number of batch b's map; from the number of a map, `back`, a batch that has it. */
static int64_t convert(const wn__attention *j, int64_t number, bool back) {
    int64_t to = 0, step = 1;
    for (int d = j->lead - 1; d >= 0; d--) {
        const int64_t own = j->mstride[d] ? j->shape[d] : 1, from = back ? own : j->shape[d], other = back ? j->shape[d] : own;
        to += number % from % other * step;
        number /= from;
        step *= other;
    }
    return to;
}

static int64_t groups_of(const wn__attention *j) { return wn__panels(j->keys, j->t->nr); }
static uint8_t *tiles_at(const wn__attention *j, int64_t map, int64_t panel) { return j->map + (map * wn__attention_panels(j) + panel) * groups_of(j); }

static void read_panels(void *ctx, int64_t begin, int64_t end) {
    const wn__attention *j = ctx;
    const int64_t panels = wn__attention_panels(j), groups = groups_of(j), nr = j->t->nr;
    for (int64_t u = begin; u < end; u++) {
        const int64_t map = u / panels, p = u % panels, q0 = wn__attention_panel(j, p), rows = wn__attention_panel(j, p + 1) - q0, b = convert(j, map, true);
        uint8_t *to = tiles_at(j, map, p);
        for (int64_t g = 0; g < groups; g++) to[g] = tile_of(j, wn__mask_at(j, b, q0, g * nr), rows, wn__least(nr, j->keys - g * nr));
    }
}

void wn__map_make(wn__attention *j) {
    const int64_t pairs = j->queries * j->keys;
    if (!j->mask || !j->batch || j->queries <= WN__GEMM_FEW || j->keys < 2 * WN__ATTENTION_ROOM || pairs < LEAST_PAIRS || WN__ATTENTION_ROOM % j->t->nr || !wn__facts_in_use()) return;
    const int64_t rows = maps_of(j) * wn__attention_panels(j);
    j->map = wn__realloc(NULL, (size_t)rows, (size_t)groups_of(j));
    if (j->map) wn__parallel(rows, 1 + (1 << 16) / (j->t->mr * j->keys), read_panels, j);
}
void wn__map_free(wn__attention *j) {
    wn__free(j->map);
    j->map = NULL;
}

wn__span wn__map_keys(const wn__attention *j, int64_t b, int64_t p0, int64_t p1, int64_t k0, int64_t nk) {
    if (!j->map || nk <= 0) return (wn__span){0, nk > 0 ? nk : 0, false};
    const int64_t nr = j->t->nr, g0 = k0 / nr, g1 = wn__panels(k0 + nk, (int)nr), map = convert(j, b, false);
    WN_ASSERT(k0 % nr == 0);
    int64_t first = g1, last = g0;
    bool all = true;
    for (int64_t p = p0; p < p1; p++) {
        const uint8_t *tile = tiles_at(j, map, p);
        int64_t low = g0, high = g1;
        while (low < high && tile[low] == NONE) low++;
        while (high > low && tile[high - 1] == NONE) high--;
        if (low == high) {
            all = false;
            continue;
        }
        if (low < first) first = low;
        if (high > last) last = high;
    }
    if (first >= last) return (wn__span){0};
    const wn__span s = {(first * nr - k0) / WN__ATTENTION_ROOM * WN__ATTENTION_ROOM, wn__least(nk, last * nr - k0), false};
    const int64_t begin = (k0 + s.first) / nr;
    for (int64_t p = p0; p < p1 && all; p++) {
        const uint8_t *tile = tiles_at(j, map, p);
        for (int64_t g = begin; g < last && all; g++) all = tile[g] == ALL;
    }
    return (wn__span){s.first, s.last, all};
}
