/* wnbench: times what one line of text describes. A *problem* is that line, parsed; a *job* is a problem with its data,
 * ready to run again and again. The same lines are timed in PyTorch by bench/versus_torch.py.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef WNBENCH_BENCH_H
#define WNBENCH_BENCH_H
#include <winnow.h>

enum { MAX_OPERANDS = 10, MAX_OPTIONS = 12, MAX_TEXT = 256, MAX_WHY = 400 };

/* A tensor (or number) argument. Values are a function of (seed, element), so that PyTorch's side can make the same. */
typedef struct operand {
    const wn_field *field; /* where it goes */
    bool number, absent, transposed; /* transposed: the last two dimensions lie in memory the other way round */
    bool given_dtype, given_range, grad, sorted;
    double density; /* the share of elements that are not 0; 0: all */
    double value;  /* of a number */
    double lo, hi; /* floating values in [lo, hi), integers from lo to hi - 1, bool: true with probability hi */
    wn_dtype dtype;
    wn_dims shape;
    wn_tensor *t; /* owned */
} operand;

typedef struct option { /* key=value, or a word (value "") */
    char key[32], value[64];
    bool used;
} option;

typedef struct problem {
    char text[MAX_TEXT]; /* single spaces */
    char name[48];
    wn_dtype dtype;
    int noperands, noptions;
    operand operands[MAX_OPERANDS];
    option options[MAX_OPTIONS];
    bool bwd;      /* forward and backward ... */
    bool bwd_rest; /* ... in all operands but the first: a network's first layer */
} problem;

/* problem.c. Functions that can fail write one clause to `why` (MAX_WHY bytes) and return false or NULL. */
bool parse_problem(const char *text, problem *p, char *why);
option *find_option(problem *p, const char *key); /* marks it as used; NULL if there is none */
bool set_option(problem *p, const char *key, const char *value); /* unless it is there already; false: no room */
bool parse_shape(const char *text, wn_dims *shape, bool *transposed);
bool parse_dtype(const char *text, wn_dtype *dtype);
const char *short_dtype(wn_dtype dtype);
bool fail(char *why, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* operand.c */
wn_tensor *make_tensor(const operand *o, int seed); /* owned; NULL and an error record on failure */
operand tensor_operand(wn_dtype dtype, wn_dims shape, double lo, double hi);
int64_t shape_numel(const wn_dims *shape);
void sum_tensor(wn_tensor *t, double sums[2]); /* adds the sum and the sum of the magnitudes */

/* family.c: what a problem leaves unsaid, and what an operation costs at least. */
bool complete_problem(problem *p, const wn_op *op, char *why);
void count_cost(const problem *p, wn_list outs, double *bytes, double *flops);

typedef struct job job;
struct job {
    problem problem;
    bool (*run)(job *j);                    /* once, results read; false: the error record says why */
    bool (*check)(job *j, double sums[2]);  /* runs once and adds up the results; NULL: nothing to compare */
    void (*spec)(job *j);                   /* prints JSON fields about the call for the other side; before: runs until here */
    void (*free)(job *j);                   /* what the job owns, but not the job */
    double bytes, flops; /* the least a run moves and computes; 0: not counted */
    void *own;           /* the kind of job keeps its data here */
};

job *job_new(const char *text, char *why); /* main.c */
void job_free(job *j);
/* They fill run, check, spec, free; false: why. */
bool row_job(job *j, char *why);     /* row.c: any row of the table by its name */
bool optim_job(job *j, char *why);   /* optim.c: adamw f32 10000000 */
bool step_job(job *j, char *why);    /* step.c: step cnn b64 */
bool percall_job(job *j, char *why); /* percall.c: op add f32 1 */
bool fused_job(job *j, char *why);   /* fused.c: fused_chain f32 1000000 */

/* step_nets.c: the networks of training steps; each function fills in all but the batch. module NULL: there was no memory. */
typedef struct step_net {
    wn_module *module;      /* on the heap, as wn_add_owned wants it */
    int64_t batch;
    operand x;              /* the input, a batch of it */
    int64_t targets, classes; /* numbers of targets, each below classes */
    double products, first; /* of a forward run for a sample, and of the first layer, whose input needs no gradient */
} step_net;
void mlp_net(step_net *n, const int64_t *sizes, int layers);
void cnn_net(step_net *n);
void resnet18_net(step_net *n);
void transformer_net(step_net *n);
void lstm_net(step_net *n);

/* measure.c */
typedef struct measurement {
    double median_ns, min_ns, spread; /* spread: distance of the quartiles over the median */
    int64_t runs;
    double elements, faults, blocks; /* a run: elements computed, page faults, blocks taken from the system */
    double instructions;             /* a run, all threads; < 0: no counters here */
} measurement;
void counters_open(void); /* before the first thread is made */
void measure_cpu_time(bool on); /* the process's processor time, which a busy machine disturbs less: for one thread */
bool measure(job *j, double seconds, measurement *m);
typedef struct tally { /* one warm run */
    int64_t peak; /* bytes above what there was before it */
    int64_t programs, instr_elements, skipped, stored, recomputed, pinned_peak;
} tally;
bool tally_run(job *j, tally *t);

/* list.c */
typedef struct listed {
    const char *family, *text;
    bool quick;
} listed;
extern const listed problem_list[];
extern const int problem_list_n;
#endif
