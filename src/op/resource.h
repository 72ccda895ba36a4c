/* op/resource.h - objects that outlive steps: named, in containers.
 *
 * Thread-safe. A resource is a shared object whose first field is a weir_resource.
 */
#ifndef WEIR_OP_RESOURCE_H
#define WEIR_OP_RESOURCE_H

#include "base/ref.h"
#include "base/str.h"
#include "tensor/handle.h"

typedef struct weir_resource_type {
    const char *name;  /* for messages and handles: "N10tensorflow3VarE" */
    const char *label; /* for users: "variable" */
} weir_resource_type;

typedef struct weir_resource {
    weir_ref ref;
    const weir_resource_type *type;
    struct weir_resource *next; /* the manager's list: same name, another type */
} weir_resource;

typedef struct weir_resources weir_resources;

/* |container| is the default container's name ("localhost", or a job's). |device|: the task's first
 * CPU device. */
weir_resources *weir_resources_create(const char *container, const char *device);
void weir_resources_release(weir_resources *resources); /* takes null */
weir_resources *weir_resources_retain(weir_resources *resources);
/* Whether it has nothing, and the caller has the only reference. */
bool weir_resources_idle(weir_resources *resources);
const char *weir_resources_default(const weir_resources *resources); /* the default container */
const char *weir_resources_device(const weir_resources *resources);
/* The resources of another device of the task: every CPU device has its own, other devices share
 * those of the first. Created on first use; they live as long as |resources|. */
weir_resources *weir_resources_at(weir_resources *resources, const char *device);
/* The resources of a handle's device; |resources| if that is not a device of this task. */
weir_resources *weir_resources_of(weir_resources *resources, const weir_handle *handle);

/* An empty |container| means the default one. Found resources are retained for the caller.
 * Resources of different types may have the same name: a reference variable and a resource variable
 * of two programs on one server, say.
 * NOT_FOUND and type mismatches have TensorFlow's wording. */
WEIR_CHECKED weir_status weir_resources_find(weir_resources *resources, weir_str container,
                                             weir_str name, const weir_resource_type *type,
                                             weir_resource **out);
/* Finds, or creates by |create| (under the manager's lock: it must be fast) and adds. */
WEIR_CHECKED weir_status weir_resources_find_or_create(
    weir_resources *resources, weir_str container, weir_str name, const weir_resource_type *type,
    weir_status (*create)(void *arg, weir_resource **out), void *arg, weir_resource **out);
/* Adds under a name; takes over the caller's reference on success. ALREADY_EXISTS if taken. */
WEIR_CHECKED weir_status weir_resources_add(weir_resources *resources, weir_str container,
                                            weir_str name, weir_resource *resource);
WEIR_CHECKED weir_status weir_resources_delete(weir_resources *resources, weir_str container,
                                               weir_str name, const weir_resource_type *type);
/* Number of removals so far, on any device: cached lookups are invalid when it has
 * changed. */
int64_t weir_resources_removals(weir_resources *resources);
/* Clears containers on every device; no names means the default one. */
void weir_resources_clear(weir_resources *resources, const weir_str *containers, size_t count);

/* The resource that a handle names: its own object, or looked up by name on the handle's device.
 * Retained. */
WEIR_CHECKED weir_status weir_resources_of_handle(weir_resources *resources,
                                                  const weir_handle *handle,
                                                  const weir_resource_type *type,
                                                  weir_resource **out);

#endif
