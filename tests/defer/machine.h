/* The machine behind test_defer_random: a pool of tensors, steps that a seed draws, a log of what could be seen. A program is
 * run twice, and both logs must be the same. SPDX-License-Identifier: Apache-2.0 */
#ifndef WN_TESTS_DEFER_MACHINE_H
#define WN_TESTS_DEFER_MACHINE_H
#include <winnow.h>

enum { SLOTS = 14, MAX_STEPS = 40, MAX_DEPTH = 5, SHAPES = 8, MOST = 60000, FOREIGN = 4 };

typedef struct slot {
    wn_tensor *t; /* NULL: free */
    bool kept;    /* we own a reference; otherwise the scope number `depth` has it */
    int depth;
} slot;

/* What one run showed. text: a step and what it reported; bytes: values that were read, NaNs made equal. */
typedef struct item {
    int step;
    char *text;
    unsigned char *bytes;
    size_t size;
    wn_dtype dtype;
} item;
typedef struct history {
    item *v;
    int n, room;
} history;

typedef struct foreign { /* memory that is ours, wrapped by a tensor */
    float *data;
    int64_t n;
} foreign;

typedef struct machine {
    uint64_t seed, rng;
    int step, nsteps;
    bool deferred; /* the second run */
    const bool *active; /* steps that are run; NULL: all */
    slot pool[SLOTS];
    wn_scope scopes[MAX_DEPTH + 1];
    int depth;
    wn_dims shapes[SHAPES]; /* most tensors of a program have one of these */
    bool large;
    foreign foreign[FOREIGN];
    history *log;        /* the first run writes it, the second compares */
    int at;
    char line[4096];     /* the step's text so far */
    size_t length;
    char *why;           /* the first difference; NULL: none */
    size_t why_size;
    bool different;
} machine;

/* machine.c */
uint64_t rnd(machine *m);
int64_t below(machine *m, int64_t n);
bool chance(machine *m, int percent);
double uniform(machine *m, double lo, double hi);
void note(machine *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
void show(machine *m, const char *name, wn_tensor *t); /* its values become part of the log */
void show_bytes(machine *m, const char *name, const void *bytes, int64_t n, wn_dtype dtype);
void describe(machine *m, const wn_tensor *t); /* all that can be asked about it without reading it */
int64_t dims_numel(const wn_dims *d);

int put(machine *m, wn_tensor *owned); /* into some slot, whose tensor goes; lent to the scope or kept; returns the slot */
void forget(machine *m, int slot);
/* A live slot for which ok holds, beginning the search at random; -1: none. */
typedef bool (*choice)(machine *m, const wn_tensor *t, const void *with);
int pick(machine *m, choice ok, const void *with);
bool is_float(machine *m, const wn_tensor *t, const void *with);
bool is_bool(machine *m, const wn_tensor *t, const void *with);
bool has_dims(machine *m, const wn_tensor *t, const void *with);
bool fits(machine *m, const wn_tensor *t, const void *with);   /* broadcasts with the shape `with`, and not too far */
bool same_shape(machine *m, const wn_tensor *t, const void *with);
bool wants_grad(machine *m, const wn_tensor *t, const void *with);

/* A call of a row by name, field by field; the text says what is passed. */
typedef struct call {
    machine *m;
    const wn_op *op;
    _Alignas(16) unsigned char args[1024];
    wn_tensor *many[4];
} call;
bool begin(machine *m, call *c, const char *name);
void pass_tensor(call *c, const char *field, int slot);
void pass_number(call *c, const char *field, double v);
void pass_int(call *c, const char *field, int64_t v);
void pass_dims(call *c, const char *field, const wn_dims *d);
void pass_list(call *c, const char *field, const int *slots, int n);
int finish(call *c, bool inplace); /* runs it; the slot of the first result, -1 after an error */

/* program.c: runs the program of m->seed; everything it makes is gone afterwards */
void run_program(machine *m, history *log, const bool *active, bool deferred, int64_t from, int threads);
void draw_setting(uint64_t seed, int64_t *from, int *threads);
/* chains.c */
void accumulate(machine *m);
void masked(machine *m);
void compose(machine *m);
/* handles.c */
void differentiate(machine *m);
void gradient(machine *m);
void mark(machine *m);
void scope(machine *m);
void handle(machine *m);
void setting(machine *m);
/* steps.c */
void draw_shapes(machine *m);
void one_step(machine *m);
#endif
