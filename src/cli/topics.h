/* cli/topics.h - the pages of the guide, as weir help TOPIC prints them.
 *
 * They are where the command was installed (share/doc/weir), or the docs folder of the tree that it
 * was built in; WEIR_DOCS names another folder.
 */
#ifndef WEIR_CLI_TOPICS_H
#define WEIR_CLI_TOPICS_H

#include <stdbool.h>

/* Prints the page of that name ("errors", "clusters"); false when there is none. */
bool topics_print(const char *name);
/* Lists the names; false when no pages are to be found. */
bool topics_list(void);
/* Prints on standard error the page whose name resembles |name| most, and how to list the pages, or
 * that there are none here. */
void topics_advise(const char *name);

#endif
