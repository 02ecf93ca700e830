/* Planted faults: each breaks one thing that the code takes for granted, in a child of its own, which has to die in the assertion that says
 * so (base/assert.h). Only checked builds have assertions: `make check`, `make hostile`. */
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/alloc.h"
#include "base/assert.h"
#include "base/later.h"
#include "base/odometer.h"
#include "base/threads.h"
#include "defer/value.h"
#include "engine/gemm.h"
#include "grad/tape.h"
#include "check.h"

#if defined(WN_CHECKED) && WN_CHECKED

/* ------------------------------------------------------------------ handles and storages */

static wn_tensor *owned(void) { return wn__tensor_new(WN_F32, 2, (const int64_t[]){2, 3}, NULL); }
static void show(wn_tensor *t) { (void)wn__lend(wn__self(), wn__retain(t)); } /* as a result */

static void stale_contiguous(void) {
    wn_tensor *t = owned();
    t->contiguous = 0;
    show(t);
}
static void numel_no_product(void) {
    wn_tensor *t = owned();
    t->numel = 7;
    show(t);
}
static void negative_size(void) {
    wn_tensor *t = owned();
    t->shape[0] = -2;
    show(t);
}
static void outside_storage(void) {
    wn_tensor *t = owned();
    t->offset = 1;
    show(t);
}
static void double_release(void) {
    wn_tensor *t = owned();
    wn__retain(t);
    t->refs = 0; /* somebody else has let go of what was ours */
    wn__release(t);
}
static void dead_handle(void) {
    wn_tensor *t = owned();
    t->magic = WN__DEAD;
    wn__retain(t);
}
static void scope_lost(void) {
    wn_scope s = wn_begin();
    wn_tensor *t = wn_ones(WN_DIMS(2), .dtype = WN_F32);
    t->refs = WN__REF_REAL;
    wn_end(&s);
}
static void storage_released(void) {
    wn__storage *s = wn__storage_unfilled(8);
    s->refs = 0;
    wn__storage_release(s);
}
static void other_storages(void) { (void)wn__overlap_slow(owned(), owned()); }
static void too_many_dims(void) {
    int64_t shape[WN_MAX_DIMS + 1] = {0};
    (void)wn__tensor_view(owned(), WN_MAX_DIMS + 1, shape, shape, 0);
}

/* ------------------------------------------------------------------ memory and threads */

#if !defined(__SANITIZE_ADDRESS__) /* there each block is malloc's, which sees these by itself */
static void given_twice(void) {
    void *p = wn__slab_alloc(WN__SLAB_NODE, WN__NODE_SLAB_BYTES);
    wn__slab_free(WN__SLAB_NODE, p);
    wn__slab_free(WN__SLAB_NODE, p);
}
static void other_capacity(void) {
    size_t capacity;
    void *p = wn__data_alloc(1000, &capacity);
    wn__data_free(p, capacity + 8);
}
static void other_slab(void) {
    wn__slab_free(WN__SLAB_VALUE, wn__slab_alloc(WN__SLAB_NODE, WN__NODE_SLAB_BYTES));
    wn_empty_cache();
}
#endif
static void nothing(void *ctx, int64_t begin, int64_t end) { (void)ctx, (void)begin, (void)end; }
static void negative_count(void) { wn__parallel(-1, 1, nothing, NULL); }
static void over_its_end(void) {
    const int64_t size[] = {2, 3}, stride[] = {3, 1};
    int64_t index[] = {0, 3};
    (void)wn__odometer_step(1, size, stride, index);
}
static void parts_of_nothing(void) { (void)wn__ceil_div(1, 0); }
static void unlocked(void) { wn__defer_unlock(); }

/* ------------------------------------------------------------------ programs and pending values */

static float numbers[8];
/* out = -x for eight numbers. */
static wn__program *program(void) {
    static wn__program p;
    const wn__leaf l = {.base = (char *)numbers, .dtype = WN_F32, .ct = WN__CT_F32, .space = WN__FULL, .ndim = 1, .shape = {8}, .strides = {4}};
    p = (wn__program){.nleaves = 1, .ninstrs = 1, .noutputs = 1, .numel = 8};
    p.leaves[0] = p.outputs[0].to = l;
    p.instrs[0] = (wn__instr){.what = WN__DO_CONVERT, .space = WN__FULL, .nsrc = 1, .ct = WN__CT_F32, .dtype = WN_F32};
    p.outputs[0].src = 1;
    p.outputs[0].in_place = true;
    return &p;
}
static void leaf_too_many(void) {
    wn__program *p = program();
    p->nleaves = WN__MAX_LEAVES + 1;
    (void)wn__program_run(p);
}
static void source_comes_later(void) {
    wn__program *p = program();
    p->instrs[0].src[0] = 1;
    (void)wn__program_run(p);
}
static void leaf_too_short(void) {
    wn__program *p = program();
    p->leaves[0].shape[0] = 4;
    (void)wn__program_run(p);
}
static void rows_left_over(void) {
    wn__program *p = program();
    p->row = 3;
    (void)wn__program_run(p);
}

static wn__value *pending(void) {
    wn_set_defer_from(1);
    wn_tensor *y = wn_exp(wn_ones(WN_DIMS(1000), .dtype = WN_F32));
    return wn__pending(y->storage);
}
/* What a plan reads was dropped: it is no longer the contents of a storage. */
static void read_after_drop(void) {
    wn__value *v = pending();
    wn__defer_lock();
    for (int i = 0; i < v->nuses; i++) {
        if (v->uses[i].kind == WN__U_NUMBER) continue;
        if (v->uses[i].src->state == WN__V_PENDING) (void)wn__value_run(v->uses[i].src);
        v->uses[i].src->store->data = NULL;
    }
    (void)wn__value_run(v);
}
static void value_dropped_twice(void) {
    wn__value *v = pending();
    wn__defer_lock();
    v->refs = 0;
    wn__value_unref(v);
}
static void without_the_lock(void) { wn__value_unref(pending()); }

/* ------------------------------------------------------------------ products, reductions, convolutions */

static void sums_of_two_lengths(void) {
    const wn__group one = {.total = 1}, two = {.n = 1, .total = 2, .size = {2}, .stride = {1}};
    (void)wn__gemm_run(&(wn__gemm){.t = wn__gemm_kernels_now()->f32, .in = WN_F32, .out = WN_F32, .a = numbers, .b = numbers, .c = numbers, .am = one, .ak = two, .bk = one, .bn = one, .cm = one, .cn = one, .alpha = 1});
}
static void summed_label_in_result(void) {
    (void)wn__contract(&(wn__contraction){.dtype = WN_F32, .out_dtype = WN_F32, .a = numbers, .b = numbers, .c = numbers, .nk = 1, .k = {{2, 1, 1, 1}}, .alpha = 1});
}
static void channels_left_over(void) {
    const wn__conv d = {.nd = 1, .dtype = WN_F32, .batch = 1, .in_channels = 3, .out_channels = 2, .groups = 2, .in = {4}, .out = {4}, .kernel = {1}, .stride = {1}, .dilation = {1}};
    (void)wn__conv_forward(&d, numbers, numbers, NULL, numbers, NULL);
}
static void dimension_not_there(void) {
    (void)wn__reduce(&(wn__reduction){.kind = WN__R_SUM, .dtype = WN_F32, .x = numbers, .ndim = 1, .dim = {{8, 1, 0, 0}}, .reduced = 2, .out = numbers, .out_dtype = WN_F32});
}

/* ------------------------------------------------------------------ the tape */

static wn__node *node(void) { return wn__node_new("planted", 1, 1, 0, (wn_tensor *[]){NULL}); }
static void node_released_twice(void) {
    wn__node *n = node();
    n->refs = 0;
    wn__node_release(n);
}
static void result_not_there(void) { (void)wn__set_history(owned(), node(), 1); }
static void edge_not_there(void) { (void)wn__node_connect(node(), 1, owned()); }

/* ------------------------------------------------------------------ children */

static void no_fault(void) {
    show(owned());
    (void)wn__program_run(program());
    (void)wn_item_f64(wn_sum(wn_exp(wn_ones(WN_DIMS(1000)))));
}

typedef struct fault {
    const char *name, *says; /* part of the assertion */
    void (*commit)(void);
} fault;
#define FAULT(f, says) {#f, says, f}
static const fault faults[] = {
    FAULT(stale_contiguous, "`t->contiguous == "), FAULT(numel_no_product, "`t->numel == "), FAULT(negative_size, "`t->shape[i] >= 0"),
    FAULT(outside_storage, "inside(t)"), FAULT(double_release, "t->refs > 0"), FAULT(dead_handle, "`t->magic == WN__MAGIC`"),
    FAULT(scope_lost, "t->refs >= WN__REF_SCOPE"), FAULT(storage_released, "&s->refs"), FAULT(other_storages, "`a->storage == b->storage`"),
    FAULT(too_many_dims, "ndim <= WN_MAX_DIMS"),
#if !defined(__SANITIZE_ADDRESS__)
    FAULT(given_twice, "l->head`"), FAULT(other_capacity, "class_bytes(class_of(capacity)) == capacity"), FAULT(other_slab, "`c->list == list"),
#endif
    FAULT(negative_count, "`n >= 0"), FAULT(over_its_end, "index[d] < size[d]"), FAULT(parts_of_nothing, "b > 0"), FAULT(unlocked, "`wn__locks_held > 0`"),
    FAULT(leaf_too_many, "p->nleaves <= WN__MAX_LEAVES"), FAULT(source_comes_later, "in->src[k] < p->nleaves + i"), FAULT(leaf_too_short, "`n == (l->space"),
    FAULT(rows_left_over, "p->numel % p->row == 0"), FAULT(read_after_drop, "WN__V_READY"), FAULT(value_dropped_twice, "v->refs > 0"),
    FAULT(without_the_lock, "wn__locks_held > 0"), FAULT(sums_of_two_lengths, "g->ak.total == g->bk.total"), FAULT(summed_label_in_result, "c->k[d].c == 0"),
    FAULT(channels_left_over, "% d->groups == 0"), FAULT(dimension_not_there, "r->reduced >> r->ndim"), FAULT(node_released_twice, "&n->refs"),
    FAULT(result_not_there, "out_nr < (uint32_t)n->nout"), FAULT(edge_not_there, "i < n->nin"),
};

/* Runs f in a child; its status, and what it said. */
static int child(void (*f)(void), char *said, size_t room) {
    int ends[2];
    if (pipe(ends)) return -1;
    fflush(NULL);
    const pid_t pid = fork();
    if (!pid) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        signal(SIGABRT, SIG_DFL);
        dup2(ends[1], 2);
        close(ends[0]);
        f();
        _exit(0);
    }
    close(ends[1]);
    size_t n = 0;
    for (ssize_t k; n < room - 1 && (k = read(ends[0], said + n, room - 1 - n)) > 0;) n += (size_t)k;
    said[n] = 0;
    close(ends[0]);
    int status = -1;
    if (pid < 0 || waitpid(pid, &status, 0) != pid) return -1;
    return status;
}

int main(void) {
    char said[4096];
    int status = child(no_fault, said, sizeof said);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0 && !*said);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        const fault *f = &faults[i];
        status = child(f->commit, said, sizeof said);
        const bool caught = WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT && strstr(said, "the assertion ") && strstr(said, f->says);
        if (!caught) printf("%s was not caught by %s (status %x): %s\n", f->name, f->says, (unsigned)status, said);
        CHECK(caught);
    }
    return report();
}
#else
int main(void) {
    printf("skipped: this build has no assertions (make check and make hostile have)\n");
    return 77;
}
#endif
