/* op/resource.c - containers of named resources under one lock. */
#include "op/resource_each.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/mutex.h"

struct weir_resources {
    weir_ref ref;
    char *container, *device;
    weir_mutex lock;
    weir_map containers WEIR_GUARDED_BY(lock); /* name -> weir_map of resources */
    /* Those of the task's other CPU devices, by number. A child has none, and its lock is acquired
     * under its parent's. */
    WEIR_VEC(weir_resources *) others WEIR_GUARDED_BY(lock);
    atomic_llong removals;
};

static void release_all(weir_resource *first)
{
    while (first) {
        weir_resource *next = first->next;
        weir_ref_release(&first->ref);
        first = next;
    }
}

static void clear_map(weir_map *map)
{
    size_t at = 0;
    void *value;
    while (weir_map_next(map, &at, NULL, &value))
        release_all(value);
    weir_map_fini(map);
    weir_free(map);
}

static void destroy(weir_ref *ref)
{
    weir_resources *resources = (weir_resources *)ref;
    size_t at = 0;
    void *value;
    while (weir_map_next(&resources->containers, &at, NULL, &value))
        clear_map(value);
    weir_map_fini(&resources->containers);
    for (size_t i = 0; i < resources->others.count; i++)
        weir_resources_release(resources->others.at[i]);
    weir_vec_fini(&resources->others);
    weir_mutex_fini(&resources->lock);
    weir_free(resources->container);
    weir_free(resources->device);
    weir_free(resources);
}

weir_resources *weir_resources_create(const char *container, const char *device)
{
    weir_resources *resources = WEIR_NEW(weir_resources);
    weir_ref_init(&resources->ref, destroy);
    resources->container = weir_strdup(container);
    resources->device = weir_strdup(device);
    weir_mutex_init(&resources->lock);
    return resources;
}

void weir_resources_release(weir_resources *resources)
{
    weir_ref_release((weir_ref *)resources);
}

weir_resources *weir_resources_retain(weir_resources *resources)
{
    weir_ref_retain(&resources->ref);
    return resources;
}

bool weir_resources_idle(weir_resources *resources)
{
    weir_mutex_lock(&resources->lock);
    bool idle = !resources->containers.count && !resources->others.count &&
                weir_ref_unique(&resources->ref);
    weir_mutex_unlock(&resources->lock);
    return idle;
}

const char *weir_resources_default(const weir_resources *resources)
{
    return resources->container;
}

const char *weir_resources_device(const weir_resources *resources)
{
    return resources->device;
}

/* ---- devices --------------------------------------------------------------------------------- */

enum { MOST_PROCESSORS = 65536 };

/* The number of a CPU device that is not the first; 0: the first, or another type of device. */
static int processor_of(const char *device)
{
    static const char kind[] = "/device:CPU:";
    const char *found = device ? strstr(device, kind) : NULL;
    long number = found ? strtol(found + sizeof kind - 1, NULL, 10) : 0;
    return number > 0 && number < MOST_PROCESSORS ? (int)number : 0;
}

static weir_resources *other(weir_resources *resources, const char *device, int processor,
                             bool make)
{
    weir_mutex_lock(&resources->lock);
    while (make && resources->others.count < (size_t)processor)
        weir_vec_push(&resources->others, NULL);
    weir_resources *found =
        (size_t)processor <= resources->others.count ? resources->others.at[processor - 1] : NULL;
    if (!found && make)
        found = resources->others.at[processor - 1] =
            weir_resources_create(resources->container, device);
    weir_mutex_unlock(&resources->lock);
    return found;
}

weir_resources *weir_resources_at(weir_resources *resources, const char *device)
{
    int processor = processor_of(device);
    return processor ? other(resources, device, processor, true) : resources;
}

weir_resources *weir_resources_of(weir_resources *resources, const weir_handle *handle)
{
    int processor = processor_of(handle->device);
    weir_resources *found = processor ? other(resources, handle->device, processor, false) : NULL;
    return found ? found : resources;
}

/* ---- containers ------------------------------------------------------------------------------ */

static weir_str named(const weir_resources *resources, weir_str container)
{
    return container.length ? container : weir_str_of(resources->container);
}

/* The map of a container; created if |make|. Lock held. */
static weir_map *container_of(weir_resources *resources, weir_str name, bool make)
{
    weir_map *map = weir_map_get(&resources->containers, named(resources, name));
    if (!map && make) {
        map = WEIR_NEW(weir_map);
        weir_map_put(&resources->containers, named(resources, name), map);
    }
    return map;
}

/* The one of the given type in a list of the same name; null |type|: any. */
static weir_resource *of_type(weir_resource *first, const weir_resource_type *type)
{
    while (first && type && first->type != type)
        first = first->next;
    return first;
}

static void keep(weir_map *map, weir_str name, weir_resource *resource)
{
    resource->next = weir_map_get(map, name);
    weir_map_put(map, name, resource);
}

static void take_out(weir_map *map, weir_str name, weir_resource *resource)
{
    weir_resource *first = weir_map_get(map, name);
    if (first == resource && !resource->next) {
        weir_map_remove(map, name);
    } else if (first == resource) {
        weir_map_put(map, name, resource->next);
    } else {
        while (first->next != resource)
            first = first->next;
        first->next = resource->next;
    }
}

static weir_status check_type(weir_str name, const weir_resource *found,
                              const weir_resource_type *type)
{
    if (!type || found->type == type)
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT,
                      "Trying to access resource '%.*s' as a %s, but it is a %s",
                      WEIR_STR_ARG(name), type->label, found->type->label);
}

static weir_status find_locked(weir_resources *resources, weir_str container, weir_str name,
                               const weir_resource_type *type, weir_resource **out)
{
    weir_map *map = container_of(resources, container, false);
    weir_resource *first = map ? weir_map_get(map, name) : NULL;
    weir_resource *found = of_type(first, type);
    if (!map)
        return weir_error(WEIR_NOT_FOUND,
                          "Container %.*s does not exist. (Could not find resource: "
                          "%.*s/%.*s)",
                          WEIR_STR_ARG(named(resources, container)),
                          WEIR_STR_ARG(named(resources, container)), WEIR_STR_ARG(name));
    if (!first)
        return weir_error(WEIR_NOT_FOUND, "Resource %.*s/%.*s/%s does not exist.",
                          WEIR_STR_ARG(named(resources, container)), WEIR_STR_ARG(name),
                          type ? type->name : "");
    if (!found)
        return check_type(name, first, type);
    weir_ref_retain(&found->ref);
    *out = found;
    return WEIR_OK;
}

weir_status weir_resources_find(weir_resources *resources, weir_str container, weir_str name,
                                const weir_resource_type *type, weir_resource **out)
{
    weir_mutex_lock(&resources->lock);
    weir_status status = find_locked(resources, container, name, type, out);
    weir_mutex_unlock(&resources->lock);
    return status;
}

weir_status weir_resources_find_or_create(weir_resources *resources, weir_str container,
                                          weir_str name, const weir_resource_type *type,
                                          weir_status (*create)(void *arg, weir_resource **out),
                                          void *arg, weir_resource **out)
{
    weir_mutex_lock(&resources->lock);
    weir_map *map = container_of(resources, container, true);
    weir_resource *found = of_type(weir_map_get(map, name), type);
    weir_status status = WEIR_OK;
    if (!found) {
        status = create(arg, &found);
        if (!status)
            keep(map, name, found);
    }
    if (!status) {
        weir_ref_retain(&found->ref);
        *out = found;
    }
    weir_mutex_unlock(&resources->lock);
    return status;
}

weir_status weir_resources_add(weir_resources *resources, weir_str container, weir_str name,
                               weir_resource *resource)
{
    weir_status status = WEIR_OK;
    weir_mutex_lock(&resources->lock);
    weir_map *map = container_of(resources, container, true);
    if (of_type(weir_map_get(map, name), resource->type))
        status = weir_error(WEIR_ALREADY_EXISTS, "Resource %.*s/%.*s/%s",
                            WEIR_STR_ARG(named(resources, container)), WEIR_STR_ARG(name),
                            resource->type->name);
    else
        keep(map, name, resource);
    weir_mutex_unlock(&resources->lock);
    return status;
}

weir_status weir_resources_delete(weir_resources *resources, weir_str container, weir_str name,
                                  const weir_resource_type *type)
{
    weir_resource *found = NULL;
    weir_mutex_lock(&resources->lock);
    weir_status status = find_locked(resources, container, name, type, &found);
    if (!status) {
        take_out(container_of(resources, container, false), name, found);
        atomic_fetch_add(&resources->removals, 1);
    }
    weir_mutex_unlock(&resources->lock);
    if (!status) {
        weir_ref_release(&found->ref); /* find's */
        weir_ref_release(&found->ref); /* the container's */
    }
    return status;
}

int64_t weir_resources_removals(weir_resources *resources)
{
    int64_t removals = atomic_load(&resources->removals);
    weir_mutex_lock(&resources->lock);
    for (size_t i = 0; i < resources->others.count; i++)
        removals += resources->others.at[i] ? atomic_load(&resources->others.at[i]->removals) : 0;
    weir_mutex_unlock(&resources->lock);
    return removals;
}

/* The |i|th other device's; null: none. Others are never removed. */
static weir_resources *other_at(weir_resources *resources, size_t i, bool *out_more)
{
    weir_mutex_lock(&resources->lock);
    *out_more = i < resources->others.count;
    weir_resources *found = *out_more ? resources->others.at[i] : NULL;
    weir_mutex_unlock(&resources->lock);
    return found;
}

void weir_resources_clear(weir_resources *resources, const weir_str *containers, size_t count)
{
    bool more = true;
    for (size_t i = 0; more; i++) {
        weir_resources *others = other_at(resources, i, &more);
        if (others)
            weir_resources_clear(others, containers, count);
    }
    weir_str fallback = weir_str_of(resources->container);
    if (count == 0) {
        containers = &fallback;
        count = 1;
    }
    for (size_t i = 0; i < count; i++) {
        weir_mutex_lock(&resources->lock);
        weir_map *map = weir_map_remove(&resources->containers, containers[i]);
        atomic_fetch_add(&resources->removals, 1);
        weir_mutex_unlock(&resources->lock);
        if (map)
            clear_map(map);
    }
}

void weir_resources_each(weir_resources *resources,
                         void (*fn)(void *arg, weir_str container, weir_str name,
                                    weir_resource *resource),
                         void *arg)
{
    size_t at = 0;
    weir_str container, name;
    void *map, *resource;
    weir_mutex_lock(&resources->lock);
    while (weir_map_next(&resources->containers, &at, &container, &map)) {
        size_t inner = 0;
        while (weir_map_next(map, &inner, &name, &resource))
            for (weir_resource *one = resource; one; one = one->next)
                fn(arg, container, name, one);
    }
    weir_mutex_unlock(&resources->lock);
    bool more = true;
    for (size_t i = 0; more; i++) {
        weir_resources *others = other_at(resources, i, &more);
        if (others)
            weir_resources_each(others, fn, arg);
    }
}

weir_status weir_resources_of_handle(weir_resources *resources, const weir_handle *handle,
                                     const weir_resource_type *type, weir_resource **out)
{
    if (!handle)
        return weir_error(WEIR_INVALID_ARGUMENT, "the resource handle is empty");
    if (!handle->object)
        return weir_resources_find(weir_resources_of(resources, handle),
                                   weir_str_of(handle->container), weir_str_of(handle->name), type,
                                   out);
    weir_resource *held = (weir_resource *)handle->object;
    WEIR_TRY(check_type(weir_str_of(handle->name), held, type));
    weir_ref_retain(&held->ref);
    *out = held;
    return WEIR_OK;
}
