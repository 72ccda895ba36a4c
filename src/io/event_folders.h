/* io/event_folders.h - the event folders of this process, or announced to it.
 *
 * For the dashboard. Thread-safe.
 */
#ifndef WEIR_IO_EVENT_FOLDERS_H
#define WEIR_IO_EVENT_FOLDERS_H

#include <stddef.h>

enum { WEIR_EVENT_FOLDERS = 16 }; /* further ones are ignored */

void weir_event_folder_note(const char *dir); /* "": the current one; repeated calls are ignored */
/* Fills |out| with the folders, oldest first, and returns their number. They are never
 * freed. */
size_t weir_event_folders(const char *out[WEIR_EVENT_FOLDERS]);

#endif
