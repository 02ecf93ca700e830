/* Sizes that do not fit: no element count, stride, offset or list of pieces wraps, whatever integers come in. */
#include "check.h"
#include "base/checked.h"
#include "tensor/tensor.h"

#define P(e) ((int64_t)1 << (e))
#define MOST INT64_MAX

static wn_tensor *one(void) { return wn_full(WN_DIMS(1), 0.5, .dtype = WN_F32); }
static wn_tensor *giant(wn_dtype d) { return wn_expand(wn_ones(WN_DIMS(1), .dtype = d), WN_DIMS(P(62))); }

/* t is a tensor, its numbers are exact and its elements lie within its storage. */
static bool sound(const wn_tensor *t) {
    if (!wn_ok(t)) return false;
    __int128 numel = 1, low = t->offset, high = t->offset;
    for (int d = 0; d < t->ndim; d++) {
        if (t->shape[d] < 0) return false;
        numel *= t->shape[d];
    }
    for (int d = 0; d < t->ndim; d++) *(t->strides[d] < 0 ? &low : &high) += (__int128)(t->shape[d] - 1) * t->strides[d];
    if (numel != t->numel) return false;
    return numel == 0 || (low >= 0 && (high + 1) * (__int128)wn__dtype_size(t->dtype) <= (__int128)t->storage->bytes);
}
/* A clear error, which is cleared. */
static bool refused(const wn_tensor *t, wn_status code) {
    const bool is = !wn_ok(t) && wn_error() == code;
    wn_clear();
    return is;
}
#define REFUSED(x) CHECK(refused((x), WN_E_RUNTIME))

static void test_arithmetic(void) {
    bool over = false;
    CHECK(wn__mul(P(31), P(31), &over) == P(62) && wn__add(MOST, -1, &over) == MOST - 1 && !over);
    wn__mul(P(32), P(32), &over);
    CHECK(over);
    CHECK(wn__ceil_div(MOST, MOST) == 1 && wn__ceil_div(MOST, 2) == P(62) && wn__ceil_div(0, 3) == 0);
    CHECK(wn__mul_sat(P(40), -P(40)) == INT64_MIN && wn__mul_sat(-P(40), -P(40)) == MOST && wn__add_sat(MOST, 1) == MOST && wn__sub_sat(INT64_MIN, 1) == INT64_MIN);
    CHECK(wn__array_bytes(P(61), 8) == SIZE_MAX && wn__array_bytes(-1, 1) == SIZE_MAX && wn__array_bytes(3, 8) == 24);
}

static void test_handles(void) {
    WN_SCOPE(s);
    REFUSED(wn_expand(one(), WN_DIMS(P(32), P(32))));
    REFUSED(wn_expand(one(), WN_DIMS(P(32), P(31))));
    CHECK(sound(wn_expand(one(), WN_DIMS(MOST))));
    CHECK(sound(wn_empty(WN_DIMS(0, P(62)))));
    REFUSED(wn_empty(WN_DIMS(0, P(62), 4)));
    CHECK(!wn_ok(wn_empty(WN_DIMS(0, P(62), 4))) && strstr(wn_error_message(), "Stride calculation overflowed"));
    wn_clear();
    CHECK(!wn_ok(wn_empty(WN_DIMS(P(62), 4, 0))) && strstr(wn_error_message(), "Storage size calculation overflowed"));
    wn_clear();
    REFUSED(wn_empty(WN_DIMS(P(62))));
    REFUSED(wn_empty_strided(WN_DIMS(2), WN_DIMS(P(62))));
    CHECK(sound(wn_empty_strided(WN_DIMS(P(62)), WN_DIMS(0))));
    CHECK(sound(wn_as_strided(one(), WN_DIMS(1), WN_DIMS(P(62)))));
    REFUSED(wn_as_strided(one(), WN_DIMS(2), WN_DIMS(P(62))));
    REFUSED(wn_as_strided(one(), WN_DIMS(P(32), P(32)), WN_DIMS(0, 0)));
    REFUSED(wn_as_strided(one(), WN_DIMS(INT64_MIN), WN_DIMS(1)));
    float x[4] = {0};
    CHECK(refused(wn_from_memory(x, WN_DIMS(2, 2), WN_DIMS(P(62), 1), WN_F32, NULL, NULL), WN_E_RUNTIME));
}

static void test_operands(void) {
    static const wn_dtype all[] = {WN_F32, WN_F64, WN_F16, WN_I64, WN_U8, WN_BOOL};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        WN_SCOPE(s);
        wn_tensor *g = giant(all[k]);
        CHECK(sound(g) && sound(wn_detach(g)) && sound(wn_view(g, WN_DIMS(P(31), P(31)))) && sound(wn_select(g, 0, -1)) && sound(wn_slice(g, 0, 5, P(61))));
        REFUSED(wn_clone(g));
        CHECK(!wn_ok(wn_add(g, 1)) && (wn_clear(), true));
        REFUSED(wn_sum(g));
        REFUSED(wn_stack(WN_LIST(g, g)));
        REFUSED(wn_cat(WN_LIST(g, g)));
        REFUSED(wn_to(g, all[k] == WN_F64 ? WN_F32 : WN_F64));
        REFUSED(wn_kthvalue(g, 3).values);
        REFUSED(wn_meshgrid(WN_LIST(g, g)).n ? one() : &wn__bad_tensor);
        REFUSED(wn_unbind(g).n ? one() : &wn__bad_tensor);
    }
    WN_SCOPE(s);
    REFUSED(wn_outer(giant(WN_F32), giant(WN_F32)));
    REFUSED(wn_matmul(wn_view(giant(WN_F32), WN_DIMS(P(61), 2)), wn_view(giant(WN_F32), WN_DIMS(2, P(61)))));
    REFUSED(wn_nanmedian(giant(WN_F64)));
    REFUSED(wn_group_norm(wn_rand(WN_DIMS(4, 0)), P(62)));
}

static void test_pieces(void) {
    WN_SCOPE(s);
    wn_tensor *x = wn_arange(3, .dtype = WN_F32);
    CHECK(wn_split_with_sizes(x, WN_DIMS(P(62), P(62), P(62), P(62) + 3)).n == 0 && wn_error() == WN_E_RUNTIME);
    wn_clear();
    CHECK(wn_split(x, MOST).n == 1 && sound(wn_at(wn_split(x, MOST), 0)) && wn_chunk(x, MOST).n == 3);
    CHECK(sound(wn_slice(x, 0, WN_NONE, WN_NONE, .step = WN_VAL(MOST))) && wn_numel(wn_slice(x, 0, 0, MOST, .step = WN_VAL(P(62)))) == 1);
    CHECK(sound(wn_unfold(x, 0, 1, MOST)) && sound(wn_roll(x, WN_DIMS(INT64_MIN))) && sound(wn_roll(x, WN_DIMS(MOST), .dims = WN_DIMS(0))));
    CHECK(sound(wn_diagonal(wn_ones(WN_DIMS(3, 3)), .offset = INT64_MIN)) && sound(wn_triu(wn_ones(WN_DIMS(3, 3)), .diagonal = MOST)));
    CHECK(wn_numel(wn_triu_indices(P(58), 1)) == 2);
    REFUSED(wn_conv_transpose1d(wn_ones(WN_DIMS(1, 1, 3)), wn_ones(WN_DIMS(1, 1, 3)), .groups = WN_VAL(P(62))));
}

/* A node counts its results in more than 16 bits: with 65,536 of them it had room for none. */
static void test_many_results(void) {
    WN_SCOPE(s);
    wn_tensor *x = wn_requires_grad(wn_zeros(WN_DIMS(65536, 2)), true);
    CHECK(wn_backward(wn_sum(wn_at(wn_unbind(x), 5))) == WN_OK);
    CHECK(wn_item_f64(wn_sum(wn_grad_of(x))) == 2);
    CHECK(wn_item_f64(wn_sum(wn_select(wn_grad_of(x), 0, 5))) == 2);
}

int main(void) {
    wn_set_error_hook(NULL);
    test_arithmetic();
    test_handles();
    test_operands();
    test_pieces();
    test_many_results();
    return report();
}
