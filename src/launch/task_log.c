/* launch/task_log.c - a task's lines with their arrival times. */
#include "launch/task_log.h"

#include <errno.h>
#include <sys/stat.h>
#include <time.h>

#include "io/file.h"

weir_status run_log_open(const char *dir, const char *job, int index, FILE **out_log)
{
    WEIR_BUF(path);
    *out_log = NULL;
    if (!dir)
        return WEIR_OK;
    if (mkdir(dir, 0777) != 0 && errno != EEXIST)
        return weir_file_error(dir, errno);
    weir_buf_addf(&path, "%s/%s-%d.log", dir, job, index);
    *out_log = fopen(path.at, "we");
    return *out_log ? WEIR_OK : weir_file_error(path.at, errno);
}

weir_status run_log_line(FILE *log, weir_str text)
{
    struct timespec now;
    struct tm utc;
    char date[32];
    if (!log)
        return WEIR_OK;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &utc);
    fprintf(log, "%s.%03ldZ %.*s\n", date, now.tv_nsec / 1000000, WEIR_STR_ARG(text));
    /* A log is read while the job runs, and must survive a kill. */
    return fflush(log) == 0 ? WEIR_OK : weir_file_error("its log ends here", errno);
}

void run_log_close(FILE *log)
{
    if (log)
        fclose(log);
}
