/* Which taps the positions of a dimension see (conv_seen.h). */
#include "engine/conv_seen.h"

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

int64_t wn__count_seen(const wn__conv_plan *p, int d, bool transposed) {
    int64_t n = 0;
    for (int64_t o = 0; o < p->out[d]; o++)
        for (int64_t k = 0; k < p->taps[d].n; k++) n += source_of(p, d, transposed, o, k) >= 0;
    return n;
}

int64_t wn__seen_bytes(const wn__conv_plan *p, int d) { return (p->out[d] * (4 + 2 * p->taps[d].n) + 1) * 8; }

/* Do positions a and b see the same taps, equally far apart? */
static bool alike(const wn__seen *s, int64_t a, int64_t b) {
    const int64_t n = s->start[a + 1] - s->start[a], *ka = s->kernel + s->start[a], *kb = s->kernel + s->start[b];
    const int64_t *sa = s->source + s->start[a], *sb = s->source + s->start[b];
    if (s->start[b + 1] - s->start[b] != n) return false;
    for (int64_t i = 0; i < n; i++)
        if (ka[i] != kb[i] || sa[i] - sa[0] != sb[i] - sb[0]) return false;
    return true;
}

void wn__list_seen(const wn__conv_plan *p, int d, bool transposed, void *memory, wn__seen *s) {
    const int64_t size = p->out[d], most = size * p->taps[d].n;
    int64_t n = 0;
    s->start = memory, s->source = s->start + size + 1, s->kernel = s->source + most, s->class = s->kernel + most, s->example = s->class + size, s->members = s->example + size;
    s->classes = 0;
    for (int64_t o = 0; o < size; o++) {
        s->start[o] = n;
        for (int64_t k = 0; k < p->taps[d].n; k++) {
            const int64_t at = source_of(p, d, transposed, o, k);
            if (at >= 0) s->source[n] = at, s->kernel[n++] = k;
        }
        s->start[o + 1] = n;
        int64_t c = 0;
        while (c < s->classes && !alike(s, s->example[c], o)) c++;
        if (c == s->classes) s->example[c] = o, s->members[s->classes++] = 0;
        s->class[o] = c;
        s->members[c]++;
    }
}
