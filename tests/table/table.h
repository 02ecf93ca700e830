/* The table-driven test: samples of arguments for every row, and checks that run on them.
 *
 * A *sample* is an args struct of a row, filled from its field kinds (sample.c) or, where arguments must fit together, by the
 * row's entry in samples*.c. The same spec gives the same sample: a check that changes its arguments makes another one. */
#ifndef TEST_TABLE_H
#define TEST_TABLE_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "call/dispatch.h"

/* ---- what varies */
typedef enum layout { CONTIGUOUS, TRANSPOSED, SLICED, LAST, EXPANDED, LAYOUTS } layout; /* LAST: channels last, of 4 and 5 dimensions */
typedef enum mode { NORMAL, EMPTY, SCALAR, BIG, MODES } mode; /* shapes: small, with a size of 0, 0-d, large enough for threads */
/* Where floating values come from. ANY includes infinities, NaN and the like; the others are for derivatives. */
typedef enum domain { MIXED, POSITIVE, UNIT, ABOVE_ONE, ANY, DOMAINS } domain;

typedef struct spec {
    wn_dtype dtype, dtype2; /* of data arguments; dtype2: of the second and later ones (0: the same) */
    layout layout;
    mode mode;
    domain domain;
    bool full_first; /* the first argument is not broadcast (in-place forms) */
    uint64_t seed;
} spec;

typedef enum role { DATA, INDEX, MASK, FIXED } role; /* FIXED: floating, but not of the dtype under test */

enum { MAX_MADE = 48 };
typedef struct sample {
    const wn_op *op;
    spec spec;
    uint64_t rng;
    const uint8_t *bytes; /* random numbers are taken from these first: a fuzzer's */
    size_t nbytes;
    unsigned char *args;
    wn_tensor *made[MAX_MADE]; /* owned; the arguments point to them */
    role roles[MAX_MADE];
    int nmade;
    wn_tensor **lists; /* the arrays of list arguments; outside, so that a sample may be moved */
    int nlists;
    int ndata;      /* data tensors made so far */
    wn_dims shape;  /* the main shape */
    bool na;        /* this spec makes no sense for this row */
    const char *wrong; /* a mistake in an entry */
} sample;

bool sample_make(sample *s, const wn_op *op, spec sp); /* false: not applicable (or no memory) */
void sample_free(sample *s);
/* The same values, row-major; widen: data as f64 or i64. */
bool sample_twin(sample *twin, const sample *s, bool widen);
bool has_entry(const wn_op *op);
bool sample_entry(sample *s); /* fills by the row's entry in samples.c; false when it has none */
const char *spec_text(const spec *sp);

/* What a row is excused from, with the reason in samples.c. */
enum {
    NO_VALUES = 1,     /* results are not a function of the arguments' values alone (empty, random) */
    NO_GRADCHECK = 2,
    NO_GRADGRAD = 4,
    NO_NARROW = 8,     /* need not support f16, bf16 and small integers */
    NO_REFERENCE = 16, /* results depend on dtype or strides on purpose: f64/i64 copies tell nothing */
    LOOSE = 32,        /* many roundings: ten times the usual tolerance */
    NO_SMALL_INTEGERS = 64 /* of the integers only int64 */
};
unsigned excuses(const wn_op *op);

/* How samples of one row are made. A family of rows has a file samples_<family>.c with a table of these, ended by a NULL
 * name, declared below and listed in samples.c. */
typedef struct entry {
    const char *name;        /* the C name of the row */
    void (*fill)(sample *s); /* NULL: generic */
    unsigned excuses;
} entry;
extern const entry point_entries[];
extern const entry losses_entries[];
extern const entry index_entries[];
extern const entry order_entries[];

extern const entry spatial_entries[];
extern const entry linalg_entries[];

/* ---- for entries: random numbers and arguments by name */
uint64_t rnd(sample *s);
int64_t below(sample *s, int64_t n); /* 0 .. n-1 */
bool maybe(sample *s, int one_in);
double uniform(sample *s, double lo, double hi);
wn_tensor *keep(sample *s, wn_tensor *t, role r);          /* the sample's from now on */
wn_tensor *data(sample *s, wn_dims shape);                 /* values by dtype and domain */
wn_tensor *data_in(sample *s, wn_dims shape, double lo, double hi);
wn_tensor *fixed_in(sample *s, wn_dims shape, wn_dtype dtype, double lo, double hi);
wn_tensor *indices(sample *s, wn_dims shape, int64_t n);   /* i64 in [0, n) */
wn_tensor *permutation(sample *s, int64_t n, int64_t of);  /* i64 [n], distinct, in [0, of) */
wn_tensor *mask(sample *s, wn_dims shape);
void set_tensor(sample *s, const char *field, wn_tensor *t); /* a Tensor, or a Value */
void set_list(sample *s, const char *field, int n, wn_tensor *const *t);
void set_int(sample *s, const char *field, int64_t v);     /* any kind that takes a number */
void set_switch(sample *s, const char *field, bool on);
void set_float(sample *s, const char *field, double v);
void set_dims(sample *s, const char *field, wn_dims d);
void set_string(sample *s, const char *field, const char *v);
bool has_field(const sample *s, const char *field);
wn_dims dims_of_list(int n, const int64_t *v);
#define D(...) (dims_of_list((int)(sizeof((int64_t[]){__VA_ARGS__}) / 8), (int64_t[]){__VA_ARGS__}))
void generic(sample *s); /* fills everything by field kinds; entries may overwrite */
int64_t product(wn_dims d);

/* ---- running a row */
typedef struct result {
    wn_status status;
    wn_outs outs;
    char message[512];
} result;
result run_row(const sample *s);         /* clears the error record; results and mutated arguments in outs */
result run_row_inplace(const sample *s);
void result_free(result *r);
bool sound(const wn_tensor *t, char *why, size_t cap); /* are its sizes, numel, offset and extents what they must be? */
static inline wn_tensor *result_at(const result *r, int64_t i) { return r->outs.v ? r->outs.v[i] : r->outs.few[i]; }
int mutated_arguments(const sample *s, wn_tensor **out); /* borrowed */

/* ---- arguments that make no sense (wild.c), and calls that a program would not make (wild_call.c) */
typedef struct wild {
    int64_t widest;   /* elements of a tensor argument, at most: most of them lie on one another */
    int64_t elements; /* out: of all that were made wide, multiplied, and by numbers that may ask for as many (wild.c: count) */
} wild;
void wild_arguments(sample *s, wild *w);
result wild_call(sample *s); /* in one of its forms; with a backward where that goes */
int tensor_slots(const sample *s, wn_tensor **slots[], int most); /* the places in the arguments that hold a tensor */

/* ---- elements, naively (naive.c) */
int64_t element_at(const wn_tensor *t, int64_t i);       /* offset in elements of the i-th in row-major order */
double get_f(const wn_tensor *t, int64_t i);
int64_t get_i(const wn_tensor *t, int64_t i);
void put(const wn_tensor *t, int64_t i, double f, int64_t n); /* f for floats, n for integers and bool */
double round_to(wn_dtype d, double x);                   /* x as the nearest number of dtype d */
int64_t wrap_to(wn_dtype d, int64_t x);
double spacing(wn_dtype d, double x);                    /* one unit in the last place of x */
bool same_bits(const wn_tensor *a, const wn_tensor *b);  /* shape, dtype and elements (any NaN is NaN) */
/* The naive value of a pointwise row; false: the row should refuse these arguments. */
typedef struct naive {
    wn_dtype dtype;
    bool exact;
    int ndim;
    int64_t shape[WN_MAX_DIMS];
} naive;
bool naive_prepare(const sample *s, naive *n);
void naive_element(const sample *s, const naive *n, int64_t i, double *f, int64_t *k);

/* ---- checks and their counts */
typedef enum kind { C_VALUES, C_LAYOUTS, C_REFUSED, C_INPLACE, C_OUT, C_GRAD, C_GRADGRAD, C_MASKED, C_THREADS, C_LEVELS, C_FLAGS, C_HOSTILE, C_SOUND, C_ALLOC, KINDS } check_kind;
extern int64_t passed[KINDS], failed[KINDS];
/* Counts; a failure prints row, spec and the message. Returns ok. */
bool check(check_kind k, bool ok, const sample *s, const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* got within its dtype's tolerance of want, which may be of a wider dtype */
bool close_to(const wn_tensor *got, const wn_tensor *want, double loose, char *why, size_t cap);
bool can_land(wn_dtype from, wn_dtype to); /* may a result of dtype from be written to a tensor of dtype to? */
bool is_float(wn_dtype d);
void print_arguments(const sample *s);
int finish(void); /* prints the counts, frees; the program's exit status */
extern bool full; /* WINNOW_TEST_FULL=1 */

/* A row as a function of the arguments that are differentiated (grads.c). */
typedef struct subject {
    const sample *s;
    wn_tensor *inputs[MAX_MADE]; /* in the order of the list */
    int n;
    int64_t result;
    bool inplace;
} subject;
wn_tensor *call_row(void *ctx, wn_list in); /* the result, with the listed tensors in place of the sample's, mutated ones as copies */
void check_masked(subject *x);              /* masks.c */

void check_meta(const sample *s, const result *r);     /* meta.c: the same */
void check_inferred(const sample *s, const result *r); /* infer.c: r is what the sample gave */
void check_values(const wn_op *op);
void check_inplace(const wn_op *op);
void check_grads(const wn_op *op);
void check_threads(const wn_op *op);
void check_levels(const wn_op *op);
void check_flags(const wn_op *op);
void check_zero(const wn_op *op);
void check_hostile(const wn_op *op);
void show_round(const wn_op *op, int64_t round, int64_t widest);

int document(const char *path, bool only_check); /* docs/operations.md; an exit status, 1: stale */
#endif
