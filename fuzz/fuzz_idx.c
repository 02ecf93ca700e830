/* libFuzzer entry: IDX, plain and gzip. */
#include "file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    WN_SCOPE(s);
    fuzz_tensor(wn_load_idx(fuzz_path(data, size)));
    return 0;
}
