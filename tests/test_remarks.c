/* The warning hook: what operations remark, and that nobody else is told. SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

static int remarks;
static char remark[256];
static bool remark_once;
static void note_remark(const char *op, const char *message, bool once) {
    remarks++;
    remark_once = once;
    snprintf(remark, sizeof remark, "%s: %s", op, message);
}

static void test_remarks(void) {
    WN_SCOPE(s);
    wn_tensor *x = wn_ones(WN_DIMS(1, 3)), *keep = wn_eq(x, x);
    (void)wn_var(x, .dims = WN_DIMS(0)); /* nobody listens */
    wn_set_warning_hook(note_remark);
    CHECK(wn_ok(wn_var(x, .dims = WN_DIMS(0))) && remarks == 1 && !remark_once && strstr(remark, "var: var(): degrees of freedom is <= 0."));
    CHECK(wn_ok(wn_std_mean(x, .correction = WN_VAL(3)).std) && remarks == 2 && strstr(remark, "std_mean(): degrees"));
    CHECK(wn_ok(wn_var(x)) && wn_ok(wn_var(x, .dims = WN_DIMS(0), .correction = WN_VAL(.5))) && wn_ok(wn_var(x, .dims = WN_DIMS(0), .where = keep)) && remarks == 2);
    CHECK(!wn_ok(wn_var(x, .dims = WN_DIMS(7))) && remarks == 2);
    wn_clear();
    CHECK(wn_ok(wn_cov(wn_ones(WN_DIMS(2, 1)))) && remarks == 3 && strstr(remark, "number of observations"));
    wn_tensor *turned = wn_t(wn_ones(WN_DIMS(3, 2)));
    CHECK(wn_ok(wn_searchsorted(turned, turned)) && remarks == 5 && remark_once && strstr(remark, "boundary tensor is non-contiguous"));
    wn_set_warning_hook(NULL);
    CHECK(wn_ok(wn_var(x, .dims = WN_DIMS(0))) && remarks == 5);
}

int main(void) {
    wn_set_error_hook(NULL);
    test_remarks();
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
