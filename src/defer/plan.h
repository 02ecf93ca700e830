/* A program in the making: which values it computes, in which order, what it stores. Shared by the files of src/defer. */
#ifndef WN_DEFER_PLAN_H
#define WN_DEFER_PLAN_H
#include "defer/value.h"

enum { WN__RESULT = 128 }; /* preliminary numbers of registers: leaves are below this, results of instructions above */
enum { WN__PLAN_MOST = 80 }; /* members; fewer than instructions, which include conversions */

typedef enum wn__along {
    WN__ALONE,       /* the root needs it */
    WN__ALONG_ASKED, /* a gradient that was asked for */
    WN__ALONG_CHEAP, /* it costs no more than it saves */
    WN__ALONG_READ   /* it was read in an earlier round */
} wn__along;

typedef struct wn__member {
    wn__value *v;
    uint8_t space;   /* wn__space */
    uint8_t guard;   /* 0: computed everywhere; g: under guards[g - 1] */
    bool store;      /* its result goes to memory */
    bool optional;   /* its result is stored only because that is cheaper than computing it again */
    uint8_t along;   /* wn__along: why it is a member */
    uint8_t reg;     /* its register (build.c) */
    uint16_t gathered; /* its index in the plan as it was gathered (cache.c) */
    char *place;     /* where its result is stored */
    wn__storage *fresh; /* memory for the result when no handle has it (any more) */
    bool filled;        /* its home had no memory before this program */
    wn__storage *held;  /* a reference to its home, while the interrupt hook might release it (run.c) */
} wn__member;

typedef struct wn__plan_guard {
    const wn__use *mask; /* of a selection */
    uint8_t parent;
    bool polarity;
    int cost;
} wn__plan_guard;

/* A value that somebody holds, which could have come along but was left out; costs in tenths of ns. */
enum { WN__LEFT_MOST = 8 };
typedef struct wn__left {
    const wn__value *v;
    double adds, saves;
} wn__left;

typedef struct wn__plan {
    uint32_t mark; /* members have this mark, and their index */
    int n, nguards, nleft;
    int alone; /* how many members the root needs; those after them came along */
    bool held;
    int64_t event; /* number of its event (tensor/events.h) */
    int64_t numel, row;
    wn__value *root;
    wn__member m[WN__PLAN_MOST]; /* sources first */
    wn__plan_guard guards[WN__MAX_GUARDS + 1]; /* numbered from 1 */
    wn__left left[WN__LEFT_MOST];
} wn__plan;

uint32_t wn__new_mark(void);
static inline bool wn__in_plan(const wn__plan *p, const wn__value *v) { return v->mark == p->mark && v->index < p->n && p->m[v->index].v == v; }
/* Continues the hash h with the word x. */
static inline uint64_t wn__hash_with(uint64_t h, uint64_t x) {
    h = (h ^ x) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}
/* The cost of one element, in tenths of ns. */
static inline int wn__value_cost(const wn__value *v) { return v->draws ? wn__draws_cost(v->draws) : v->op ? v->op->cost : 1; }
/* Can the source of this edge be computed in the same program? */
static inline bool wn__fusable(const wn__use *u) {
    return u->kind != WN__U_NUMBER && u->kind != WN__U_VIEW && u->src->state == WN__V_PENDING;
}
static inline bool wn__waits(const wn__use *u) { return u->kind != WN__U_NUMBER && u->src->state == WN__V_PENDING; }

/* cone.c: gathers the members that the root takes, after running what cannot be among them. False: that failed. */
bool wn__plan_gather(wn__plan *p, wn__value *root);
bool wn__run_held(wn__value *v);    /* runs v, which may lose its last reader meanwhile */
bool wn__run_sources(wn__value *v); /* runs all that v reads and that is pending */
bool wn__plan_visit(wn__plan *p, wn__value *v); /* appends v with what is pending behind it, sources first; false: too many */
bool wn__plan_fits(wn__plan *p);    /* can all members be computed in one program? */
/* company.c: adds others that are wanted and read the same. */
void wn__plan_join(wn__plan *p);
void wn__company_was_read(wn__value *v); /* v was read, which some program had left out */
/* store.c: decides what goes to memory. wants: all that this depends on besides the plan's structure, as bits. */
enum { WN__LARGE_BYTES = 4 << 20 }; /* results and operands that leave the cache */
void wn__plan_stores(wn__plan *p);
double wn__load_cost(const wn__use *u); /* cost of loading an element */
double wn__cost_again(wn__value *v); /* cost of computing v again from memory, in tenths of ns for all elements */
unsigned wn__plan_wants(const wn__plan *p, const wn__member *m);
/* cache.c: finds decisions for a plan of the same structure and puts them into p; NULL: none. */
typedef struct wn__cached wn__cached;
wn__cached *wn__cache_find(wn__plan *p);
void wn__cache_keep(const wn__plan *p, const wn__program *g, const wn__use *const *uses); /* under the key of the last search */
wn__program *wn__cache_program(wn__cached *c, const wn__plan *p); /* NULL: it does not fit, as a store was given up */
bool wn__cache_run(wn__cached *c);
/* guard.c: finds members that are needed only under a mask; reorders members so that masks come first. */
void wn__plan_guards(wn__plan *p);
/* Which uses of v are its mask and its two sides, if v is a selection (-1: a number); false: it is none. */
bool wn__selection(const wn__value *v, int *mask, int *yes, int *no);

/* build.c: writes the program of a plan whose outputs have their places. numbers: room for WN__MAX_LEAVES constants;
 * uses: the use that each leaf was made for. False: too many operands, instructions or outputs. */
bool wn__plan_build(wn__plan *p, wn__program *g, int64_t *numbers, const wn__use **uses);
/* settle.c. Would writing to s destroy contents that readers outside the plan (NULL: all readers) still need, or
 * members that read it in another order? */
bool wn__disturbs(wn__storage *s, const wn__plan *p);
/* Runs those readers, or copies the contents for them. With a plan it may stop early: plan again. False: no memory. */
bool wn__settle_readers(wn__storage *s, const wn__plan *p);
/* account.c: counts for reports and events. ns: the time of the program and of the product before it. */
void wn__account(const wn__plan *p, const wn__program *g, const wn__meter *t, const wn__member *product, int64_t ns);
/* trace.c */
bool wn__tracing(void);
void wn__trace(const wn__plan *p, const wn__program *g);
const char *wn__value_name(const wn__value *v); /* the name of its operation */
void wn__chain_text(const wn__plan *p, char *buf, size_t cap);
#endif
