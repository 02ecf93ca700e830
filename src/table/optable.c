/* The operation table as bindings see it. */
#include <string.h>
#include "table/op.h"

int wn_op_count(void) { return wn__nops; }
const wn_op *wn_op_at(int i) { return i >= 0 && i < wn__nops ? &wn__ops[i] : NULL; }

static bool is_full_name(const wn_op *op, const char *name) {
    size_t n = strlen(op->name);
    if (strncmp(op->name, name, n)) return false;
    return name[n] == '.' ? !strcmp(name + n + 1, op->overload) : !name[n] && !op->overload[0];
}

const wn_op *wn_op_find(const char *name) {
    if (!name) return NULL;
    for (int i = 0; i < wn__nops; i++) /* "var" is wn_var, although torch's is wn_var_unbiased */
        if (!strcmp(wn__ops[i].cname, name)) return &wn__ops[i];
    for (int i = 0; i < wn__nops; i++)
        if (is_full_name(&wn__ops[i], name)) return &wn__ops[i];
    return NULL;
}

const char *wn_op_name(const wn_op *op) { return op->name; }
const char *wn_op_cname(const wn_op *op) { return op->cname; }
const char *wn_op_signature(const wn_op *op) { return op->signature; }
const char *wn_op_doc(const wn_op *op) { return op->doc; }
size_t wn_op_args_size(const wn_op *op) { return op->args_size; }
const wn_field *wn_op_fields(const wn_op *op, int *n) {
    if (n) *n = op->nfields;
    return op->fields;
}
int wn_op_results(const wn_op *op) { return op->nresults; }
bool wn_op_has_inplace(const wn_op *op) { return (op->flags & WN__F_INPLACE) != 0; }
bool wn_op_has_out(const wn_op *op) { return op->out_offset != 0; }
bool wn_op_random(const wn_op *op) { return (op->flags & WN__F_RANDOM) != 0; }
bool wn_op_creates(const wn_op *op) { return (op->flags & (WN__F_CREATES | WN__F_LIKE)) != 0; }
uint32_t wn_op_traits(const wn_op *op) { return op->traits; }
uint32_t wn_op_places(const wn_op *op) { return op->places; }
bool wn_op_differentiable(const wn_op *op) { return op->cls == WN__COMPOSITE || op->grad != NULL; }
