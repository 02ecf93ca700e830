/* Changes and look-ups over all tensors of a module. */
#include "base/dtype.h"
#include "tensor/tensor.h"

typedef struct conversion {
    wn_dtype dtype;
    wn_status status;
} conversion;
static bool convert(void *ctx, const char *name, wn_tensor *t, bool buffer) {
    (void)name, (void)buffer;
    conversion *c = ctx;
    WN_NO_GRAD();
    if (!wn__is_float(t->dtype) || t->dtype == c->dtype) return true;
    wn_tensor *grad = wn_grad_of(t), *data = wn_to(t, c->dtype);
    if (grad) grad = wn_to(grad, c->dtype);
    if (!wn_ok(data) || (grad && !wn_ok(grad)) || (grad && wn_set_grad(t, NULL)) || wn_set_data(t, data) || (grad && wn_set_grad(t, grad)))
        c->status = wn_error();
    return !c->status;
}
wn_status wn_to_dtype(wn_module *m, wn_dtype dtype) {
    if (!wn__dtype_valid(dtype) || !wn__is_float(dtype))
        return wn__fail(WN_E_TYPE, "to_dtype", "modules only take floating dtypes, but got %s", wn_dtype_name(dtype));
    conversion c = {dtype, wn_module_status(m)};
    if (!c.status) wn_module_visit(m, convert, &c);
    return c.status;
}

static bool mark(void *ctx, const char *name, wn_tensor *t, bool buffer) {
    (void)name;
    if (!buffer) wn_requires_grad(t, *(const bool *)ctx);
    return true;
}
void wn_module_requires_grad(wn_module *m, bool on) { wn_module_visit(m, mark, &on); }

typedef struct search {
    const char *name;
    wn_tensor *found;
} search;
static bool compare(void *ctx, const char *name, wn_tensor *t, bool buffer) {
    (void)buffer;
    search *x = ctx;
    if (!x->name || strcmp(name, x->name)) return true;
    x->found = t;
    return false;
}
wn_tensor *wn_module_find(wn_module *m, const char *name) {
    search x = {name, NULL};
    wn_module_visit(m, compare, &x);
    return x.found;
}

wn_module *wn_module_child(wn_module *m, const char *name) {
    while (m && name && *name) {
        const size_t n = strcspn(name, ".");
        wn_module *next = NULL;
        for (int i = 0; i < m->count && !next; i++)
            if (!strncmp(m->entries[i].name, name, n) && !m->entries[i].name[n]) next = m->entries[i].child;
        m = next;
        name += n + (name[n] == '.');
    }
    return m;
}
