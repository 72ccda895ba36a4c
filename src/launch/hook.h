/* launch/hook.h - the Python module that replaces tf.train.Server by a weir server. */
#ifndef WEIR_LAUNCH_HOOK_H
#define WEIR_LAUNCH_HOOK_H

#include "base/str.h"

/* Creates a private folder with the hook as sitecustomize.py; the caller frees *out_dir. */
WEIR_CHECKED weir_status run_hook_install(char **out_dir);
void run_hook_remove(char *dir); /* with its contents; frees |dir|; takes null */

#endif
