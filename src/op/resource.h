/* op/resource.h - what outlives a step: named objects in containers.
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
    const char *label; /* for people: "variable" */
} weir_resource_type;

typedef struct weir_resource {
    weir_ref ref;
    const weir_resource_type *type;
    struct weir_resource *next; /* the manager's: of the same name and another type */
} weir_resource;

typedef struct weir_resources weir_resources;

/* |container| is the default container's name ("localhost", or a job's). |device|: the task's first
 * processor. */
weir_resources *weir_resources_create(const char *container, const char *device);
void weir_resources_release(weir_resources *resources); /* takes null */
weir_resources *weir_resources_retain(weir_resources *resources);
const char *weir_resources_default(const weir_resources *resources); /* the default container */
const char *weir_resources_device(const weir_resources *resources);
/* Those of another device, in the resources of a task: every processor has its own, other devices
 * share those of the first. They live as long as |resources|. Made when they are not there. */
weir_resources *weir_resources_at(weir_resources *resources, const char *device);
/* Those where a handle says that its resource is; |resources|, when that is no device of theirs. */
weir_resources *weir_resources_of(weir_resources *resources, const weir_handle *handle);

/* An empty |container| means the default one. Found resources are retained for the caller.
 * Resources of different types may have one name: a variable that is a reference and one with a
 * handle, say, of two programs that a server runs.
 * NOT_FOUND and a type that differs are told in TensorFlow's wording. */
WEIR_CHECKED weir_status weir_resources_find(weir_resources *resources, weir_str container,
                                             weir_str name, const weir_resource_type *type,
                                             weir_resource **out);
/* Finds, or makes by |create| (under the manager's lock: it must be quick) and keeps. */
WEIR_CHECKED weir_status weir_resources_find_or_create(
    weir_resources *resources, weir_str container, weir_str name, const weir_resource_type *type,
    weir_status (*create)(void *arg, weir_resource **out), void *arg, weir_resource **out);
/* Adds under a name; takes over the caller's reference on success. ALREADY_EXISTS otherwise. */
WEIR_CHECKED weir_status weir_resources_add(weir_resources *resources, weir_str container,
                                            weir_str name, weir_resource *resource);
WEIR_CHECKED weir_status weir_resources_delete(weir_resources *resources, weir_str container,
                                               weir_str name, const weir_resource_type *type);
/* How many times something was taken out of them, whatever the device: what was found before may
 * be gone when this has changed. */
int64_t weir_resources_removals(weir_resources *resources);
/* Empties containers of every device; no names means the default one. */
void weir_resources_clear(weir_resources *resources, const weir_str *containers, size_t count);

/* The resource that a handle names: its own object, or looked up by name on the handle's device.
 * Retained. */
WEIR_CHECKED weir_status weir_resources_of_handle(weir_resources *resources,
                                                  const weir_handle *handle,
                                                  const weir_resource_type *type,
                                                  weir_resource **out);

#endif
