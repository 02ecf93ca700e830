/* libFuzzer entry: CSV, plain and gzip, as one matrix and column by column. */
#include "file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    WN_SCOPE(s);
    const char *path = fuzz_path(data, size);
    fuzz_tensor(wn_load_csv(path, .dtype = size % 2 ? WN_F32 : WN_I16, .fill = WN_VAL(1)));
    wn_archive *a = wn_load_csv_columns(path, .delimiter = ";", .header = WN_ON, .missing = "NA");
    fuzz_verdict(a != NULL);
    wn_archive_free(a);
    return 0;
}
