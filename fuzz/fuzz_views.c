/* Views of views: every row that makes one, with whatever sizes, strides, steps, dimensions and lists the bytes say; each result is read
 * and, where its elements lie apart, written. */
#include "pool.h"

static const wn_op *views[256];
static int nviews;
static void find_views(void) {
    for (int i = 0; i < wn_op_count() && nviews < 256; i++)
        if (wn_op_at(i)->cls == WN__VIEW || !strcmp(wn_op_at(i)->family, "view")) views[nviews++] = wn_op_at(i);
}

static void look(wn_tensor *t) {
    read_tensor(t);
    if (wn_numel(t) <= ELEMENTS && !wn__overlaps_itself(t) && !wn_ok(wn_fill_(t, 1))) wn_clear();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    pool p;
    if (!nviews) find_views();
    pool_start(&p, data, size);
    pool_put(&p, fresh(&p));
    for (int step = 0; step < 12 && p.left; step++) {
        WN_SCOPE(s);
        wn_outs outs;
        const wn_op *op = views[next(&p, nviews)];
        next_args(&p, op, pick(&p));
        if (!call_row(&p, op, false, &outs)) continue;
        for (int64_t i = 0; i < outs.n && i < 4; i++)
            if (outs.v[i]) look(outs.v[i]);
        wn_tensor *t = outs.n ? outs.v[next(&p, outs.n)] : NULL;
        if (t) pool_put(&p, wn__retain(t));
        wn_outs_drop(&outs);
    }
    pool_end(&p);
    return 0;
}
