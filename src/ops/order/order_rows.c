/* Several lines of at most WN__ROW_MOST elements, sorted side by side by a network (engine/level/network.h). What the network sorts are
 * elements with their places behind them, so that no two are equal and the order is stable: in 32 bits where keys have 16 or fewer, in
 * the 52 of a double's mantissa where keys and places fit (or all but the lowest bits of keys), else as pairs. */
#include "base/alloc.h"
#include "base/inline.h"
#include "engine/keys.h"
#include "ops/order/order.h"
#include <string.h>

enum { ONE_BITS = 52, HALF_BITS = 16 };
static const uint64_t one = (uint64_t)0x3ff << ONE_BITS; /* the bits of 1.0: behind them a positive, normal double */

bool wn__rows_fit(wn_dtype d, int64_t n, int64_t lines) { return n > 1 && n <= WN__ROW_MOST && lines >= (wn__dtype_size(d) == 8 ? 8 : wn__rows_lanes(d) / 2); }

/* Keys of all lines to key[], dense in one of the two orders; lines that are not there are the last one again. */
static void make_keys(const wn__rows *r, bool narrow, bool across, bool dense, void *key) {
    const int lanes = wn__rows_lanes(r->dtype);
    const int64_t pieces = across ? r->n : dense ? 1 : lanes, each = across ? lanes : dense ? lanes * r->n : r->n;
    for (int64_t i = 0; i < pieces; i++) {
        wn__line l = {r->dtype, across || dense ? r->line[0] : r->line[i < r->lines ? i : r->lines - 1], across ? 1 : r->stride, each};
        if (across) l.p += i * r->stride * (int64_t)wn__dtype_size(r->dtype);
        if (narrow) wn__keys32(&l, 0, each, (uint32_t *)key + i * each);
        else wn__keys64(&l, 0, each, (uint64_t *)key + i * each);
    }
}

/* Do all lines lie `bytes` apart? */
static bool apart(const wn__rows *r, int64_t bytes) {
    for (int l = 1; l < r->lines; l++)
        if (r->line[l] != r->line[0] + l * bytes) return false;
    return r->lines == wn__rows_lanes(r->dtype);
}

/* Of wide keys only the highest bits were sorted: elements that agree in them are put in order, unless there are many. */
static bool repair(const wn__rows *r, const uint64_t *keys, uint64_t flip, bool across) {
    enum { LANES = WN__LANES64 };
    uint64_t *const items = r->items, mask = ((uint64_t)1 << r->bits) - 1;
    int64_t moves = 4 * LANES * r->n;
    for (int64_t i = LANES; i < LANES * r->n; i++) {
        if (__builtin_expect((items[i] ^ items[i - LANES]) > mask, 1)) continue;
        const uint64_t item = items[i];
        const int64_t l = i % LANES, by = across ? LANES : 1, to = across ? l : l * r->n, place = (int64_t)(item & mask);
        const uint64_t key = keys[place * by + to] ^ flip;
        int64_t p = i;
        for (; p >= LANES && (items[p - LANES] ^ item) <= mask && (keys[(int64_t)(items[p - LANES] & mask) * by + to] ^ flip) > key; p -= LANES) {
            items[p] = items[p - LANES];
            if (--moves == 0) return false;
        }
        items[p] = item;
    }
    return true;
}

/* What is sorted for element i with that key; `wide`: a key of 64 bits, from `least` on, without its lowest `drop` bits. */
typedef struct items {
    const void *keys;
    uint64_t flip, least;
    int drop;
    bool across; /* keys lie line beside line */
} items;

INLINE void item(const wn__rows *r, const items *s, const enum wn__rows_kind kind, const bool wide, int64_t from, int64_t i, int64_t to) {
    const uint32_t *narrow = s->keys;
    const uint64_t *x = s->keys, key = wide ? x[from] ^ s->flip : narrow[from] ^ (uint32_t)s->flip;
    uint64_t *out = r->items;
    if (kind == WN__ROWS_HALF) ((uint32_t *)r->items)[to] = (uint32_t)key << HALF_BITS | (uint32_t)i;
    else if (kind == WN__ROWS_PAIRS) out[to] = key ^ (uint64_t)1 << 63;
    else if (wide) out[to] = one | (key - s->least) >> s->drop << r->bits | (uint64_t)i;
    else out[to] = one | key << r->bits | (uint64_t)i;
}
/* One loop for lines whose elements lie side by side, and one for elements whose lines do, which compilers vectorise. */
INLINE void spread(const wn__rows *rows, const items given, const enum wn__rows_kind kind, const bool wide) {
    const int lanes = kind == WN__ROWS_HALF ? WN__LANES32 : WN__LANES64;
    const wn__rows own = *rows, *r = &own;
    const items *s = &given;
    if (s->across)
        for (int64_t i = 0; i < r->n; i++)
            for (int l = 0; l < lanes; l++) item(r, s, kind, wide, i * lanes + l, i, i * lanes + l);
    else
        for (int64_t i = 0; i < r->n; i++)
            for (int l = 0; l < lanes; l++) item(r, s, kind, wide, i + l * r->n, i, i * lanes + l);
}

bool wn__order_rows(wn__rows *r) {
    const int64_t n = r->n, size = (int64_t)wn__dtype_size(r->dtype), lanes = wn__rows_lanes(r->dtype);
    const bool narrow = size <= 4, across = r->stride != 1 && apart(r, size), dense = r->stride == 1 && apart(r, n * size);
    const uint64_t flip = r->descending ? wn__key_most(r->dtype) : 0;
    char *memory = wn__scratch_array(2, n, 64 * 3);
    if (!memory) return false;
    void *keys = memory + n * 128;
    const wn__key_kernels *kernels = wn__key_kernels_now();
    make_keys(r, narrow, across, dense, keys);
    r->items = memory;
    for (r->bits = 1; n >> r->bits; r->bits++) continue;
    if (size <= 2) {
        spread(r, (items){keys, flip, 0, 0, across}, WN__ROWS_HALF, false);
        r->kind = WN__ROWS_HALF;
        r->bits = HALF_BITS;
        kernels->network32(r->items, n);
        return true;
    }
    r->kind = WN__ROWS_ONE;
    if (narrow) {
        spread(r, (items){keys, flip, 0, 0, across}, WN__ROWS_ONE, false);
        kernels->network52(r->items, n);
        return true;
    }
    uint64_t least = UINT64_MAX, most = 0;
    for (int64_t i = 0; i < n * lanes; i++) {
        const uint64_t key = ((uint64_t *)keys)[i] ^ flip;
        least = key < least ? key : least;
        most = key > most ? key : most;
    }
    int drop = 0; /* bits of a key that there is no room for */
    for (uint64_t range = most - least; range >> drop >> (ONE_BITS - r->bits);) drop++;
    if (drop == 0 ? r->dtype == WN_I64 || r->places_only : r->places_only) {
        spread(r, (items){keys, flip, least, drop, across}, WN__ROWS_ONE, true);
        kernels->network52(r->items, n);
        if (drop == 0 || repair(r, keys, flip, across)) return true;
    }
    r->kind = WN__ROWS_PAIRS;
    spread(r, (items){keys, flip, 0, 0, across}, WN__ROWS_PAIRS, true);
    for (int64_t i = 0; i < n; i++)
        for (int l = 0; l < WN__LANES64; l++) ((int64_t *)r->items)[(n + i) * WN__LANES64 + l] = i;
    kernels->network_pairs(r->items, n);
    return true;
}
