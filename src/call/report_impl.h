/* A report from inside: shared by report.c and report_text.c. */
#ifndef WN_CALL_REPORT_IMPL_H
#define WN_CALL_REPORT_IMPL_H
#include "base/counters.h"
#include "base/api.h"

typedef struct wn__counts {
    int64_t n[WN__N_COUNTERS];
} wn__counts;

struct wn_report {
    bool open;
    int64_t began;
    double seconds;
    uint32_t nbefore;
    wn__counts *before;  /* counters at the beginning, by site */
    wn_report_row *rows; /* as last made */
    int64_t nrows;
    char *text;          /* handed out last */
};

/* report_text.c: sorts rows by time, those of a label together. */
void wn__report_order(wn_report_row *rows, int64_t n);
#endif
