/* graph/device_name.h - device names in every form TensorFlow accepts.
 *
 *   /job:worker/replica:0/task:1/device:CPU:0    full
 *   /job:ps/task:1, /device:CPU:*, /cpu:0        partial: omitted parts match anything
 */
#ifndef WEIR_GRAPH_DEVICE_NAME_H
#define WEIR_GRAPH_DEVICE_NAME_H

#include "base/status.h"

enum { WEIR_DEVICE_ANY = -1 };

typedef struct weir_device_name {
    char job[64]; /* "" : any */
    int replica, task;
    char type[16]; /* "CPU"; "" : any */
    int id;
} weir_device_name;

/* INVALID_ARGUMENT "Malformed device specification '...'" for any other form. */
WEIR_CHECKED weir_status weir_device_name_parse(const char *text, weir_device_name *out_name);
/* True when |spec| matches the device with full name |full|. */
bool weir_device_name_matches(const weir_device_name *spec, const weir_device_name *full);
/* Merges |other| into |into|. On a conflict, returns the part in conflict ("jobs", "tasks", "types"
 * ...) and leaves |into| unchanged. With |soft|, conflicting types and ids are cleared. */
const char *weir_device_name_merge(weir_device_name *into, const weir_device_name *other,
                                   bool soft);
/* True when no part of both conflicts. */
bool weir_device_name_agree(const weir_device_name *a, const weir_device_name *b);
/* Parts that |other| specifies replace those of |into|. */
void weir_device_name_override(weir_device_name *into, const weir_device_name *other);
/* Formats the name into |out|, which is large enough for any name. */
enum { WEIR_DEVICE_NAME_ROOM = 160 };
const char *weir_device_name_text(const weir_device_name *name, char *out);

#endif
