/* io/event_folders.h - where this process writes event files, or was told that others do.
 *
 * For who shows them. Thread-safe.
 */
#ifndef WEIR_IO_EVENT_FOLDERS_H
#define WEIR_IO_EVENT_FOLDERS_H

#include <stddef.h>

enum { WEIR_EVENT_FOLDERS = 16 }; /* further ones are not noted */

void weir_event_folder_note(const char *dir); /* "": the current one; once is enough */
/* Fills |out| with the folders, oldest first, and gives how many. They live as long as the process.
 */
size_t weir_event_folders(const char *out[WEIR_EVENT_FOLDERS]);

#endif
