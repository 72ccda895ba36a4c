/* dash/dash.h - the site on a task's port: page, metrics, JSON. */
#ifndef WEIR_DASH_DASH_H
#define WEIR_DASH_DASH_H

#include "net/http.h"
#include "op/resource.h"

/* A task of the cluster; texts are copied. */
typedef struct weir_dash_task {
    const char *job;
    int index;
    const char *address; /* "host:port" */
} weir_dash_task;

typedef struct weir_dash_options {
    const weir_dash_task *tasks;
    int task_count;
    int own;                   /* index into tasks */
    weir_resources *resources; /* retained */
} weir_dash_options;

typedef struct weir_dash weir_dash;

weir_dash *weir_dash_create(const weir_dash_options *options);
void weir_dash_destroy(weir_dash *dash); /* no request may be in progress; takes null */
/* Shows |address| (copied) as the own task's, instead of one without a port. Once, from any thread.
 */
void weir_dash_listens(weir_dash *dash, const char *address);
const weir_http_site *weir_dash_site(const weir_dash *dash);
/* The page and its assets; false: no such path. */
bool weir_dash_asset(weir_str path, weir_http_reply *reply);

#endif
