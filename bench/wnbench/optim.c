/* `adamw f32 10000000`: one optimiser step over parameters of the given shapes: adam, adamw, sgd (momentum=0.9). */
#include "bench.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct optim {
    wn_optim *optim;
} optim;

static bool run(job *j) {
    const optim *o = j->own;
    if (wn_step(o->optim) != WN_OK) return false;
    for (int i = 0; i < j->problem.noperands; i++) (void)wn_data(j->problem.operands[i].t);
    return true;
}

static bool check(job *j, double sums[2]) {
    sums[0] = sums[1] = 0;
    if (!run(j)) return false;
    for (int i = 0; i < j->problem.noperands; i++) sum_tensor(j->problem.operands[i].t, sums);
    return true;
}

static void spec(job *j) {
    const problem *p = &j->problem;
    printf(", \"before\": 1, \"op\": \"optim\", \"name\": \"%s\", \"operands\": [", p->name);
    for (int i = 0; i < p->noperands; i++) {
        printf("%s{\"seed\": %d, \"dtype\": \"%s\", \"t\": false, \"grad\": true, \"lo\": -1, \"hi\": 1, \"shape\": [", i ? ", " : "", i,
               short_dtype(p->operands[i].dtype));
        for (int d = 0; d < p->operands[i].shape.n; d++) printf("%s%lld", d ? ", " : "", (long long)p->operands[i].shape.v[d]);
        printf("]}");
    }
    printf("]");
}

static void drop(job *j) {
    optim *o = j->own;
    if (o) wn_optim_free(o->optim);
    for (int i = 0; i < j->problem.noperands; i++) wn_drop(j->problem.operands[i].t);
    free(o);
}

bool optim_job(job *j, char *why) {
    problem *p = &j->problem;
    optim *o = j->own = calloc(1, sizeof *o);
    j->run = run, j->check = check, j->spec = spec, j->free = drop;
    if (!o) return fail(why, "there is no memory");
    if (p->noptions) return fail(why, "%s has no options", p->name);
    WN_SCOPE(scope);
    wn_tensor *parameters[MAX_OPERANDS];
    double bytes = 0;
    for (int i = 0; i < p->noperands; i++) {
        operand *x = &p->operands[i], g = *x;
        if (x->number) return fail(why, "the operands of %s are shapes", p->name);
        x->lo = -1, x->hi = 1, x->grad = true;
        g.lo = -0.1, g.hi = 0.1, g.grad = false;
        x->t = parameters[i] = make_tensor(x, i);
        wn_tensor *grad = make_tensor(&g, i + 50);
        const bool set = x->t && grad && wn_set_grad(x->t, grad) == WN_OK;
        wn_drop(grad);
        if (!set) return fail(why, "%s", wn_error_message());
        bytes += (double)wn_numel(x->t) * (double)wn_dtype_size(x->dtype);
    }
    const wn_list list = {.n = p->noperands, .v = parameters};
    const bool sgd = !strcmp(p->name, "sgd");
    if (sgd) o->optim = wn_sgd_new(list, .momentum = 0.9);
    else o->optim = !strcmp(p->name, "adam") ? wn_adam_new(list) : wn_adamw_new(list);
    /* read parameter, gradient and state; write parameter and state */
    j->bytes = bytes * (sgd ? 5 : 7);
    return (o->optim && run(j)) || fail(why, "%s", wn_error_message());
}
