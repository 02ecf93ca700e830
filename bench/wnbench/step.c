#include "bench.h"
bool step_job(job *j, char *why) { (void)j; return fail(why, "training steps are not there yet"); }
