/* What reading and writing safetensors share. */
#ifndef WN_IO_SAFETENSORS_H
#define WN_IO_SAFETENSORS_H
#include "base/dtype.h"

extern const char *const wn__safetensors_dtypes[WN__DTYPES]; /* "F32", ...; NULL at 0 */
#endif
