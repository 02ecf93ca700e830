/* `op add f32 1`: what a call costs. The calls are written as C programs write them, with the macros of winnow.h; the result
 * is given back at once. Variants: add_ (in place), add (new result), and `grad`: an operand requires a gradient, so the call
 * makes a node of the graph. */
#include "bench.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct percall {
    wn_tensor *a, *b;
    const char *name;
    bool grad;
} percall;

/* name, expression of a and b, does the result belong to the scope? (in place it is a itself) */
#define CALLS(X)                                                                                                       \
    X(none, a)                                                                                                         \
    X(add, wn_add(a, b))                                                                                               \
    X(sub, wn_sub(a, b))                                                                                               \
    X(mul, wn_mul(a, b))                                                                                               \
    X(div, wn_div(a, b))                                                                                               \
    X(neg, wn_neg(a))                                                                                                  \
    X(relu, wn_relu(a))                                                                                                \
    X(exp, wn_exp(a))                                                                                                  \
    X(sum, wn_sum(a))                                                                                                  \
    X(view, wn_view(a, WN_DIMS(1, -1)))                                                                                \
    X(add_, wn_add_(a, b))                                                                                             \
    X(sub_, wn_sub_(a, b))                                                                                             \
    X(mul_, wn_mul_(a, b))                                                                                             \
    X(relu_, wn_relu_(a))                                                                                              \
    X(zero_, wn_zero_(a))

#define DEFINE(name, call)                                                                                             \
    static bool run_##name(job *j) {                                                                                   \
        const percall *c = j->own;                                                                                     \
        wn_tensor *const a = c->a, *const b = c->b, *y;                                                                \
        (void)b;                                                                                                       \
        y = call;                                                                                                      \
        const bool good = wn_data(y) != NULL;                                                                          \
        wn_done(y);                                                                                                    \
        return good;                                                                                                   \
    }
CALLS(DEFINE)

#define ENTRY(name, call) {#name, run_##name},
static const struct {
    const char *name;
    bool (*run)(job *j);
} calls[] = {CALLS(ENTRY)};
enum { NCALLS = sizeof calls / sizeof *calls };

static void spec(job *j) {
    const percall *c = j->own;
    printf(", \"op\": \"call\", \"name\": \"%s\", \"n\": %lld, \"dtype\": \"%s\", \"grad\": %s", c->name, (long long)wn_numel(c->a),
           short_dtype(wn_dtype_of(c->b)), c->grad ? "true" : "false");
}

static void drop(job *j) {
    percall *c = j->own;
    if (!c) return;
    wn_drop(c->a);
    wn_drop(c->b);
    free(c);
}

bool percall_job(job *j, char *why) {
    problem *p = &j->problem;
    percall *c = j->own = calloc(1, sizeof *c);
    j->free = drop, j->spec = spec;
    if (!c) return fail(why, "there is no memory");
    if (p->noptions < 3 || p->noptions > 4 || (p->noptions == 4 && strcmp(p->options[3].key, "grad")))
        return fail(why, "it is 'op add f32 1' or 'op add f32 1 grad'");
    c->grad = p->noptions == 4;
    for (int i = 0; i < NCALLS; i++)
        if (!strcmp(p->options[0].key, calls[i].name)) c->name = calls[i].name, j->run = calls[i].run;
    if (!c->name) {
        char list[200] = "";
        for (int i = 0; i < NCALLS; i++) snprintf(list + strlen(list), sizeof list - strlen(list), " %s", calls[i].name);
        return fail(why, "the calls are%s; '%s' is none of them", list, p->options[0].key);
    }
    const bool inplace = c->name[strlen(c->name) - 1] == '_';
    operand o = tensor_operand(WN_F32, WN_0D, 0.9, 1);
    if (!parse_dtype(p->options[1].key, &o.dtype)) return fail(why, "'%s' is not a dtype", p->options[1].key);
    if (!parse_shape(p->options[2].key, &o.shape, &o.transposed)) return fail(why, "'%s' is not a shape", p->options[2].key);
    if (c->grad && inplace) return fail(why, "a leaf that requires a gradient cannot be changed in place: use 'op add f32 1 grad'");
    WN_SCOPE(scope);
    o.grad = c->grad;
    c->a = make_tensor(&o, 0);
    o.grad = false;
    if (inplace) o.lo = 1, o.hi = 1 + 1e-9; /* a product repeated a million times stays what it is */
    c->b = make_tensor(&o, 1);
    return (c->a && c->b && j->run(j)) || fail(why, "%s", wn_error_message());
}
