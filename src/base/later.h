/* Callbacks into the caller's code that fall due where they must not run. First, when something is released while a
 * lock of ours is held: a deleter or a handle's owner may want another lock, whose holder may wait for ours. Second,
 * inside another such callback: chains of objects that own each other would deepen the stack. They are queued in memory
 * of the dying object. */
#ifndef WN_BASE_LATER_H
#define WN_BASE_LATER_H

typedef struct wn__later {
    struct wn__later *next;
    void (*run)(struct wn__later *self); /* frees what self lies in */
} wn__later;

extern __thread int wn__locks_held __attribute__((tls_model("initial-exec"), visibility("hidden")));
void wn__do_later(wn__later *x, void (*run)(wn__later *)); /* at once if the thread may, else queued */
void wn__later_drain(void); /* runs the queue; called after the last lock was given back */
#endif
