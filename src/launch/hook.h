/* launch/hook.h - the Python module that replaces tf.train.Server by a weir server. */
#ifndef WEIR_LAUNCH_HOOK_H
#define WEIR_LAUNCH_HOOK_H

#include "base/str.h"

/* Makes a private folder with the hook in it as sitecustomize.py; *out_dir is the caller's. */
WEIR_CHECKED weir_status run_hook_install(char **out_dir);
void run_hook_remove(char *dir); /* the folder and all in it; frees |dir|; takes null */

#endif
