/* wngen: reads the rows of src/ops (.def files) and writes what follows from them: the operation section of winnow.h, the
 * operation table with its field tables, the entry functions, the kernels' loops and the gradient builders. */
#ifndef WNGEN_H
#define WNGEN_H
#include <stdio.h>
#include "table/row.h"

enum { MAX_PARAMS = 24, MAX_TENSORS = 12, MAX_LOCALS = 6, MAX_REFUSALS = 6 };
typedef enum support_kind { SUPPORT_EVERYWHERE, SUPPORT_TRUE, SUPPORT_ABOVE } support_kind;

typedef struct param {
    char type[40], name[40], cname[40], fallback[64];
    bool has_default, keyword_only, mutated, optional, number;
    wn_kind kind;
} param;

typedef struct op {
    const wn__row *row;
    const char *family;
    int id;
    char name[64], overload[64], cname[64]; /* cname without the trailing _ of in-place-only rows */
    param p[MAX_PARAMS];
    int np, required; /* required: leading positional parameters of the C macro */
    bool variadic;    /* the last of them is a list given as loose arguments */
    char results[WN_MAX_RESULTS][40];
    int nresults; /* -1: a list */
    bool has_out, has_inplace;
    unsigned places; /* WN_IN_TORCH ... */
    int tensors[MAX_TENSORS], ntensors; /* parameters that carry tensors */
    int operands[6], noperands;         /* pointwise */
    unsigned bool_operands, plain_operands;
    int unit; /* parameter, or -1 */
    char unit_expr[256];
    unsigned defaults; /* bit i: attribute i of defaults.c is its family's */
    unsigned diff, save_in[MAX_TENSORS], save_out[MAX_TENSORS];
    const struct node *tree[MAX_TENSORS]; /* of its gradient text; NULL: none (text.h) */
    const struct node *formula[WN_MAX_RESULTS]; /* of its results; [1] NULL: one call gives all */
    struct { char name[40]; const struct node *is; } local[MAX_LOCALS]; /* what its text names, in order */
    int nlocals;
    const struct node *refusal[MAX_REFUSALS]; /* of its formula, in order */
    int nrefusals;
    int selects[3];            /* operands (roles.c) */
    support_kind support;   /* where its result exists ... */
    int exists[2];             /* ... and the parameters that say it */
} op;

extern op ops[];
extern int nops;

void fatal(const op *o, const char *fmt, ...) __attribute__((noreturn, format(printf, 2, 3)));
void parse_rows(void);
void decide(op *o, wn__row *row, const wn__row *heading); /* defaults.c */
void print_defaults(void);
unsigned traits_of(const op *o);
void check_functions(const op *o); /* .infer, .run, .fn: as its class has them */
void print_decisions(const op *o); /* of one row, for --explain */
int find_op(const char *cname);           /* index in ops, -1 if none */
int find_param(const op *o, const char *name); /* -1 if none */
const op *args_owner(const op *o);         /* the row whose args struct it has (.args_of), often itself */
bool takes_arguments(const char *text); /* functions.c: is this function of a row named with arguments? */
void learn_functions(void);
void emit_prototype(FILE *f, const op *o, const char *text, bool gradient);
/* Of what the table has as "infer", "run", "fn" or "vjp". */
void function_name(char *buf, size_t cap, const op *o, const char *what, const char *text);
void emit_function_call(FILE *f, const op *o, const char *text);
void emit_adapters(FILE *f, const op *o);
void check_shared(void);                  /* rows that share a function */
int tensor_index(const op *o, int parameter);  /* its place in tensors, -1 if none */

char *read_file(const char *path);
void generate(const char *dir, const char *name, void (*emit)(FILE *)); /* writes dir/name where its text changes */
void write_uses(const char *dir, const char *root, char *const *sources, int n);

void emit_header_section(FILE *f);
void emit_declarations(FILE *f, const op *o); /* one row's part of it, without its comment */
void emit_hpp_section(FILE *f);
void emit_rows(FILE *f);
int kernel_number(int op_index, bool unit); /* of the kernel table; -1: none */
void emit_shorter(FILE *f, const op *o);    /* the numbers of .shorter, as a table of their own ... */
void emit_fuse(FILE *f, const op *o);       /* ... and the fields of struct wn_op about them and about neighbours */
void emit_titles(FILE *f, const op *o); /* before the table: what .title says, the declaration of .title_of */
void emit_title_fields(FILE *f, const op *o);
void emit_express(FILE *f);
void emit_kernels(FILE *f);
void emit_reference(FILE *f);
bool has_kernel(const op *o, const char *ct, const char **expr); /* has the pointwise row a kernel for ct ("f32", "b8" ...)? */
void analyse_gradients(void); /* fills diff, save_in, save_out */
void emit_builders(FILE *f);
void resolve_roles(void); /* .selects, .support, .zero */
void emit_roles(FILE *f, const op *o);
int kernel_number(int op_index, bool unit);
int selecting_kernel(void);
int explain(char *const *rows, int n); /* an exit status */
#endif
