/* cli/train/export.c - the trained model as a SavedModel. */
#include "cli/train/work_impl.h"

int work_export(work *w)
{
    return w->o->export_dir ? WEIR_EXIT_FAILED : WEIR_EXIT_OK;
}
