/* winnow.h without its operations; the build adds those that a file of the library names (tools/wngen/uses.c). */
#ifndef WN_BASE_API_H
#define WN_BASE_API_H
#ifdef WN_USES
#include "winnow_base.h"
#include WN_USES
#else
#include "winnow.h"
#endif
#endif
