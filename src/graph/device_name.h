/* graph/device_name.h - device names in every form TensorFlow accepts.
 *
 *   /job:worker/replica:0/task:1/device:CPU:0    full
 *   /job:ps/task:1, /device:CPU:*, /cpu:0        partial: what is left out matches anything
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

/* INVALID_ARGUMENT "Malformed device specification '...'" when it is none of the forms. */
WEIR_CHECKED weir_status weir_device_name_parse(const char *text, weir_device_name *out_name);
/* Could |spec| mean the device with full name |full|? */
bool weir_device_name_matches(const weir_device_name *spec, const weir_device_name *full);
/* What both say. When they contradict each other, the part that does is named ("jobs", "tasks",
 * "types" ...) and |into| is as before. With |soft|, types and ids that differ are left open. */
const char *weir_device_name_merge(weir_device_name *into, const weir_device_name *other,
                                   bool soft);
/* Nothing that they say differs. */
bool weir_device_name_agree(const weir_device_name *a, const weir_device_name *b);
/* |into| says what |other| says, and else what it said before. */
void weir_device_name_override(weir_device_name *into, const weir_device_name *other);
/* The text; it lives in |out|, which has room for any. */
enum { WEIR_DEVICE_NAME_ROOM = 160 };
const char *weir_device_name_text(const weir_device_name *name, char *out);
bool weir_device_name_empty(const weir_device_name *name); /* says nothing */

#endif
