/* Programs that run piece by piece on data that another engine passes: epilogues of contractions. */
#include "engine/program_impl.h"
#include "base/alloc.h"

struct wn__pieces {
    wn__program p;
    wn__prepared pp;
    char *once; /* registers that are loaded once, for all threads */
    int64_t constants[WN__MAX_LEAVES];
};

wn__pieces *wn__pieces_new(const wn__program *p) {
    WN_ASSERT_ALL(wn__program_assert(p));
    WN_ASSERT(p->noutputs > 0);
    wn__pieces *r = wn__realloc(NULL, 1, sizeof *r); /* not zeroed: it is large and mostly unused */
    if (!r) return NULL;
    r->p.nleaves = p->nleaves;
    r->p.ninstrs = p->ninstrs;
    r->p.noutputs = p->noutputs;
    r->p.nguards = 0;
    r->p.numel = p->numel;
    r->p.row = p->row;
    memcpy(r->p.leaves, p->leaves, (size_t)p->nleaves * sizeof *p->leaves);
    memcpy(r->p.instrs, p->instrs, (size_t)p->ninstrs * sizeof *p->instrs);
    memcpy(r->p.outputs, p->outputs, (size_t)p->noutputs * sizeof *p->outputs);
    for (int i = 0; i < p->nleaves; i++) {
        if (!p->leaves[i].constant) continue;
        memcpy(&r->constants[i], p->leaves[i].base, wn__ct_size((wn__ct)p->leaves[i].ct));
        r->p.leaves[i].base = (char *)&r->constants[i];
    }
    wn__prepare(&r->pp, &r->p, true, NULL);
    r->once = NULL;
    if (r->pp.nonce) {
        r->once = wn__calloc(1, r->pp.bytes);
        if (!r->once) {
            wn__free(r);
            return NULL;
        }
        wn__load_once(&r->pp, r->once);
    }
    return r;
}

void wn__pieces_free(wn__pieces *r) {
    if (!r) return;
    wn__free(r->once);
    wn__free(r);
}

/* data: the piece that is read; w->data: where the first output is put. */
static void piece(const wn__prepared *pp, wn__worker *w, char *data, int64_t n) {
    const int data_reg = pp->data_leaf, out_reg = pp->p->outputs[0].src;
    w->n = n;
    w->nrows = 1;
    w->row0 = pp->row ? w->begin / pp->row : 0;
    wn__block_move(w, 0);
    w->reg[data_reg] = data;
    if (pp->data_direct) w->reg[out_reg] = w->data;
    wn__block_run(w, pp->steps, pp->steps + pp->nsteps);
}

bool wn__program_piece(const wn__pieces *r, int64_t begin, int64_t n, void *data, int scratch_slot) {
    WN_ASSERT(begin >= 0 && n >= 0 && begin + n <= r->p.numel && data);
    const wn__prepared *pp = &r->pp;
    const size_t in = wn__ct_size((wn__ct)pp->ct[pp->data_leaf]), out = wn__ct_size((wn__ct)pp->ct[pp->p->outputs[0].src]);
    const bool cut = n > pp->block || (pp->row && begin % pp->row + n > pp->row);
    const size_t copy = out > in && cut ? (size_t)n * in : 0; /* else results would overtake what is still to be read */
    wn__worker w;
    char *from = data;
    if (copy) {
        char *room = wn__scratch(scratch_slot, pp->bytes + copy + 64);
        if (!room) return false;
        from = memcpy(room + ((pp->bytes + 63) & ~(size_t)63), data, copy);
    }
    if (!wn__worker_start(&w, pp, scratch_slot)) return false;
    for (int i = 0; i < pp->nonce; i++) w.reg[pp->once[i]] = r->once + pp->offset[pp->once[i]];
    w.data = data;
    for (int64_t done = 0; done < n;) {
        int64_t m = n - done < pp->block ? n - done : pp->block;
        w.begin = begin + done;
        if (pp->row && m > pp->row - w.begin % pp->row) m = pp->row - w.begin % pp->row;
        piece(pp, &w, from + (size_t)done * in, m);
        w.data += (size_t)m * out;
        done += m;
    }
    for (int i = 0; pp->meter && i < pp->p->ninstrs; i++) wn__meter_add(&pp->meter->ran[i], n);
    return true;
}
