/* A program in the making: which values it computes, in which order, what it stores. Shared by the files of src/defer. */
#ifndef WN_DEFER_PLAN_H
#define WN_DEFER_PLAN_H
#include "defer/value.h"

enum { WN__RESULT = 128 }; /* registers while a program is made: leaves below, results of instructions from here */
enum { WN__PLAN_MOST = 80 }; /* members: leaves room for conversions in a program */

typedef enum wn__along {
    WN__ALONE,       /* needed for the root, or not computed along at all */
    WN__ALONG_ASKED, /* a gradient */
    WN__ALONG_CHEAP, /* beside what it shares with the others */
    WN__ALONG_READ   /* it was read in an earlier round */
} wn__along;

typedef struct wn__member {
    wn__value *v;
    uint8_t space;   /* wn__space */
    uint8_t guard;   /* 0: computed everywhere; g: under guards[g - 1] */
    bool store;      /* its result goes to memory */
    bool optional;   /* ... but only because that is cheaper than computing it again */
    uint8_t along;   /* wn__along: why it is here, when the root does not need it */
    uint8_t reg;     /* its register (build.c) */
    uint16_t gathered; /* its place before members were put in order (cache.c) */
    char *place;     /* where it is stored */
    wn__storage *fresh; /* made for it, when no handle waits */
    bool filled;        /* its home had no memory before */
    wn__storage *held;  /* its home, while the hook may let it go (run.c) */
} wn__member;

typedef struct wn__plan_guard {
    const wn__use *mask; /* a selection's */
    uint8_t parent;
    bool polarity;
    int cost;
} wn__plan_guard;

/* What somebody holds on to and could have come along, but was left waiting; tenths of ns. */
enum { WN__LEFT_MOST = 8 };
typedef struct wn__left {
    const wn__value *v;
    double adds, saves;
} wn__left;

typedef struct wn__plan {
    uint32_t mark; /* members carry it, and their index */
    int n, nguards, nleft;
    int alone; /* members that computing the root takes; those gathered after them came along */
    bool held;
    int64_t event; /* tensor/events.h */
    int64_t numel, row;
    wn__value *root;
    wn__member m[WN__PLAN_MOST]; /* sources first */
    wn__plan_guard guards[WN__MAX_GUARDS + 1]; /* from 1 */
    wn__left left[WN__LEFT_MOST];
} wn__plan;

uint32_t wn__new_mark(void);
static inline bool wn__in_plan(const wn__plan *p, const wn__value *v) { return v->mark == p->mark && v->index < p->n && p->m[v->index].v == v; }
/* A hash of words, one after the other: h with x. */
static inline uint64_t wn__hash_with(uint64_t h, uint64_t x) {
    h = (h ^ x) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}
/* Of one element, tenths of ns. */
static inline int wn__value_cost(const wn__value *v) { return v->draws ? wn__draws_cost(v->draws) : v->op ? v->op->cost : 1; }
/* An edge that a program can run along. */
static inline bool wn__fusable(const wn__use *u) {
    return u->kind != WN__U_NUMBER && u->kind != WN__U_VIEW && u->src->state == WN__V_PENDING;
}
static inline bool wn__waits(const wn__use *u) { return u->kind != WN__U_NUMBER && u->src->state == WN__V_PENDING; }

/* cone.c: the members that computing root takes; runs first what cannot be part of the program. False: that failed. */
bool wn__plan_gather(wn__plan *p, wn__value *root);
bool wn__run_held(wn__value *v);    /* runs v, which may lose its last reader meanwhile */
bool wn__run_sources(wn__value *v); /* all that v reads and that is pending */
bool wn__plan_visit(wn__plan *p, wn__value *v); /* appends v with what is pending behind it, sources first; false: too many */
bool wn__plan_fits(wn__plan *p);    /* can all members be computed in one program? */
/* company.c: ... and others that are wanted as well and read the same. */
void wn__plan_join(wn__plan *p);
void wn__company_was_read(wn__value *v); /* one that some program left waiting */
/* store.c: what goes to memory. wants: all that this depends on besides the plan's structure, as bits. */
enum { WN__LARGE_BYTES = 4 << 20 }; /* results and operands that leave the cache */
void wn__plan_stores(wn__plan *p);
double wn__load_cost(const wn__use *u); /* of an element that lies in memory */
double wn__cost_again(wn__value *v); /* of computing it from memory, tenths of ns for all elements */
unsigned wn__plan_wants(const wn__plan *p, const wn__member *m);
/* cache.c: decisions made before for a plan of the same structure (then p has them); NULL: none. */
typedef struct wn__cached wn__cached;
wn__cached *wn__cache_find(wn__plan *p);
void wn__cache_keep(const wn__plan *p, const wn__program *g, const wn__use *const *uses); /* under the key of the last search */
wn__program *wn__cache_program(wn__cached *c, const wn__plan *p); /* NULL: a store was given up, it does not fit */
bool wn__cache_run(wn__cached *c);
/* guard.c: which members are needed only under a mask; reorders members so that masks come first. */
void wn__plan_guards(wn__plan *p);
/* The values that the true and the false side of a selection take, by use number (-1: a number); false: v is none. */
bool wn__selection(const wn__value *v, int *mask, int *yes, int *no);

/* build.c: the program; the places of its outputs are known. numbers: room for WN__MAX_LEAVES constants; uses: for what each leaf
 * was made. False: too many operands, instructions or outputs. */
bool wn__plan_build(wn__plan *p, wn__program *g, int64_t *numbers, const wn__use **uses);
/* settle.c. Would writing to s take contents from readers outside the plan (NULL: all), or from members that read it in
 * another order? */
bool wn__disturbs(wn__storage *s, const wn__plan *p);
/* Those readers run, or get a copy of the contents; with a plan perhaps only some: plan again. False: no memory. */
bool wn__settle_readers(wn__storage *s, const wn__plan *p);
/* account.c: for reports and events. ns: what the program took, the product in front of it included. */
void wn__account(const wn__plan *p, const wn__program *g, const wn__meter *t, const wn__member *product, int64_t ns);
/* trace.c */
bool wn__tracing(void);
void wn__trace(const wn__plan *p, const wn__program *g);
const char *wn__value_name(const wn__value *v); /* its operation's */
void wn__chain_text(const wn__plan *p, char *buf, size_t cap);
#endif
