/* Modules: named parameters, buffers and children. */
#include <stdio.h>
#include "base/alloc.h"
#include "tensor/tensor.h"
#include "tensor/scope.h"

static wn_status fail(wn_module *m, wn_status st) {
    if (m->status == WN_OK) m->status = st;
    return st;
}
static wn_status absent(void) { return wn__fail(WN_E_TYPE, "module", "the module is absent (NULL)"); }

static wn_module_entry *new_entry(wn_module *m, const char *name) {
    if (m->status) return NULL;
    size_t n = name ? strlen(name) : 0;
    if (!name) name = "";
    if (n == 0 || n >= sizeof m->entries->name || strchr(name, '.')) {
        fail(m, wn__fail(WN_E_VALUE, "module", "'%s' is no name for a parameter: 1 to %zu characters without '.'", name, sizeof m->entries->name - 1));
        return NULL;
    }
    for (int i = 0; i < m->count; i++)
        if (!strcmp(m->entries[i].name, name)) {
            fail(m, wn__fail(WN_E_VALUE, "module", "the name '%s' is taken", name));
            return NULL;
        }
    if (m->count == m->capacity) {
        int capacity = m->capacity ? m->capacity * 2 : 4;
        wn_module_entry *grown = wn__realloc(m->entries, (size_t)capacity, sizeof *grown);
        if (!grown) {
            fail(m, wn__fail_memory("module"));
            return NULL;
        }
        m->entries = grown;
        m->capacity = capacity;
    }
    wn_module_entry *e = &m->entries[m->count];
    memset(e, 0, sizeof *e);
    memcpy(e->name, name, n + 1);
    return e;
}

static wn_tensor *add_tensor(wn_module *m, const char *name, wn_tensor *t, bool buffer) {
    if (!m) {
        absent();
        return &wn__bad_tensor;
    }
    if (!wn_ok(t)) {
        fail(m, wn_error() ? wn_error() : wn__fail(WN_E_TYPE, "module", "'%s' is a bad or absent tensor", name ? name : ""));
        return &wn__bad_tensor;
    }
    if (!buffer && !wn_ok(wn_requires_grad(t, true))) {
        fail(m, wn_error());
        return &wn__bad_tensor;
    }
    wn_module_entry *e = new_entry(m, name);
    if (!e) return &wn__bad_tensor;
    e->tensor = wn_keep(t);
    e->buffer = buffer;
    m->count++;
    return t;
}
wn_tensor *wn_add_parameter(wn_module *m, const char *name, wn_tensor *t) { return add_tensor(m, name, t, false); }
wn_tensor *wn_add_buffer(wn_module *m, const char *name, wn_tensor *t) { return add_tensor(m, name, t, true); }

void wn_add_child(wn_module *m, const char *name, wn_module *child) {
    if (!m) absent();
    wn_module_entry *e = m ? new_entry(m, name) : NULL;
    if (!e) { /* wn_module_free(m) would not reach it */
        wn_module_free(child);
        return;
    }
    e->child = child;
    m->count++;
}

wn_module *wn_module_new(size_t size) {
    wn_module *m = wn__calloc(1, size < sizeof *m ? sizeof *m : size);
    if (!m) wn__fail_memory("module");
    return m;
}
void wn_add_owned(wn_module *m, const char *name, wn_module *child) {
    if (!m || !child) {
        if (!m) absent();
        else fail(m, wn_error() ? wn_error() : wn__fail(WN_E_TYPE, "module", "the child '%s' is NULL", name ? name : ""));
        wn_module_free(child);
        wn__free(child);
        return;
    }
    const int before = m->count;
    wn_add_child(m, name, child);
    if (m->count == before) wn__free(child);
    else m->entries[before].owned = true;
}

wn_tensor *wn_forward(wn_module *m, wn_tensor *x) {
    if (!m) return wn__bad(absent(), "forward", "the module is absent (NULL)");
    if (m->status) return wn__bad(m->status, "forward", "the module failed to build");
    if (!m->forward) return wn__bad(WN_E_NOT_IMPLEMENTED, "forward", "the module has no forward");
    return m->forward(m, x);
}

wn_status wn_module_status(const wn_module *m) {
    if (!m) return absent();
    wn_status st = m->status;
    for (int i = 0; i < m->count && !st; i++)
        if (m->entries[i].child) st = wn_module_status(m->entries[i].child);
    return st;
}

void wn_module_free(wn_module *m) {
    if (!m) return;
    for (int i = 0; i < m->count; i++) {
        if (m->entries[i].child) wn_module_free(m->entries[i].child);
        if (m->entries[i].owned) wn__free(m->entries[i].child);
        wn_drop(m->entries[i].tensor);
    }
    wn__free(m->entries);
    m->entries = NULL;
    m->count = m->capacity = 0;
}

enum { NAME_BYTES = 512 };

static bool walk(wn_module *m, char *name, size_t at, wn_visit visit, void *ctx) {
    for (int i = 0; i < m->count; i++) {
        const wn_module_entry *e = &m->entries[i];
        int n = snprintf(name + at, NAME_BYTES - at, "%s", e->name);
        if (n < 0 || at + (size_t)n + 2 > NAME_BYTES) continue; /* ten levels of the longest names */
        size_t end = at + (size_t)n;
        if (e->child) {
            name[end++] = '.';
            if (!walk(e->child, name, end, visit, ctx)) return false;
        } else if (!visit(ctx, name, e->tensor, e->buffer)) {
            return false;
        }
    }
    return true;
}
void wn_module_visit(wn_module *m, wn_visit visit, void *ctx) {
    char name[NAME_BYTES];
    if (m) walk(m, name, 0, visit, ctx);
    else absent();
}

static bool count_parameter(void *ctx, const char *name, wn_tensor *t, bool buffer) {
    (void)name, (void)t;
    *(int64_t *)ctx += !buffer;
    return true;
}
static bool collect(void *ctx, const char *name, wn_tensor *t, bool buffer) {
    (void)name;
    wn_list *l = ctx;
    for (int64_t i = 0; i < l->n && !buffer; i++)
        if (l->v[i] == t) return true; /* shared: under two names */
    if (!buffer) l->v[l->n++] = t;
    return true;
}
wn_list wn_parameters(wn_module *m) {
    int64_t n = 0;
    wn_module_visit(m, count_parameter, &n);
    wn_list l = {.n = 0, .v = wn__lend_array(wn__self(), n)};
    if (l.v) wn_module_visit(m, collect, &l);
    else wn__fail_memory("parameters");
    return l;
}
int64_t wn_count_parameters(wn_module *m) {
    WN_SCOPE(s);
    const wn_list l = wn_parameters(m);
    int64_t numel = 0;
    for (int64_t i = 0; i < l.n; i++) numel += l.v[i]->numel;
    return numel;
}

void wn_train(wn_module *m, bool on) {
    if (!m) {
        absent();
        return;
    }
    m->eval = !on;
    for (int i = 0; i < m->count; i++)
        if (m->entries[i].child) wn_train(m->entries[i].child, on);
}

static bool clear_grad(void *ctx, const char *name, wn_tensor *t, bool buffer) {
    (void)ctx;
    (void)name;
    if (!buffer) (void)!wn_set_grad(t, NULL); /* cannot fail: nothing is allocated to clear */
    return true;
}
void wn_zero_grad(wn_module *m) { wn_module_visit(m, clear_grad, NULL); }
