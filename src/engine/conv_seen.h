/* Which taps a dimension's positions see inside the image. Those with the same taps at equal distances are a class. */
#ifndef WN_ENGINE_CONV_SEEN_H
#define WN_ENGINE_CONV_SEEN_H
#include "engine/conv_plan.h"

/* Position o sees the entries from start[o] to start[o + 1]. */
typedef struct wn__seen {
    int64_t *start, *source, *kernel;
    int64_t *class;                        /* the class of each position */
    int64_t *example, *members, classes;   /* a position of each class; number of its positions; number of classes */
} wn__seen;

/* How many (position, tap) exist in dimension d; transposed: for the gradient in the input (conv_plan.h). */
int64_t wn__count_seen(const wn__conv_plan *p, int d, bool transposed);
int64_t wn__seen_bytes(const wn__conv_plan *p, int d);
void wn__list_seen(const wn__conv_plan *p, int d, bool transposed, void *memory, wn__seen *out);
/* The source of position o's first tap; 0 if it sees none. */
static inline int64_t wn__seen_first(const wn__seen *s, int64_t o) { return s->start[o] < s->start[o + 1] ? s->source[s->start[o]] : 0; }
#endif
