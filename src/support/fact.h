/* Facts: "this tensor is exact zero off that support", kept with the storage. A fact holds for the contents that the storage had when it was
 * said: it carries the number of changes then (wn__changes) and is compared when it is used, so that no write has to know of it. Memory whose
 * address is outside (NumPy, DLPack, files) may change unseen and has none. WINNOW_SUPPORT=0 makes all of them unknown. */
#ifndef WN_SUPPORT_FACT_H
#define WN_SUPPORT_FACT_H
#include "support/supports.h"
#include "tensor/tensor.h"

enum { WN__FACT_LEAST = 4096 }; /* elements of a tensor of which facts are kept */

typedef struct wn__fact {
    uint32_t changes;   /* of the storage, when it was said */
    int64_t offset;     /* the geometry it speaks of, in elements; the shape is the support's */
    int64_t strides[WN_MAX_DIMS];
    wn_support *support; /* owned */
    wn_tensor *only_if;  /* the fact holds if this, which has only_at changes, is finite: nobody has looked yet. Owned; NULL: it holds */
    uint32_t only_at;
} wn__fact;

bool wn__facts_in_use(void);
void wn__use_facts(bool use); /* for tests: whatever the environment says */
/* t, which nobody else writes meanwhile, is zero off s from here on until it changes. Takes s; without memory the fact is lost, which is no error. */
void wn__fact_say(wn_tensor *t, wn_support *s);
/* The same, if x is finite. That is looked at when somebody first asks for the fact, while t waits to be computed; then t has none. */
void wn__fact_say_if(wn_tensor *t, wn_support *s, wn_tensor *x);
/* The fact of t's storage, if it holds now; NULL: nothing is known. */
const wn__fact *wn__fact_of(const wn_tensor *t);
/* The fact of a storage that holds now, taken from it; and given to another one, which gets the contents it speaks of. NULL: none. */
wn__fact *wn__fact_take(wn__storage *s);
void wn__fact_put(wn__storage *s, wn__fact *f);
void wn__fact_free(wn__fact *f);
/* The same in t's own dimensions, for a view that lies there like a slice, permuted or expanded: owned (wn__free); NULL: nothing is known. */
wn_support *wn__fact_image(const wn_tensor *t);

/* Are all elements of t, which is floating and in memory, finite? The answer is kept while the storage does not change. */
bool wn__known_finite(const wn_tensor *t);
bool wn__is_finite(const wn_tensor *t); /* the same, looked up if need be */
#endif
