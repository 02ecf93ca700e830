/* The whole state of a training run in one safetensors file. Saving and loading walk over the same entries: each is a name and either a
 * tensor that lives elsewhere or numbers that are read from, or written to, a place. */
#include <stdio.h>
#include "base/alloc.h"
#include "tensor/rng.h"
#include "optim/optim.h"

typedef struct entry {
    char name[560];
    wn_tensor *tensor; /* owned */
    void *numbers;     /* NULL: the tensor itself is the state; else the tensor is a copy of this memory */
    bool optional;     /* an optimiser's: made at a parameter's first step */
} entry;

typedef struct entries {
    const char *op;
    const wn_training *t;
    entry *v;
    int64_t n, capacity;
    bool failed;
    /* what has no memory of its own while it is saved or loaded */
    double lr[WN_MAX_TRAINED][2], schedule[WN_MAX_TRAINED][WN__SCHEDULE_STATE];
    int64_t position[WN_MAX_TRAINED][3];
    void *random[WN_MAX_TRAINED + 1];
    size_t random_size[WN_MAX_TRAINED + 1];
} entries;

/* ------------------------------------------------------------------ collecting */

static entry *new_entry(entries *e) {
    if (e->failed) return NULL;
    if (e->n == e->capacity) {
        int64_t capacity = e->capacity * 2 + 16;
        entry *grown = wn__realloc(e->v, (size_t)capacity, sizeof *grown);
        if (!grown) {
            e->failed = true;
            wn__fail_memory(e->op);
            return NULL;
        }
        e->v = grown;
        e->capacity = capacity;
    }
    memset(&e->v[e->n], 0, sizeof *e->v);
    return &e->v[e->n];
}

static void add_tensor(entries *e, wn_tensor *t, const char *name) {
    entry *x = new_entry(e);
    if (!x) return;
    if (!wn_ok(t)) {
        e->failed = true;
        wn__fail(WN_E_TYPE, e->op, "%s is a bad or absent tensor", name);
        return;
    }
    if (strlen(name) >= sizeof x->name - 1) {
        e->failed = true;
        wn__fail(WN_E_VALUE, e->op, "the name %.60s... is too long", name);
        return;
    }
    strcpy(x->name, name);
    x->tensor = wn__retain(t);
    e->n++;
}

static void add_numbers(entries *e, void *numbers, wn_dims shape, wn_dtype dtype, const char *name) {
    WN_SCOPE(s);
    wn_tensor *t = e->failed ? &wn__bad_tensor : wn_from_data(numbers, shape, dtype);
    if (!wn_ok(t)) {
        e->failed = true;
        return;
    }
    add_tensor(e, t, name);
    if (!e->failed) e->v[e->n - 1].numbers = numbers;
}

static bool add_of_module(void *ctx, const char *name, wn_tensor *t, bool buffer) {
    entries *e = ctx;
    char full[560];
    (void)buffer;
    snprintf(full, sizeof full, "model.%s", name);
    add_tensor(e, t, full);
    return !e->failed;
}

static void add_optim(entries *e, int k) {
    wn_optim *o = e->t->optim[k];
    char name[128];
    for (int64_t i = 0; i < o->n; i++)
        for (int j = 0; j < o->nstate; j++) {
            if (!o->state[j][i]) continue;
            snprintf(name, sizeof name, "optim.%d.state.%lld.%s", k, (long long)i, o->state_names[j]);
            add_tensor(e, o->state[j][i], name);
            if (!e->failed) e->v[e->n - 1].optional = true;
        }
    e->lr[k][0] = o->lr;
    e->lr[k][1] = o->initial_lr;
    snprintf(name, sizeof name, "optim.%d.steps", k);
    add_numbers(e, o->steps, WN_DIMS(o->n), WN_I64, name);
    snprintf(name, sizeof name, "optim.%d.lr", k);
    add_numbers(e, e->lr[k], WN_DIMS(2), WN_F64, name);
}

static void add_loader(entries *e, int k) {
    char name[64];
    wn_position at = wn_loader_tell(e->t->loader[k]);
    e->position[k][0] = (int64_t)at.seed;
    e->position[k][1] = at.epoch;
    e->position[k][2] = at.batch;
    snprintf(name, sizeof name, "loader.%d", k);
    add_numbers(e, e->position[k], WN_DIMS(3), WN_I64, name);
}

/* k = -1: the default one. */
static void add_generator(entries *e, wn_generator *g, int k) {
    char name[64] = "generator";
    size_t size = wn_generator_state(g, NULL, 0);
    void *state = wn__new(char, size);
    if (k >= 0) snprintf(name, sizeof name, "generator.%d", k);
    e->random[k + 1] = state;
    e->random_size[k + 1] = size;
    if (!state) {
        e->failed = true;
        wn__fail_memory(e->op);
        return;
    }
    wn_generator_state(g, state, size);
    add_numbers(e, state, WN_DIMS((int64_t)size), WN_U8, name);
}

static void add_own(entries *e) {
    char name[560];
    for (int64_t i = 0; i < e->t->tensors.n && !e->failed; i++) {
        snprintf(name, sizeof name, "extra.%s", e->t->names[i]);
        add_tensor(e, e->t->tensors.v[i], name);
    }
    if (e->t->step) add_numbers(e, e->t->step, WN_0D, WN_I64, "step");
}

static bool collect(entries *e) {
    const wn_training *t = e->t;
    if (t->module) wn_module_visit(t->module, add_of_module, e);
    for (int k = 0; k < WN_MAX_TRAINED && t->optim[k]; k++) add_optim(e, k);
    for (int k = 0; k < WN_MAX_TRAINED && t->scheduler[k]; k++) {
        char name[64];
        wn__scheduler_get_state(t->scheduler[k], e->schedule[k]);
        snprintf(name, sizeof name, "scheduler.%d", k);
        add_numbers(e, e->schedule[k], WN_DIMS(WN__SCHEDULE_STATE), WN_F64, name);
    }
    for (int k = 0; k < WN_MAX_TRAINED && t->loader[k]; k++) add_loader(e, k);
    add_generator(e, NULL, -1);
    for (int k = 0; k < WN_MAX_TRAINED && t->generator[k]; k++) add_generator(e, t->generator[k], k);
    add_own(e);
    return !e->failed;
}

static void free_entries(entries *e) {
    for (int64_t i = 0; i < e->n; i++) wn__release(e->v[i].tensor);
    wn__free(e->v);
    for (int k = 0; k <= WN_MAX_TRAINED; k++) wn__free(e->random[k]);
}

static bool begin(entries *e, const char *op, const wn_training *t) {
    memset(e, 0, sizeof *e);
    e->op = op;
    e->t = t;
    if (!t) return wn__fail(WN_E_TYPE, op, "no training given (NULL)"), false;
    if (t->module && wn_module_status(t->module)) return wn__fail(wn_module_status(t->module), op, "the module failed to build"), false;
    if (t->tensors.n < 0 || (t->tensors.n && (!t->tensors.v || !t->names))) return wn__fail(WN_E_VALUE, op, "names or tensors are missing"), false;
    return true;
}

/* ------------------------------------------------------------------ saving */

static const char format[] = "winnow training 1";

static wn_status write_entries(const entries *e, const char *path) {
    const char **names = wn__new(const char *, (size_t)e->n);
    wn_tensor **tensors = wn__new(wn_tensor *, (size_t)e->n);
    wn_status st = names && tensors ? WN_OK : wn__fail_memory(e->op);
    for (int64_t i = 0; i < e->n && !st; i++) {
        names[i] = e->v[i].name;
        tensors[i] = e->v[i].tensor;
    }
    if (!st) st = wn_save_safetensors(path, names, {.n = e->n, .v = tensors}, .metadata = (const char *const[]){"format", format, NULL});
    wn__free(names);
    wn__free(tensors);
    return st;
}

wn_status wn_save_training(const wn_training *t, const char *path) {
    entries e;
    WN_NO_GRAD();
    if (!begin(&e, "save_training", t)) return wn_error();
    wn_status st = collect(&e) ? write_entries(&e, path) : wn_error();
    free_entries(&e);
    return st;
}

/* ------------------------------------------------------------------ loading */

static wn_status misfit(const entries *e, const char *path, const char *fmt, const char *name, const char *have, const char *want) {
    char why[700];
    snprintf(why, sizeof why, fmt, name, have, want);
    return wn__fail(WN_E_RUNTIME, e->op, "%s does not fit this training: %s", path, why);
}

static wn_status check_entries(const entries *e, const wn_archive *file, const char *path) {
    const char *kind = wn_archive_metadata(file, "format");
    if (!kind || strcmp(kind, format)) return misfit(e, path, "%sit is no training state%s%s", "", "", "");
    for (int64_t i = 0; i < e->n; i++) {
        const wn_tensor *mine = e->v[i].tensor, *t = wn_archive_find(file, e->v[i].name);
        if (!t && e->v[i].optional) continue;
        if (!t) return misfit(e, path, "%s is missing%s%s", e->v[i].name, "", "");
        if (!wn__same_shape(t, mine) || t->dtype != mine->dtype) return misfit(e, path, "%s is %s there, not %s", e->v[i].name, wn__desc(t), wn__desc(mine));
    }
    for (int64_t k = 0; k < wn_archive_count(file); k++) {
        const char *name = wn_archive_name(file, k);
        bool known = false;
        for (int64_t i = 0; i < e->n && !known; i++) known = !strcmp(name, e->v[i].name);
        if (!known) return misfit(e, path, "it holds %s, which is not here%s%s", name, "", "");
    }
    return WN_OK;
}

static wn_status check_position(const entries *e, const wn_archive *file, const char *path, int k) {
    char name[64], have[64], want[64];
    int64_t at[3], batches = wn_loader_batches(e->t->loader[k]);
    snprintf(name, sizeof name, "loader.%d", k);
    wn_status st = wn_to_memory(wn_archive_find(file, name), at, sizeof at, WN_I64);
    snprintf(have, sizeof have, "%lld", (long long)at[2]);
    snprintf(want, sizeof want, "%lld", (long long)batches);
    if (st || (at[1] >= 0 && at[2] >= 0 && at[2] <= batches)) return st;
    return misfit(e, path, "%s is at batch %s of %s", name, have, want);
}

/* Tries the bytes on a generator that nobody needs. k = -1: the default one's. */
static wn_status check_generator(const entries *e, const wn_archive *file, int k) {
    char name[64] = "generator";
    if (k >= 0) snprintf(name, sizeof name, "generator.%d", k);
    size_t size = e->random_size[k + 1];
    wn_generator *g = wn__generator_new_kind(wn__generator_kind(k < 0 ? NULL : e->t->generator[k]), 0);
    wn_status st = g ? wn_to_memory(wn_archive_find(file, name), e->random[k + 1], size, WN_U8) : wn__fail_memory(e->op);
    if (!st) st = wn_generator_set_state(g, e->random[k + 1], size);
    wn_generator_free(g);
    return st;
}

static wn_status check_values(const entries *e, const wn_archive *file, const char *path) {
    wn_status st = check_generator(e, file, -1);
    for (int k = 0; k < WN_MAX_TRAINED && e->t->generator[k] && !st; k++) st = check_generator(e, file, k);
    for (int k = 0; k < WN_MAX_TRAINED && e->t->loader[k] && !st; k++) st = check_position(e, file, path, k);
    return st;
}

/* An optimiser that has not stepped yet gets the state that the file has for it. */
static wn_status make_state(const wn_training *t, const wn_archive *file) {
    char name[128];
    for (int k = 0; k < WN_MAX_TRAINED && t->optim[k]; k++) {
        wn_optim *o = t->optim[k];
        for (int64_t i = 0; i < o->n && o->nstate; i++) {
            snprintf(name, sizeof name, "optim.%d.state.%lld.%s", k, (long long)i, o->state_names[0]);
            wn_status st = wn_archive_find(file, name) ? wn__optim_ensure_state(o, i) : WN_OK;
            if (st) return st;
        }
    }
    return WN_OK;
}

/* What a parameter did not have yet when the file was written goes: its next step makes it anew. */
static void drop_state(const wn_training *t, const wn_archive *file) {
    char name[128];
    for (int k = 0; k < WN_MAX_TRAINED && t->optim[k]; k++) {
        wn_optim *o = t->optim[k];
        for (int64_t i = 0; i < o->n; i++)
            for (int j = 0; j < o->nstate; j++) {
                snprintf(name, sizeof name, "optim.%d.state.%lld.%s", k, (long long)i, o->state_names[j]);
                if (!o->state[j][i] || wn_archive_find(file, name)) continue;
                wn_drop(o->state[j][i]);
                o->state[j][i] = NULL;
            }
    }
}

static wn_status read_entries(const entries *e, const wn_archive *file) {
    wn_status st = WN_OK;
    for (int64_t i = 0; i < e->n && !st; i++) {
        const entry *x = &e->v[i];
        wn_tensor *t = wn_archive_find(file, x->name);
        if (!t) continue;
        if (x->numbers) st = wn_to_memory(t, x->numbers, (size_t)(t->numel * (int64_t)wn__dtype_size(t->dtype)), (wn_dtype)t->dtype);
        else if (!wn_ok(wn_copy_(x->tensor, t))) st = wn_error();
    }
    return st;
}

/* Numbers that were read into e go where they belong. */
static wn_status put_back(const entries *e) {
    const wn_training *t = e->t;
    wn_status st = WN_OK;
    for (int k = 0; k < WN_MAX_TRAINED && t->optim[k]; k++) {
        t->optim[k]->lr = e->lr[k][0];
        t->optim[k]->initial_lr = e->lr[k][1];
    }
    for (int k = 0; k < WN_MAX_TRAINED && t->scheduler[k]; k++) wn__scheduler_set_state(t->scheduler[k], e->schedule[k]);
    for (int k = 0; k < WN_MAX_TRAINED && t->loader[k] && !st; k++)
        st = wn_loader_seek(t->loader[k], (wn_position){(uint64_t)e->position[k][0], e->position[k][1], e->position[k][2]});
    for (int k = -1; k < WN_MAX_TRAINED && !st; k++) {
        if (k >= 0 && !t->generator[k]) break;
        st = wn_generator_set_state(k < 0 ? NULL : t->generator[k], e->random[k + 1], e->random_size[k + 1]);
    }
    return st;
}

wn_status wn_load_training(const wn_training *t, const char *path) {
    entries e;
    WN_NO_GRAD();
    if (!begin(&e, "load_training", t)) return wn_error();
    wn_archive *file = wn_load_safetensors(path);
    if (!file) return wn_error();
    wn_status st = make_state(t, file);
    if (!st && !collect(&e)) st = wn_error();
    if (!st) st = check_entries(&e, file, path);
    if (!st) st = check_values(&e, file, path);
    if (!st) st = read_entries(&e, file);
    if (!st) st = put_back(&e);
    if (!st) drop_state(t, file);
    free_entries(&e);
    wn_archive_free(file);
    return st;
}
