/* base/word_watch.h - waiting for a word of memory (base/word.h) or a descriptor, whichever comes
 * first.
 *
 * Between begin and end, weir_word_wake of the word also wakes its watch. A watch belongs to one
 * thread.
 */
#ifndef WEIR_BASE_WORD_WATCH_H
#define WEIR_BASE_WORD_WATCH_H

#include <stdatomic.h>

typedef struct weir_word_watch weir_word_watch;

/* |word| is 0 until it changes. Null: out of descriptors. */
weir_word_watch *weir_word_watch_begin(atomic_int *word);
/* Returns when the word has changed, |fd| is readable or closed, the watch was kicked, or
 * spuriously. */
void weir_word_watch_wait(weir_word_watch *watch, int fd);
/* Wakes the present wait or the next one; on any thread, before the watch's end. */
void weir_word_watch_kick(weir_word_watch *watch);
void weir_word_watch_end(weir_word_watch *watch);

#endif
