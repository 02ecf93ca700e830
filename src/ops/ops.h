/* What the files of src/ops include: dispatch, and the prototypes of all rows' functions. */
#ifndef WN_OPS_OPS_H
#define WN_OPS_OPS_H
#include "core/dispatch.h"
#include "rows.h"
#endif
