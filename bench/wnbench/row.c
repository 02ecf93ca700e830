/* Any row of the operation table by its name: operands go to its tensor fields in order, options to the others by name. */
#include "bench.h"
#include "ops/kernel_tables.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct row {
    const wn_op *op;
    bool inplace;
    void *args;
    wn_tensor *many[MAX_OPERANDS]; /* what a Tensor[] field holds */
    wn_tensor *leaves[MAX_OPERANDS];
    wn_tensor *cotangent; /* of the first result; NULL: ones */
    int nleaves;
} row;

static bool takes_tensor(const wn_field *f) { return f->kind == WN_K_TENSOR || f->kind == WN_K_VALUE; }
static bool takes_operand(const wn_field *f) { return takes_tensor(f) || f->kind == WN_K_TENSORS; }
static bool is_optional(const wn_field *f) {
    const size_t n = f->type ? strlen(f->type) : 0;
    return f->fallback || (n && f->type[n - 1] == '?') || !strcmp(f->name, "out");
}

/* ------------------------------------------------------------------------------------------------ arguments */

static bool parse_dims(const char *text, wn_dims *d) {
    d->n = 0;
    for (const char *s = text;; s++) {
        char *end;
        const long long v = strtoll(s, &end, 10);
        if (end == s || d->n == WN_MAX_DIMS) return false;
        d->v[d->n++] = v;
        s = end;
        if (!*s) return true;
        if (*s != ',' && *s != 'x') return false;
    }
}

static bool parse_bool(const char *text, bool *b) {
    *b = !strcmp(text, "1") || !strcmp(text, "True") || !strcmp(text, "true");
    return *b || !strcmp(text, "0") || !strcmp(text, "False") || !strcmp(text, "false");
}

static bool set_field(void *args, const wn_field *f, const char *text) {
    void *at = (char *)args + f->offset;
    char *end = "";
    bool b = false;
    switch (f->kind) {
    case WN_K_INT: *(int64_t *)at = strtoll(text, &end, 10); break;
    case WN_K_FLOAT: *(double *)at = strtod(text, &end); break;
    case WN_K_BOOL: return parse_bool(text, (bool *)at);
    case WN_K_SWITCH:
        if (!parse_bool(text, &b)) return false;
        *(wn_switch *)at = b ? WN_ON : WN_OFF;
        return true;
    case WN_K_DIMS: return parse_dims(text, at);
    case WN_K_DTYPE: return parse_dtype(text, at);
    case WN_K_STRING: *(const char **)at = text; return true;
    case WN_K_SCALAR:
    case WN_K_VALUE:
        *(wn_val *)at = strpbrk(text, ".eEn") ? wn_val_of_float(strtod(text, &end)) : wn_val_of_int(strtoll(text, &end, 10));
        break;
    default: return false;
    }
    return *text && !*end;
}

static bool set_options(problem *p, row *r, char *why) {
    int n;
    const wn_field *f = wn_op_fields(r->op, &n);
    for (int i = 0; i < n; i++) {
        option *o = find_option(p, f[i].torch);
        if (o && !set_field(r->args, &f[i], o->value)) return fail(why, "%s='%s' is not of the type %s", f[i].torch, o->value, f[i].type);
        if (!o && !takes_operand(&f[i]) && !is_optional(&f[i]))
            return fail(why, "%s needs %s=... (%s)", p->name, f[i].torch, wn_op_signature(r->op));
    }
    for (int i = 0; i < p->noptions; i++)
        if (!p->options[i].used) return fail(why, "%s has no option '%s' (%s)", p->name, p->options[i].key, wn_op_signature(r->op));
    return true;
}

/* ------------------------------------------------------------------------------------------------- operands */

/* Gives every required tensor field an operand: where too few are given, the first one's shape is used again. */
static bool assign(problem *p, row *r, char *why) {
    int n, next = 0;
    const wn_field *f = wn_op_fields(r->op, &n);
    for (int i = 0; i < n; i++) {
        bool taken = false;
        for (int k = 0; k < p->noperands; k++) taken = taken || p->operands[k].field == &f[i];
        if (taken || !takes_operand(&f[i]) || !strcmp(f[i].name, "out")) continue;
        while (next < p->noperands && p->operands[next].field) next++;
        if (next < p->noperands) {
            p->operands[next].field = &f[i];
            while (f[i].kind == WN_K_TENSORS && ++next < p->noperands) p->operands[next].field = &f[i];
        } else if (!is_optional(&f[i])) {
            if (p->noperands == MAX_OPERANDS) return fail(why, "there are more than %d operands", MAX_OPERANDS);
            operand *o = &p->operands[p->noperands++];
            *o = p->operands[0];
            o->field = &f[i];
            next = p->noperands;
        }
    }
    for (int k = 0; k < p->noperands; k++)
        if (!p->operands[k].field) return fail(why, "%s takes fewer operands (%s)", p->name, wn_op_signature(r->op));
    return true;
}

static bool is_one_of(const char *name, const char *list) {
    const size_t n = strlen(name);
    for (const char *s = list; (s = strstr(s, name)); s += n)
        if ((s == list || s[-1] == ' ') && (!s[n] || s[n] == ' ')) return true;
    return false;
}

/* Ranges in which the operation is defined, and in which repeating it in place neither overflows nor vanishes. */
static void set_ranges(problem *p, bool inplace) {
    char name[48];
    strcpy(name, p->name);
    if (inplace) name[strlen(name) - 1] = 0;
    const bool positive = is_one_of(name, "log log2 log10 log1p sqrt rsqrt pow float_power xlogy xlog1py entr igamma igammac");
    const bool product = is_one_of(name, "prod cumprod");
    const bool unit = is_one_of(name, "logit ndtri binary_cross_entropy"); /* probabilities */
    const bool float_second = is_one_of(name, "mul div pow remainder fmod floor_divide addcmul addcdiv");
    for (int i = 0; i < p->noperands; i++) {
        operand *o = &p->operands[i];
        if (o->number || o->given_range) continue;
        const bool integral = o->dtype >= WN_I8 && o->dtype <= WN_U8;
        o->lo = integral ? 1 : positive ? 0.5 : !strcmp(name, "acosh") ? 1.5 : -1;
        o->hi = integral ? 100 : o->dtype == WN_BOOL ? (o->density > 0 ? o->density : 0.5) : positive ? 1.5 : !strcmp(name, "acosh") ? 3 : 1;
        if (product && !integral && o->dtype != WN_BOOL) o->lo = 0.99, o->hi = 1.01; /* of 10^6 factors */
        if (unit) o->lo = 0.01, o->hi = 0.99;
        if (!inplace && i == 1 && is_one_of(name, "div remainder fmod floor_divide") && !integral) o->lo = 0.5, o->hi = 1.5;
        if (inplace && i && float_second) o->lo = 1, o->hi = 1 + 1e-9;
        if (inplace && i && !float_second && !integral && o->dtype != WN_BOOL) o->lo = 1e-3, o->hi = 2e-3;
    }
}

static bool fill_operands(problem *p, row *r, char *why) {
    wn_list many = {.n = 0, .v = r->many};
    const wn_field *many_field = NULL;
    for (int i = 0; i < p->noperands; i++) {
        operand *o = &p->operands[i];
        void *at = (char *)r->args + o->field->offset;
        if (o->number) {
            if (o->field->kind != WN_K_VALUE) return fail(why, "%s of %s takes no number", o->field->torch, p->name);
            *(wn_val *)at = o->value == (double)(int64_t)o->value ? wn_val_of_int((int64_t)o->value) : wn_val_of_float(o->value);
            continue;
        }
        o->grad = p->bwd && !o->absent && o->dtype >= WN_F32 && o->dtype <= WN_BF16 && !(p->bwd_rest && i == 0) && !o->field->mutated;
        o->t = make_tensor(o, i);
        if (!o->t) return fail(why, "%s", wn_error_message());
        if (o->grad) r->leaves[r->nleaves++] = o->t;
        if (o->field->kind == WN_K_TENSORS) {
            many_field = o->field;
            r->many[many.n++] = o->t;
        } else if (o->field->kind == WN_K_VALUE) *(wn_val *)at = wn_val_of_tensor(o->t);
        else *(wn_tensor **)at = o->t;
    }
    if (many_field) *(wn_list *)((char *)r->args + many_field->offset) = many;
    return !p->bwd || r->nleaves || fail(why, "there is no floating operand to differentiate");
}

/* --------------------------------------------------------------------------------------------------- running */

static row *row_of(job *j) {
    return j->own;
}

static bool forward(row *r, wn_outs *outs) {
    return (r->inplace ? wn_call_inplace : wn_call)(r->op, r->args, outs) == WN_OK;
}

static wn_list gradients(row *r, wn_tensor *y) {
    const wn_list leaves = {.n = r->nleaves, .v = r->leaves};
    if (!r->cotangent) return wn_grad(WN_LIST(y), leaves);
    return wn_grad(WN_LIST(y), leaves, .gradients = WN_LIST(r->cotangent));
}

static bool run(job *j) {
    row *r = row_of(j);
    wn_outs outs;
    if (!forward(r, &outs)) return false;
    for (int64_t i = 0; i < outs.n; i++) (void)wn_data(outs.v[i]);
    bool good = true;
    if (r->nleaves) {
        WN_SCOPE(scope);
        const wn_list g = gradients(r, outs.v[0]);
        for (int64_t i = 0; i < g.n; i++) (void)wn_data(g.v[i]);
        good = g.n == r->nleaves;
    }
    wn_outs_drop(&outs);
    return good;
}

static bool check(job *j, double sums[2]) {
    row *r = row_of(j);
    wn_outs outs;
    sums[0] = sums[1] = 0;
    if (!forward(r, &outs)) return false;
    for (int64_t i = 0; i < outs.n; i++) sum_tensor(outs.v[i], sums);
    bool good = true;
    if (r->nleaves) {
        WN_SCOPE(scope);
        const wn_list g = gradients(r, outs.v[0]);
        for (int64_t i = 0; i < g.n; i++) sum_tensor(g.v[i], sums);
        good = g.n == r->nleaves;
    }
    wn_outs_drop(&outs);
    return good;
}

/* The call as JSON: everything the other side needs, so that only this program understands problem strings. */
static void spec(job *j) {
    const row *r = row_of(j);
    const problem *p = &j->problem;
    int n;
    const wn_field *f = wn_op_fields(r->op, &n);
    printf(", \"before\": 2, \"op\": \"%s\", \"inplace\": %s, \"bwd\": %s, \"operands\": [", wn_op_name(r->op), r->inplace ? "true" : "false",
           p->bwd ? "true" : "false");
    for (int i = 0; i < p->noperands; i++) {
        const operand *o = &p->operands[i];
        printf("%s{\"name\": \"%s\", \"many\": %s, ", i ? ", " : "", o->field->torch, o->field->kind == WN_K_TENSORS ? "true" : "false");
        if (o->number) {
            printf("\"number\": %.17g}", o->value);
            continue;
        }
        printf("\"seed\": %d, \"dtype\": \"%s\", \"t\": %s, \"grad\": %s, \"lo\": %.17g, \"hi\": %.17g, \"density\": %.17g, \"sorted\": %s, \"shape\": [", i,
               short_dtype(o->dtype), o->transposed ? "true" : "false", o->grad ? "true" : "false", o->lo, o->hi, o->density > 0 ? o->density : 1, o->sorted ? "true" : "false");
        for (int d = 0; d < o->shape.n; d++) printf("%s%lld", d ? ", " : "", (long long)o->shape.v[d]);
        printf("]}");
    }
    printf("], \"args\": {");
    const char *comma = "";
    for (int i = 0; i < n; i++)
        for (int k = 0; k < p->noptions; k++)
            if (!strcmp(p->options[k].key, f[i].torch)) {
                printf("%s\"%s\": [\"%s\", \"%s\"]", comma, f[i].torch, f[i].type, p->options[k].value);
                comma = ", ";
            }
    printf("}");
}

static void drop(job *j) {
    row *r = row_of(j);
    wn__kernel_prefer(NULL);
    for (int i = 0; i < j->problem.noperands; i++) wn_drop(j->problem.operands[i].t);
    if (!r) return;
    wn_drop(r->cotangent);
    free(r->args);
    free(r);
}

static bool has_field(const wn_op *op, const char *name) {
    int n;
    const wn_field *f = wn_op_fields(op, &n);
    for (int i = 0; i < n; i++)
        if (!strcmp(f[i].torch, name)) return true;
    return false;
}

/* "add_": the row of that name, or the in-place form of "add". "max ... dim=1": the row max_dim. */
static bool find_row(problem *p, row *r, char *why) {
    const char *name = p->name;
    char base[48 + 4];
    r->op = wn_op_find(name);
    r->inplace = false;
    const size_t n = strlen(name);
    if (r->op && find_option(p, "dim") && !has_field(r->op, "dim")) {
        snprintf(base, sizeof base, "%s_dim", name);
        if (wn_op_find(base)) r->op = wn_op_find(base);
    }
    if (n > 1 && name[n - 1] == '_') {
        strcpy(base, name);
        base[n - 1] = 0;
        if (!r->op) r->op = wn_op_find(base);
        r->inplace = true;
        if (r->op && !wn_op_has_inplace(r->op) && strcmp(wn_op_name(r->op), name)) return fail(why, "%s has no in-place form", base);
    }
    return r->op || fail(why, "the table has no operation '%s'", name);
}

/* One run: finds out whether the arguments fit, and what the results weigh. */
static bool first_run(job *j, row *r, char *why) {
    problem *p = &j->problem;
    wn_outs outs;
    if (!forward(r, &outs)) return fail(why, "%s", wn_error_message());
    const wn_list results = {.n = outs.n, .v = outs.v};
    count_cost(p, results, &j->bytes, &j->flops);
    if (p->bwd) j->bytes = 0; /* what a backward has to read differs from row to row */
    if (p->bwd && (!outs.n || !wn_needs_grad(outs.v[0]))) fail(why, "the result of %s has no gradient", p->name);
    else if (p->bwd && wn_numel(outs.v[0]) != 1) {
        const operand o = tensor_operand(wn_dtype_of(outs.v[0]), wn_shape(outs.v[0]), -1, 1);
        r->cotangent = make_tensor(&o, 99);
        if (!r->cotangent) fail(why, "%s", wn_error_message());
    }
    wn_outs_drop(&outs);
    if (*why) return false;
    return run(j) || fail(why, "%s", wn_error_message());
}

/* kernel=table/row: that row of a family's table is asked before all others; *ran counts it. */
static bool prefer_kernel(problem *p, const _Atomic int64_t **ran, char *why) {
    const option *o = find_option(p, "kernel");
    char name[64];
    *ran = NULL;
    if (!o) return true;
    for (int t = 0; t < wn__kernel_tables_n; t++)
        for (int i = 0; i < wn__kernel_tables[t]->n; i++) {
            const wn__kernel_table *table = wn__kernel_tables[t];
            snprintf(name, sizeof name, "%s/%s", table->name, table->rows[i].name);
            if (strcmp(name, o->value)) continue;
            wn__kernel_prefer(&table->rows[i]);
            *ran = &table->ran[i];
            return true;
        }
    return fail(why, "there is no kernel '%s' (WINNOW_TRACE=kernels names those that run)", o->value);
}

bool row_job(job *j, char *why) {
    problem *p = &j->problem;
    row *r = calloc(1, sizeof *r);
    j->own = r;
    j->free = drop;
    j->run = run;
    j->check = check;
    j->spec = spec;
    const _Atomic int64_t *ran;
    if (!r) return fail(why, "there is no memory");
    if (!prefer_kernel(p, &ran, why) || !find_row(p, r, why) || !complete_problem(p, r->op, why)) return false;
    r->args = calloc(1, wn_op_args_size(r->op));
    if (!r->args) return fail(why, "there is no memory");
    *(size_t *)r->args = wn_op_args_size(r->op);
    if (!set_options(p, r, why) || !assign(p, r, why)) return false;
    set_ranges(p, r->inplace);
    WN_SCOPE(scope);
    const int64_t before = ran ? *ran : 0;
    if (!fill_operands(p, r, why) || !first_run(j, r, why)) return false;
    return !ran || *ran > before || fail(why, "that kernel does not suit here");
}
