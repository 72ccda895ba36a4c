/* op/resource.c - containers of named resources under one lock. */
#include "op/resource.h"

#include "base/mem.h"
#include "base/mutex.h"

struct weir_resources {
    weir_ref ref;
    char *container, *device;
    weir_mutex lock;
    weir_map containers WEIR_GUARDED_BY(lock); /* name -> weir_map of resources */
};

static void clear_map(weir_map *m)
{
    size_t at = 0;
    void *value;
    while (weir_map_next(m, &at, NULL, &value))
        weir_ref_release(value);
    weir_map_fini(m);
    weir_free(m);
}

static void destroy(weir_ref *ref)
{
    weir_resources *r = (weir_resources *)ref;
    size_t at = 0;
    void *value;
    while (weir_map_next(&r->containers, &at, NULL, &value))
        clear_map(value);
    weir_map_fini(&r->containers);
    weir_mutex_fini(&r->lock);
    weir_free(r->container);
    weir_free(r->device);
    weir_free(r);
}

weir_resources *weir_resources_create(const char *container, const char *device)
{
    weir_resources *r = WEIR_NEW(weir_resources);
    weir_ref_init(&r->ref, destroy);
    r->container = weir_strdup(container);
    r->device = weir_strdup(device);
    weir_mutex_init(&r->lock);
    return r;
}

void weir_resources_release(weir_resources *r)
{
    weir_ref_release((weir_ref *)r);
}

weir_resources *weir_resources_retain(weir_resources *r)
{
    weir_ref_retain(&r->ref);
    return r;
}

const char *weir_resources_default(const weir_resources *r)
{
    return r->container;
}

const char *weir_resources_device(const weir_resources *r)
{
    return r->device;
}

static weir_str named(const weir_resources *r, weir_str container)
{
    return container.length ? container : weir_str_of(r->container);
}

/* The map of a container; made when |make|. Lock held. */
static weir_map *container_of(weir_resources *r, weir_str name, bool make)
{
    weir_map *m = weir_map_get(&r->containers, named(r, name));
    if (!m && make) {
        m = WEIR_NEW(weir_map);
        weir_map_put(&r->containers, named(r, name), m);
    }
    return m;
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

static weir_status find_locked(weir_resources *r, weir_str container, weir_str name,
                               const weir_resource_type *type, weir_resource **out)
{
    weir_map *m = container_of(r, container, false);
    weir_resource *found = m ? weir_map_get(m, name) : NULL;
    if (!found && !m)
        return weir_error(WEIR_NOT_FOUND,
                          "Container %.*s does not exist. (Could not find resource: "
                          "%.*s/%.*s)",
                          WEIR_STR_ARG(named(r, container)), WEIR_STR_ARG(named(r, container)),
                          WEIR_STR_ARG(name));
    if (!found)
        return weir_error(WEIR_NOT_FOUND, "Resource %.*s/%.*s/%s does not exist.",
                          WEIR_STR_ARG(named(r, container)), WEIR_STR_ARG(name),
                          type ? type->name : "");
    WEIR_TRY(check_type(name, found, type));
    weir_ref_retain(&found->ref);
    *out = found;
    return WEIR_OK;
}

weir_status weir_resources_find(weir_resources *r, weir_str container, weir_str name,
                                const weir_resource_type *type, weir_resource **out)
{
    weir_mutex_lock(&r->lock);
    weir_status s = find_locked(r, container, name, type, out);
    weir_mutex_unlock(&r->lock);
    return s;
}

weir_status weir_resources_find_or_create(weir_resources *r, weir_str container, weir_str name,
                                          const weir_resource_type *type,
                                          weir_status (*create)(void *arg, weir_resource **out),
                                          void *arg, weir_resource **out)
{
    weir_mutex_lock(&r->lock);
    weir_map *m = container_of(r, container, true);
    weir_resource *found = weir_map_get(m, name);
    weir_status s = WEIR_OK;
    if (found) {
        s = check_type(name, found, type);
    } else {
        s = create(arg, &found);
        if (!s)
            weir_map_put(m, name, found);
    }
    if (!s) {
        weir_ref_retain(&found->ref);
        *out = found;
    }
    weir_mutex_unlock(&r->lock);
    return s;
}

weir_status weir_resources_add(weir_resources *r, weir_str container, weir_str name,
                               weir_resource *resource)
{
    weir_status s = WEIR_OK;
    weir_mutex_lock(&r->lock);
    weir_map *m = container_of(r, container, true);
    if (weir_map_get(m, name))
        s = weir_error(WEIR_ALREADY_EXISTS, "Resource %.*s/%.*s/%s",
                       WEIR_STR_ARG(named(r, container)), WEIR_STR_ARG(name), resource->type->name);
    else
        weir_map_put(m, name, resource);
    weir_mutex_unlock(&r->lock);
    return s;
}

weir_status weir_resources_delete(weir_resources *r, weir_str container, weir_str name,
                                  const weir_resource_type *type)
{
    weir_resource *found = NULL;
    weir_mutex_lock(&r->lock);
    weir_status s = find_locked(r, container, name, type, &found);
    if (!s)
        weir_map_remove(container_of(r, container, false), name);
    weir_mutex_unlock(&r->lock);
    if (!s) {
        weir_ref_release(&found->ref); /* find's */
        weir_ref_release(&found->ref); /* the container's */
    }
    return s;
}

void weir_resources_clear(weir_resources *r, const weir_str *containers, size_t count)
{
    weir_str fallback = weir_str_of(r->container);
    if (count == 0) {
        containers = &fallback;
        count = 1;
    }
    for (size_t i = 0; i < count; i++) {
        weir_mutex_lock(&r->lock);
        weir_map *m = weir_map_remove(&r->containers, containers[i]);
        weir_mutex_unlock(&r->lock);
        if (m)
            clear_map(m);
    }
}

weir_status weir_resources_of_handle(weir_resources *r, const weir_handle *h,
                                     const weir_resource_type *type, weir_resource **out)
{
    if (!h)
        return weir_error(WEIR_INVALID_ARGUMENT, "the resource handle is empty");
    if (!h->object)
        return weir_resources_find(r, weir_str_of(h->container), weir_str_of(h->name), type, out);
    weir_resource *held = (weir_resource *)h->object;
    WEIR_TRY(check_type(weir_str_of(h->name), held, type));
    weir_ref_retain(&held->ref);
    *out = held;
    return WEIR_OK;
}
