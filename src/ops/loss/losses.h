/* What the loss rows share. */
#ifndef WN_OPS_LOSSES_H
#define WN_OPS_LOSSES_H
#include "ops/loss/loss.h"

wn_tensor *wn__loss_reduced(wn_tensor *loss, int reduction);
wn_tensor *wn__raised(wn_tensor *t, double least); /* max(t, least) whose gradient is t's */
#endif
