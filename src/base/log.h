/* base/log.h - log lines. Rooms below session return errors instead. */
#ifndef WEIR_BASE_LOG_H
#define WEIR_BASE_LOG_H

#include "base/status.h"

typedef enum weir_log_level {
    WEIR_LOG_DEBUG,
    WEIR_LOG_INFO,
    WEIR_LOG_WARNING,
    WEIR_LOG_ERROR
} weir_log_level;

/* Writes one line to standard error if |level| is at least WEIR_LOG's; thread-safe. */
void weir_log(weir_log_level level, const char *fmt, ...) WEIR_PRINTF(2, 3);
/* Also passes every line, whatever its level, to |listener|; null removes it. */
void weir_log_listen(void (*listener)(const char *line));

#endif
