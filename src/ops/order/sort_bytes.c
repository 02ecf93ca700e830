/* Elements of one byte: they are counted, and where they are to be sorted, each goes to its place at once. */
#include "base/threads.h"
#include "ops/order/order.h"
#include <string.h>

enum { VALUES = 256, PIECES = 8, SOME = 256, MANY = 1 << 16 };

typedef struct counting {
    const wn__line *l;
    uint32_t flip;
    int64_t piece, stride;
    int64_t *to;
    int64_t (*at)[VALUES]; /* of each piece: how many, then where the next one goes */
} counting;

static int64_t piece_end(const counting *c, int64_t k) { return (k + 1) * c->piece < c->l->n ? (k + 1) * c->piece : c->l->n; }

static void count_pieces(void *ctx, int64_t begin, int64_t end) {
    const counting *c = ctx;
    uint32_t key[SOME];
    for (int64_t k = begin; k < end; k++) {
        memset(c->at[k], 0, sizeof *c->at);
        for (int64_t i = k * c->piece, last = piece_end(c, k), n; i < last; i += n) {
            n = last - i < SOME ? last - i : SOME;
            wn__keys32(c->l, i, n, key);
            for (int64_t e = 0; e < n; e++) c->at[k][key[e] ^ c->flip]++;
        }
    }
}

static void place_pieces(void *ctx, int64_t begin, int64_t end) {
    const counting *c = ctx;
    uint32_t key[SOME];
    for (int64_t k = begin; k < end; k++)
        for (int64_t i = k * c->piece, last = piece_end(c, k), n; i < last; i += n) {
            n = last - i < SOME ? last - i : SOME;
            wn__keys32(c->l, i, n, key);
            for (int64_t e = 0; e < n; e++) c->to[c->at[k][key[e] ^ c->flip]++ * c->stride] = i + e;
        }
}

void wn__sort_bytes(const wn__line *l, bool descending, int64_t *at, char *values, int64_t stride) {
    const int64_t pieces = l->n < MANY ? 1 : PIECES;
    int64_t count[PIECES][VALUES], start = 0;
    counting c = {.l = l, .flip = descending ? (uint32_t)wn__key_most(l->dtype) : 0, .piece = (l->n + pieces - 1) / pieces, .stride = stride, .to = at, .at = count};
    wn__parallel(pieces, 1, count_pieces, &c);
    for (int v = 0; v < VALUES; v++)
        for (int64_t k = 0; k < pieces; k++) {
            const int64_t here = count[k][v];
            count[k][v] = start;
            start += here;
        }
    wn__parallel(pieces, 1, place_pieces, &c);
    for (int64_t v = 0, first = 0, end; v < VALUES && values; v++, first = end) {
        end = count[pieces - 1][v]; /* behind the last one */
        const uint32_t key = (uint32_t)v ^ c.flip;
        const char value = (char)(l->dtype == WN_I8 ? key ^ 0x80 : key);
        if (stride == 1) memset(values + first, value, (size_t)(end - first));
        else
            for (int64_t i = first; i < end; i++) values[i * stride] = value;
    }
}

/* ------------------------------------------------------------------ counts alone */

typedef struct tallying {
    const uint8_t *x;
    int64_t n, piece, (*count)[VALUES];
} tallying;

/* A value is often hit again before its last hit is stored: four tables, in turn. */
static void tally_pieces(void *ctx, int64_t begin, int64_t end) {
    const tallying *t = ctx;
    for (int64_t k = begin; k < end; k++) {
        int64_t turn[4][VALUES] = {{0}}, i = k * t->piece;
        const int64_t last = i + t->piece < t->n ? i + t->piece : t->n;
        for (; i + 4 <= last; i += 4)
            for (int q = 0; q < 4; q++) turn[q][t->x[i + q]]++;
        for (; i < last; i++) turn[0][t->x[i]]++;
        for (int v = 0; v < VALUES; v++) t->count[k][v] = (turn[0][v] + turn[1][v]) + (turn[2][v] + turn[3][v]);
    }
}

void wn__count_bytes(const void *x, int64_t n, int64_t *count) {
    const int64_t pieces = n < MANY ? 1 : PIECES;
    int64_t each[PIECES][VALUES];
    wn__parallel(pieces, 1, tally_pieces, &(tallying){x, n, (n + pieces - 1) / pieces, each});
    for (int v = 0; v < VALUES; v++) {
        count[v] = 0;
        for (int64_t k = 0; k < pieces; k++) count[v] += each[k][v];
    }
}
