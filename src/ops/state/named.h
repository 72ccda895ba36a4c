/* ops/state/named.h - container and name of the resource of a stateful node.
 *
 * The rule is TensorFlow's: the container attr, else the default container; the shared_name attr,
 * else either the node's name, or a generated unique name ("_0_queue"). A generated name is the
 * same in every plan of a session and in no other session; its resource is destroyed when the
 * session ends.
 */
#ifndef WEIR_OPS_STATE_NAMED_H
#define WEIR_OPS_STATE_NAMED_H

#include "op/op.h"

typedef enum weir_naming { WEIR_BY_NODE_NAME, WEIR_BY_OWN_NAME } weir_naming;

/* Stored by .prepare in call->state. Owned. */
typedef struct weir_named {
    const weir_resource_type *type;
    char *container, *name;
    weir_tensor handle; /* scalar resource tensor, the same in every run */
    weir_tensor pair;   /* container and name as two strings: the handle of legacy ops */
} weir_named;

/* |container| and |shared_name| are attr indices, or -1 for an op without them. */
WEIR_CHECKED weir_status weir_named_prepare(weir_prepare *preparation, int container,
                                            int shared_name, weir_naming naming,
                                            const weir_resource_type *type);
void weir_named_cleanup(void *named);
/* Finds or creates the object. Retained. */
WEIR_CHECKED weir_status weir_named_open(weir_call *call,
                                         weir_status (*create)(void *, weir_resource **), void *arg,
                                         weir_resource **out);
/* Sets output |out| to the handle; or, if the op declares a string reference, to the pair. */
void weir_named_output(weir_call *call, int out);
/* The object that input |i| (a handle, or a reference to a pair of strings) refers to. Retained. */
WEIR_CHECKED weir_status weir_named_input(weir_call *call, int i, const weir_resource_type *type,
                                          weir_resource **out);

#endif
