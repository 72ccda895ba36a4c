/* io/event_folders.c - a short list that only grows. */
#include "io/event_folders.h"

#include <string.h>

#include "base/mem.h"
#include "base/mutex.h"

static struct {
    weir_mutex lock;
    const char *at[WEIR_EVENT_FOLDERS] WEIR_GUARDED_BY(lock);
    size_t count WEIR_GUARDED_BY(lock);
} folders = {.lock = WEIR_MUTEX_INIT};

void weir_event_folder_note(const char *dir)
{
    const char *name = *dir ? dir : ".";
    weir_mutex_lock(&folders.lock);
    size_t i = 0;
    while (i < folders.count && strcmp(folders.at[i], name) != 0)
        i++;
    if (i == folders.count && i < WEIR_EVENT_FOLDERS)
        folders.at[folders.count++] = weir_strdup(name);
    weir_mutex_unlock(&folders.lock);
}

size_t weir_event_folders(const char *out[WEIR_EVENT_FOLDERS])
{
    weir_mutex_lock(&folders.lock);
    size_t count = folders.count;
    memcpy(out, folders.at, sizeof *out * count);
    weir_mutex_unlock(&folders.lock);
    return count;
}
