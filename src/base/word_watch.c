/* base/word_watch.c - the words waited for together with a descriptor, and their waiters. */
#include "base/word_watch.h"

#include <poll.h>
#include <sys/eventfd.h>

#include "base/mem.h"
#include "base/mutex.h"
#include "base/word.h"

struct weir_word_watch {
    weir_word_watch *next;
    atomic_int *word;
    int event;                /* an eventfd; reused by the next watch */
    bool asleep, told, noted; /* |noted|: the event's count is not 0 */
};

static struct {
    weir_mutex lock;
    weir_word_watch *used WEIR_GUARDED_BY(lock);
    weir_word_watch *unused WEIR_GUARDED_BY(lock);
} watches = {.lock = WEIR_MUTEX_INIT};
atomic_int weir_words_watched;

static weir_word_watch *new_watch(void)
{
    int event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (event < 0)
        return NULL;
    weir_word_watch *watch = WEIR_NEW(weir_word_watch);
    watch->event = event;
    return watch;
}

weir_word_watch *weir_word_watch_begin(atomic_int *word)
{
    weir_mutex_lock(&watches.lock);
    weir_word_watch *watch = watches.unused;
    if (watch)
        watches.unused = watch->next;
    weir_mutex_unlock(&watches.lock);
    if (!watch && !(watch = new_watch()))
        return NULL;
    weir_mutex_lock(&watches.lock);
    watch->word = word;
    watch->next = watches.used;
    watches.used = watch;
    weir_mutex_unlock(&watches.lock);
    atomic_fetch_add(&weir_words_watched, 1); /* before reading the word */
    return watch;
}

static bool fall_asleep(weir_word_watch *watch)
{
    weir_mutex_lock(&watches.lock);
    watch->asleep = !watch->told && !atomic_load(watch->word);
    bool asleep = watch->asleep;
    weir_mutex_unlock(&watches.lock);
    return asleep;
}

static void wake_up(weir_word_watch *watch)
{
    eventfd_t count;
    weir_mutex_lock(&watches.lock);
    watch->asleep = watch->told = false;
    if (watch->noted)
        eventfd_read(watch->event, &count);
    watch->noted = false;
    weir_mutex_unlock(&watches.lock);
}

void weir_word_watch_wait(weir_word_watch *watch, int fd)
{
    struct pollfd both[] = {{fd, POLLIN | POLLRDHUP, 0}, {watch->event, POLLIN, 0}};
    if (fall_asleep(watch))
        poll(both, 2, -1);
    wake_up(watch);
}

static void tell(weir_word_watch *watch) WEIR_REQUIRES(watches.lock)
{
    watch->told = true;
    if (watch->asleep && !watch->noted)
        watch->noted = eventfd_write(watch->event, 1) == 0;
}

void weir_word_watch_kick(weir_word_watch *watch)
{
    weir_mutex_lock(&watches.lock);
    tell(watch);
    weir_mutex_unlock(&watches.lock);
}

bool weir_word_tell(atomic_int *word)
{
    weir_mutex_lock(&watches.lock);
    weir_word_watch *watch = watches.used;
    while (watch && watch->word != word)
        watch = watch->next;
    if (watch)
        tell(watch);
    weir_mutex_unlock(&watches.lock);
    return watch != NULL;
}

void weir_word_watch_end(weir_word_watch *watch)
{
    wake_up(watch);
    weir_mutex_lock(&watches.lock);
    weir_word_watch **at = &watches.used;
    while (*at != watch)
        at = &(*at)->next;
    *at = watch->next;
    watch->next = watches.unused;
    watches.unused = watch;
    weir_mutex_unlock(&watches.lock);
    atomic_fetch_sub(&weir_words_watched, 1);
}
