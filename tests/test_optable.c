/* What a binding asks the operation table besides signatures: where torch has a row, what kind of operation it is. */
#include <stdio.h>
#include <string.h>
#include "winnow.h"

static int passed, failed;
static void check(bool ok, const char *what, const char *row) {
    if (ok) {
        passed++;
    } else {
        failed++;
        printf("FAILED %s: %s\n", row, what);
    }
}

static const struct {
    const char *row;
    uint32_t places; /* as in PyTorch 2.13 */
} places[] = {
    {"add", WN_IN_TORCH | WN_IN_TENSOR},
    {"zeros", WN_IN_TORCH},
    {"zeros_like", WN_IN_TORCH},
    {"view", WN_IN_TENSOR},
    {"copy_", WN_IN_TENSOR},
    {"zero_", WN_IN_TORCH | WN_IN_TENSOR},
    {"cat", WN_IN_TORCH},
    {"gelu", WN_IN_NN},
    {"cross_entropy", WN_IN_NN},
    {"conv2d", WN_IN_TORCH | WN_IN_NN},
    {"batch_norm", WN_IN_TORCH}, /* nn.functional's takes its arguments in another order */
    {"softmax", WN_IN_TORCH | WN_IN_TENSOR | WN_IN_NN | WN_IN_SPECIAL},
    {"matmul", WN_IN_TORCH | WN_IN_TENSOR | WN_IN_LINALG},
    {"linalg_vector_norm", WN_IN_LINALG},
    {"tanh_backward", 0},
    {"cross_entropy_forward", 0},
    {"matmul_grad", 0},
    {"_to_copy", 0},
    {"contract", 0},
};

int main(void) {
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const wn_op *op = wn_op_find(places[i].row);
        check(op && wn_op_places(op) == places[i].places, "the places where torch has it", places[i].row);
    }
    for (int i = 0; i < wn_op_count(); i++) {
        const wn_op *op = wn_op_at(i);
        int n;
        const wn_field *f = wn_op_fields(op, &n);
        bool dtype = false, generator = false;
        for (int k = 0; k < n; k++) {
            dtype |= f[k].kind == WN_K_DTYPE && !strcmp(f[k].name, "dtype");
            generator |= f[k].kind == WN_K_GENERATOR;
        }
        check(!wn_op_creates(op) || dtype, "a factory takes dtype=", wn_op_name(op));
        check(!generator || wn_op_random(op), "what takes a generator is random", wn_op_name(op));
        check(!wn_op_has_out(op) || wn_op_results(op) == 1, "out= is for rows with one result", wn_op_name(op));
    }
    check(wn_op_has_out(wn_op_find("add")) && !wn_op_has_out(wn_op_find("view")), "has an out= form", "add, view");
    check(wn_op_random(wn_op_find("dropout")) && !wn_op_random(wn_op_find("add")), "is random", "dropout, add");
    static const struct {
        const char *row;
        uint32_t traits;
    } traits[] = {{"max_dim", WN_NAMES_RESULTS}, {"linalg_svd", WN_NAMES_RESULTS}, {"var_mean", 0}, {"lstm", 0}, {"add", 0}, {"sum", 0},
                  {"pow", WN_WANTS_TENSOR}, {"xlogy", WN_WANTS_TENSOR}, {"arange", WN_SIZE_ROUNDS}, {"arange_from", WN_SIZE_ROUNDS}, {"range", 0},
                  {"tensordot", WN_OUT_EXACT}, {"empty", WN_LEAVES_UNSET}, {"zeros", 0},
                  {"tanh", WN_KEEPS_ZERO}, {"nan_to_num", WN_KEEPS_ZERO | WN_OUT_EXACT}, {"exp", 0}, {"mul", 0}, {"signbit", WN_OUT_EXACT}};
    for (size_t i = 0; i < sizeof traits / sizeof *traits; i++) check(wn_op_traits(wn_op_find(traits[i].row)) == traits[i].traits, "traits", traits[i].row);
    check(wn_op_creates(wn_op_find("rand_like")) && !wn_op_creates(wn_op_find("sum")), "is a factory", "rand_like, sum");
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
