/* winnow.h for the library's own files: without its operation section, of which each gets what it names (tools/wngen/uses.c). */
#ifndef WN_BASE_API_H
#define WN_BASE_API_H
#ifdef WN_USES
#include "winnow_base.h"
#include WN_USES
#else
#include "winnow.h"
#endif
#endif
