/* cli/topics.h - prints the pages of the guide, for weir help TOPIC.
 *
 * They are in the installation (share/doc/weir), or in the docs folder of the source tree that it
 * was built from; WEIR_DOCS overrides the folder.
 */
#ifndef WEIR_CLI_TOPICS_H
#define WEIR_CLI_TOPICS_H

#include <stdbool.h>

/* Prints the page of that name ("errors", "clusters"); false if there is none. */
bool topics_print(const char *name);
/* Lists the names; false if no pages are found. */
bool topics_list(void);
/* Prints to standard error which page |name| may have meant, and how to list the pages, or that
 * there are none. */
void topics_advise(const char *name);

#endif
