/* libFuzzer entry: safetensors. */
#include "fuzz_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_archive(wn_load_safetensors(fuzz_path(data, size)));
    return 0;
}
