/* A table of numbers from a CSV file: columns by name, missing values, and a straight line through them by least squares.
 *     houses [FILE] */
#include <stdio.h>
#include "winnow.h"

#ifndef WN_SOURCE_DIR
#define WN_SOURCE_DIR "."
#endif

int main(int argc, char **argv) {
    WN_SCOPE(all);
    wn_set_error_hook(wn_fatal);
    const char *path = argc > 1 ? argv[1] : WN_SOURCE_DIR "/examples/data/houses.csv";

    /* All but the city; a missing age is NaN. */
    wn_archive *table = wn_load_csv_columns(path, .columns = WN_DIMS(0, 1, 2, 4));
    wn_tensor *area = wn_archive_find(table, "area"), *rooms = wn_archive_find(table, "rooms");
    wn_tensor *age = wn_archive_find(table, "age"), *price = wn_archive_find(table, "price");
    wn_archive_free(table);
    wn_tensor *known = wn_logical_not(wn_isnan(age));
    if (!wn_item_bool(wn_all(known))) /* the mean of those that are known */
        age = wn_where(known, age, wn_mean(age, .where = known));
    printf("%lld houses, %lld ages are known\n", (long long)wn_numel(area), (long long)wn_item_i64(wn_sum(known)));

    /* price = a area + b rooms + c age + d, by the normal equations. */
    wn_tensor *x = wn_stack(WN_LIST(area, rooms, age, wn_ones_like(area)), .dim = WN_VAL(1));
    wn_tensor *weights = wn_linalg_solve(wn_matmul(wn_mT(x), x), wn_matmul(wn_mT(x), price));
    wn_tensor *error = wn_sqrt(wn_mean(wn_square(wn_sub(wn_matmul(x, weights), price))));
    printf("price = %.2f area + %.2f rooms + %.2f age + %.1f, give or take %.1f\n", wn_item_f64(wn_select(weights, 0, 0)),
           wn_item_f64(wn_select(weights, 0, 1)), wn_item_f64(wn_select(weights, 0, 2)), wn_item_f64(wn_select(weights, 0, 3)), wn_item_f64(error));
    return wn_error() != WN_OK;
}
