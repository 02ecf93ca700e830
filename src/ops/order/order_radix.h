/* A template: sorting of ITEMs by KEY_OF(item), an unsigned number of type KEY. Included by order.c once for each kind of item.
 * Short arrays are merged, long ones sorted by their digits, the least significant first; bits in which all keys agree are
 * skipped. Every function returns the array (a, or b, which is room of the same size) that holds the result; NULL: it was interrupted. */

static void NAME(insertion)(ITEM *a, int64_t n) {
    for (int64_t i = 1; i < n; i++) {
        ITEM v = a[i];
        int64_t p = i;
        for (; p > 0 && KEY_OF(a[p - 1]) > KEY_OF(v); p--) a[p] = a[p - 1];
        a[p] = v;
    }
}

/* Blocks of 16 by insertion, then merged pairwise. */
static ITEM *NAME(merge)(ITEM *a, ITEM *b, int64_t n) {
    for (int64_t i = 0; i < n; i += 16) NAME(insertion)(a + i, n - i < 16 ? n - i : 16);
    for (int64_t half = 16; half < n; half *= 2) {
        for (int64_t i = 0; i < n; i += 2 * half) {
            int64_t l = i, mid = i + half < n ? i + half : n, r = mid, end = mid + half < n ? mid + half : n;
            for (int64_t o = i; o < end; o++) {
                bool right = l == mid || (r < end && KEY_OF(a[r]) < KEY_OF(a[l]));
                b[o] = right ? a[r++] : a[l++];
            }
        }
        ITEM *swap = a;
        a = b;
        b = swap;
    }
    return a;
}

/* The digits, of so many bits, in which keys differ at all: their lowest bits, to shift[]; how many. */
static int NAME(digits)(const ITEM *a, int64_t n, int bits, int *shift) {
    KEY first = KEY_OF(a[0]), differ = 0;
    int digits = 0;
    for (int64_t i = 1; i < n; i++) differ |= (KEY)(KEY_OF(a[i]) ^ first);
    for (int s = 0; s < (int)(8 * sizeof(KEY)) && differ >> s;) {
        while (!(differ >> s & 1)) s++;
        shift[digits++] = s;
        s += bits;
    }
    return digits;
}

/* Items begin .. end - 1 of all n to where their digit says. The line behind each is fetched where it would come from afar. */
static inline void NAME(move)(const ITEM *from, int64_t begin, int64_t end, int64_t n, ITEM *to, int64_t *at, int shift, KEY mask) {
    if ((size_t)n * sizeof *to < FAR) {
        for (int64_t i = begin; i < end; i++) to[at[KEY_OF(from[i]) >> shift & mask]++] = from[i];
        return;
    }
    for (int64_t i = begin; i < end; i++) {
        const int64_t p = at[KEY_OF(from[i]) >> shift & mask]++;
        to[p] = from[i];
        __builtin_prefetch((const char *)(to + p) + 64, 1);
    }
}

/* All digits are counted in one pass. Wide digits save one of four passes, while what they scatter to stays in the cache. */
static ITEM *NAME(radix)(ITEM *a, ITEM *b, int64_t n) {
    const bool wide = sizeof(KEY) == 4 && n >= WIDE_FROM && n <= WIDE_TO;
    const int bits = wide ? WIDE_BITS : DIGIT_BITS, values = 1 << bits;
    const KEY mask = (KEY)values - 1;
    int shift[MOST_DIGITS], digits = NAME(digits)(a, n, bits, shift);
    int64_t count[sizeof(KEY) == 4 ? WIDE_DIGITS << WIDE_BITS : MOST_DIGITS << DIGIT_BITS];
    memset(count, 0, ((size_t)digits << bits) * sizeof *count);
    for (int64_t i = 0; i < n; i++)
        for (int d = 0; d < digits; d++) count[(d << bits) + (int)(KEY_OF(a[i]) >> shift[d] & mask)]++;
    for (int d = 0; d < digits; d++) {
        int64_t *at = count + (d << bits), sum = 0;
        for (int v = 0; v < values; v++) {
            int64_t here = at[v];
            at[v] = sum;
            sum += here;
        }
        const int s = shift[d];
        for (int64_t begin = 0; begin < n; begin += AT_ONCE) {
            if (begin && wn__stop_now()) return NULL;
            NAME(move)(a, begin, n - begin < AT_ONCE ? n : begin + AT_ONCE, n, b, at, s, mask);
        }
        ITEM *swap = a;
        a = b;
        b = swap;
    }
    return a;
}

/* Many: each pass counts and moves pieces of the array on several threads. Where an item goes does not depend on who moves it. */
typedef struct NAME(pass) {
    const ITEM *from;
    ITEM *to;
    int64_t n, piece;
    int shift;
    int64_t (*at)[DIGITS];
} NAME(pass);
static void NAME(count_pieces)(void *ctx, int64_t begin, int64_t end) {
    const NAME(pass) *p = ctx;
    for (int64_t k = begin; k < end; k++) {
        int64_t *at = p->at[k], last = (k + 1) * p->piece < p->n ? (k + 1) * p->piece : p->n;
        memset(at, 0, sizeof *p->at);
        for (int64_t i = k * p->piece; i < last; i++) at[KEY_OF(p->from[i]) >> p->shift & (DIGITS - 1)]++;
    }
}
static void NAME(move_pieces)(void *ctx, int64_t begin, int64_t end) {
    const NAME(pass) *p = ctx;
    for (int64_t k = begin; k < end; k++) {
        int64_t *at = p->at[k], last = (k + 1) * p->piece < p->n ? (k + 1) * p->piece : p->n;
        NAME(move)(p->from, k * p->piece, last, p->n, p->to, at, p->shift, DIGITS - 1);
    }
}
static ITEM *NAME(radix_pieces)(ITEM *a, ITEM *b, int64_t n, int64_t (*at)[DIGITS]) {
    NAME(pass) p = {.n = n, .piece = (n + PIECES - 1) / PIECES, .at = at};
    int shift[MOST_DIGITS], digits = NAME(digits)(a, n, DIGIT_BITS, shift);
    for (int d = 0; d < digits; d++) {
        p.shift = shift[d];
        p.from = a;
        p.to = b;
        if (!wn__parallel_fresh(PIECES, 1, NAME(count_pieces), &p)) return NULL;
        int64_t sum = 0;
        for (int v = 0; v < DIGITS; v++)
            for (int k = 0; k < PIECES; k++) {
                int64_t here = at[k][v];
                at[k][v] = sum;
                sum += here;
            }
        if (!wn__parallel_fresh(PIECES, 1, NAME(move_pieces), &p)) return NULL;
        ITEM *swap = a;
        a = b;
        b = swap;
    }
    return a;
}

static ITEM *NAME(sort)(ITEM *a, ITEM *b, int64_t n) {
    if (n <= 128) return NAME(merge)(a, b, n);
    if (n >= (int64_t)1 << 16 && wn_num_threads() > 1 && !wn__in_parallel()) {
        size_t capacity;
        int64_t(*at)[DIGITS] = wn__data_alloc(PIECES * sizeof *at, &capacity);
        if (at) {
            a = NAME(radix_pieces)(a, b, n, at);
            wn__data_free(at, capacity);
            return a;
        } /* without the memory: alone */
    }
    return NAME(radix)(a, b, n);
}
#undef NAME
#undef ITEM
#undef KEY
#undef KEY_OF
