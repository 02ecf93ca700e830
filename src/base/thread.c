/* The record of a thread: made when it first needs one, given back when it ends. */
#include "base/thread.h"
#include <pthread.h>
#include <stdlib.h>

__thread wn__thread *wn__tls __attribute__((tls_model("initial-exec")));

static pthread_key_t exit_key;
static pthread_once_t exit_once = PTHREAD_ONCE_INIT;

static void thread_exit(void *p) {
    wn__thread *th = p;
    wn__tls = th; /* releasing handles may need it */
    for (int i = 0; i < WN__GIVERS; i++)
        if (th->give_back[i]) th->give_back[i](th);
    wn__tls = NULL;
    free(th);
}
static void make_key(void) { (void)pthread_key_create(&exit_key, thread_exit); }

/* When memory is short before the thread even has a record, all such threads share one that keeps nothing, so that
 * operations fail with an error instead of crashing. */
static wn__thread starving = {.shared = true};

wn__thread *wn__thread_make(void) {
    pthread_once(&exit_once, make_key);
    wn__thread *th = calloc(1, sizeof *th);
    if (th && !pthread_setspecific(exit_key, th)) return wn__tls = th;
    free(th);
    return &starving;
}
