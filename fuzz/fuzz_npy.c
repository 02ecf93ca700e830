/* libFuzzer entry: npy, and npz where the input begins like a zip archive. */
#include "file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *path = fuzz_path(data, size);
    if (size > 2 && data[0] == 'P' && data[1] == 'K') {
        fuzz_archive(wn_load_npz(path));
        return 0;
    }
    WN_SCOPE(s);
    fuzz_tensor(wn_load_npy(path));
    fuzz_tensor(wn_map_npy(path));
    return 0;
}
