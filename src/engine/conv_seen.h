/* Which taps the positions of a dimension see: inside the image only. Positions with the same taps, at the same distances, form a class. */
#ifndef WN_ENGINE_CONV_SEEN_H
#define WN_ENGINE_CONV_SEEN_H
#include "engine/conv_plan.h"

/* Position o sees the entries from start[o] to start[o + 1]. */
typedef struct wn__seen {
    int64_t *start, *source, *kernel;
    int64_t *class;                        /* of each position */
    int64_t *example, *members, classes;   /* a position of each class, how many it has */
} wn__seen;

/* How many (position, tap) of dimension d exist; transposed: the gradient in the input (conv_plan.h). */
int64_t wn__count_seen(const wn__conv_plan *p, int d, bool transposed);
int64_t wn__seen_bytes(const wn__conv_plan *p, int d);
void wn__list_seen(const wn__conv_plan *p, int d, bool transposed, void *memory, wn__seen *out);
/* The source of the first tap of position o, 0 where it sees none. */
static inline int64_t wn__seen_first(const wn__seen *s, int64_t o) { return s->start[o] < s->start[o + 1] ? s->source[s->start[o]] : 0; }
#endif
