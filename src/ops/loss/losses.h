/* What the loss rows share. */
#ifndef WN_OPS_LOSSES_H
#define WN_OPS_LOSSES_H
#include "ops/loss/loss.h"

wn_tensor *wn__loss_reduced(wn__call *c, wn_tensor *loss, const char *reduction); /* as "mean", "sum" or "none" says */
wn_tensor *wn__raised(wn_tensor *t, double least); /* max(t, least) whose gradient is t's */
#endif
