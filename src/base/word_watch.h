/* base/word_watch.h - waiting for a word of memory (base/word.h) or a descriptor, whichever comes
 * first.
 *
 * From begin to end, weir_word_wake of the word also ends the wait of its watch. A watch belongs to
 * one thread.
 */
#ifndef WEIR_BASE_WORD_WATCH_H
#define WEIR_BASE_WORD_WATCH_H

#include <stdatomic.h>

typedef struct weir_word_watch weir_word_watch;

/* |word| is 0 until it changes. Null: there is no descriptor left for it. */
weir_word_watch *weir_word_watch_begin(atomic_int *word);
/* Returns when the word has changed, |fd| can be read or is over, the watch was kicked, or for no
 * reason. */
void weir_word_watch_wait(weir_word_watch *watch, int fd);
/* Ends the present wait or the next one; on any thread, before the watch's end. */
void weir_word_watch_kick(weir_word_watch *watch);
void weir_word_watch_end(weir_word_watch *watch);

#endif
