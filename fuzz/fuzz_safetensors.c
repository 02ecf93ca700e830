/* libFuzzer entry: safetensors. */
#include "file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *path = fuzz_path(data, size);
    fuzz_archive(wn_load_safetensors(path));
    fuzz_archive(wn_map_safetensors(path));
    return 0;
}
