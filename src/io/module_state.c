/* Saving and loading a module's tensors under their state_dict names. */
#include <stdarg.h>
#include <stdio.h>
#include "base/alloc.h"
#include "tensor/tensor.h"

typedef struct table {
    char (*names)[512];
    const char **name;
    wn_tensor **t;
    int64_t n;
} table;

static bool count(void *ctx, const char *name, wn_tensor *t, bool buffer) {
    (void)name, (void)t, (void)buffer;
    ((table *)ctx)->n++;
    return true;
}
static bool fill(void *ctx, const char *name, wn_tensor *t, bool buffer) {
    (void)buffer;
    table *x = ctx;
    snprintf(x->names[x->n], sizeof *x->names, "%s", name);
    x->name[x->n] = x->names[x->n];
    x->t[x->n++] = t;
    return true;
}
static void free_table(table *x) {
    wn__free(x->names);
    wn__free(x->name);
    wn__free(x->t);
}
static bool make_table(wn_module *m, table *x) {
    memset(x, 0, sizeof *x);
    wn_module_visit(m, count, x);
    size_t n = (size_t)x->n + 1;
    x->names = wn__calloc(n, sizeof *x->names);
    x->name = wn__calloc(n, sizeof *x->name);
    x->t = wn__calloc(n, sizeof *x->t);
    if (!x->names || !x->name || !x->t) {
        free_table(x);
        return false;
    }
    x->n = 0;
    wn_module_visit(m, fill, x);
    return true;
}

wn_status wn_save_module(wn_module *m, const char *path) {
    table x;
    wn_status built = wn_module_status(m);
    if (built) return wn__fail(built, "save_module", "the module failed to build");
    if (!make_table(m, &x)) return wn__fail_memory("save_module");
    wn_status st = wn_save_safetensors_x(&(wn_save_safetensors_args){
        .size_ = sizeof(wn_save_safetensors_args), .path = path, .names = x.name, .tensors = {.n = x.n, .v = x.t}});
    free_table(&x);
    return st;
}

static __attribute__((format(printf, 3, 4))) void add(char *list, size_t cap, const char *format, ...) {
    size_t at = strlen(list);
    if (at + 8 >= cap) return;
    if (at) at += (size_t)snprintf(list + at, cap - at, ", ");
    va_list args;
    va_start(args, format);
    vsnprintf(list + at, cap - at, format, args);
    va_end(args);
}

/* strict: names that only one side has are wrong, too. */
static wn_status check_module_state(const char *path, const table *x, const wn_archive *file, bool strict) {
    char wrong[700] = "";
    for (int64_t i = 0; i < x->n; i++) {
        wn_tensor *t = wn_archive_find(file, x->name[i]);
        if (!t) {
            if (strict) add(wrong, sizeof wrong, "missing %s", x->name[i]);
        } else if (!wn__same_shape(t, x->t[i])) {
            add(wrong, sizeof wrong, "size mismatch for %s: the file has %s, the module %s", x->name[i], wn__desc(t), wn__desc(x->t[i]));
        }
    }
    for (int64_t k = 0; strict && k < wn_archive_count(file); k++) {
        const char *name = wn_archive_name(file, k);
        bool known = false;
        for (int64_t i = 0; i < x->n && !known; i++) known = !strcmp(name, x->name[i]);
        if (!known) add(wrong, sizeof wrong, "unexpected %s", name);
    }
    return wrong[0] ? wn__fail(WN_E_RUNTIME, "load_module", "%s does not fit the module: %s", path, wrong) : WN_OK;
}

wn_status wn_load_module_x(const wn_load_module_args *a) {
    table x;
    WN_NO_GRAD();
    if (!a->module) return wn_module_status(a->module);
    wn_archive *file = wn_load_safetensors(a->path);
    if (!file) return wn_error();
    wn_status st = make_table(a->module, &x) ? WN_OK : wn__fail_memory("load_module");
    if (!st) {
        st = check_module_state(a->path, &x, file, wn_is_on(a->strict, true));
        for (int64_t i = 0; i < x.n && !st; i++) {
            wn_tensor *t = wn_archive_find(file, x.name[i]);
            if (t && !wn_ok(wn_copy_(x.t[i], t))) st = wn_error();
        }
        free_table(&x);
    }
    wn_archive_free(file);
    return st;
}
