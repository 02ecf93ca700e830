/* Rows that share a C function: it reads one args struct (.args_of), and where they differ in the number of spatial dimensions it reads that (.dims). */
#include <stdlib.h>
#include <string.h>
#include "wngen.h"

const op *args_owner(const op *o) { return o->row->args_of ? &ops[find_op(o->row->args_of)] : o; }

/* Is the struct that this row would get the one of the row that it names? */
static void check_args(const op *o) {
    const int owner = find_op(o->row->args_of);
    const op *of = owner < 0 ? NULL : &ops[owner];
    if (!of || of >= o || of->row->args_of) fatal(o, ".args_of: '%s' is no row before it with a struct of its own", o->row->args_of);
    bool same = of->np == o->np && of->has_out == o->has_out;
    for (int i = 0; same && i < o->np; i++) same = of->p[i].kind == o->p[i].kind && !strcmp(of->p[i].cname, o->p[i].cname);
    if (!same) fatal(o, ".args_of: %s has other arguments", of->cname);
}

/* The number in `int[2] stride`: how many elements one stands for; 0: it says none. */
static int said(const op *o) {
    for (int i = 0; i < o->np; i++) {
        const char *bracket = o->p[i].kind == WN_K_DIMS ? strchr(o->p[i].type, '[') : NULL;
        if (bracket && bracket[1] != ']') return atoi(bracket + 1);
    }
    return 0;
}

static void check_pair(const op *a, const op *b) {
    if (args_owner(a) != args_owner(b)) fatal(b, "it has the function of %s, which reads one struct: say .args_of = \"%s\"", a->cname, args_owner(a)->cname);
    if (!a->row->dims != !b->row->dims || (a->row->dims && a->row->dims == b->row->dims)) fatal(b, ".dims: %s has the same function, so both say it, or none does", a->cname);
    if (!a->row->which != !b->row->which) fatal(b, ".which: %s has the same function, so both say it, or none does", a->cname);
    if (!a->row->dims && said(a) != said(b)) fatal(b, "the function of %s works on another number of dimensions: say .dims", a->cname);
}

/* The one that reads the args: rows may share a .run that goes by c->plan, c->in and c->out alone. */
static const char *function_of(const op *o) { return o->row->infer ? o->row->infer : o->row->fn; }

static bool same_function(const op *x, const op *y) {
    const char *a = function_of(x), *b = function_of(y);
    return a && b && strcspn(a, "(") == strcspn(b, "(") && !strncmp(a, b, strcspn(a, "("));
}

void check_functions(const op *o) {
    const wn__row *r = o->row;
    const bool infers = r->infer && !r->fn;
    if (r->cls == WN__VIEW && (!infers || r->run)) fatal(o, "a VIEW row has one function, .infer, which makes its results");
    const bool alone = r->flags & (WN__F_DATA_DEPENDENT | WN__F_LAZY); /* it makes its results at once: of values, or of another tensor's memory */
    if (r->cls == WN__KERNEL && !(infers && (r->run || alone))) fatal(o, "a KERNEL row has two functions, .infer and .run");
    if (r->flags & WN__F_WAITS && !r->infer) fatal(o, "a product (WAITS) has .infer and .run");
    if (r->cls == WN__COMPOSITE && !r->fn && !r->formula) fatal(o, "a COMPOSITE row has a function, .fn, or a .formula, before which .fn checks");
    if (r->cls != WN__COMPOSITE && r->formula) fatal(o, ".formula is for COMPOSITE rows");
    if (r->cls != WN__VIEW && r->cls != WN__KERNEL && (r->infer || r->run)) fatal(o, ".infer and .run are for VIEW and KERNEL rows");
}

void check_shared(void) {
    for (int i = 0; i < nops; i++) {
        const op *o = &ops[i];
        bool shares = false;
        if (o->row->args_of) check_args(o);
        for (int k = 0; k < nops; k++) {
            if (k == i || !same_function(o, &ops[k])) continue;
            shares = true;
            if (k < i && !takes_arguments(function_of(o))) check_pair(&ops[k], o);
        }
        if (o->row->dims && !shares) fatal(o, ".dims is for rows that share a function");
        if (o->row->dims && said(o) && said(o) != o->row->dims) fatal(o, ".dims = %d, but its arguments are lists of %d", o->row->dims, said(o));
    }
}
