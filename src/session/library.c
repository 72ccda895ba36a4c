/* session/library.c - the functions of a session, for what outlives it.
 *
 * A dataset keeps the functions of the session that made it, so that a session that knows nothing
 * of them can iterate it.
 */
#include "op/function.h"
#include "session/session_impl.h"

static void destroy(weir_ref *ref)
{
    weir_library *l = (weir_library *)ref;
    weir_graph_destroy((weir_graph *)l->functions);
    weir_free(l);
}

static weir_library *snapshot(const weir_local_session *s)
{
    weir_library *l = WEIR_NEW(weir_library);
    weir_ref_init(&l->ref, destroy);
    weir_graph *g = weir_graph_create(s->library->registry);
    for (size_t i = 0; i < s->library->function_list.count; i++)
        weir_status_free(weir_graph_add_function(g, s->library->function_list.at[i]));
    l->functions = g;
    l->owner = s->id;
    return l;
}

weir_library *weir_local_library(void *session)
{
    weir_local_session *s = session;
    weir_mutex_lock(&s->lock);
    size_t known = s->library->function_list.count;
    if (!s->snapshot || s->snapshot->functions->function_list.count != known) {
        weir_ref_release((weir_ref *)s->snapshot);
        s->snapshot = snapshot(s);
    }
    weir_library *l = s->snapshot;
    weir_ref_retain(&l->ref);
    weir_mutex_unlock(&s->lock);
    return l;
}

static weir_status adopt_locked(weir_local_session *s, weir_library *l)
{
    weir_str key = {(const char *)&l, sizeof l};
    if (weir_map_get(&s->adopted, key))
        return WEIR_OK;
    size_t before = s->library->function_list.count;
    for (size_t i = 0; i < l->functions->function_list.count; i++)
        WEIR_TRY(weir_graph_add_function(s->library, l->functions->function_list.at[i]));
    if (s->library->function_list.count == before)
        return WEIR_OK; /* nothing new: not worth keeping */
    weir_ref_retain(&l->ref);
    weir_map_put(&s->adopted, key, l);
    return WEIR_OK;
}

weir_status weir_local_adopt(void *session, weir_library *l)
{
    weir_local_session *s = session;
    if (l->owner == s->id)
        return WEIR_OK;
    weir_mutex_lock(&s->lock);
    weir_status st = adopt_locked(s, l);
    weir_mutex_unlock(&s->lock);
    return weir_status_note(st, " [a function of another session]");
}

void weir_local_free_libraries(weir_local_session *s)
{
    size_t at = 0;
    void *l;
    while (weir_map_next(&s->adopted, &at, NULL, &l))
        weir_ref_release(l);
    weir_map_fini(&s->adopted);
    weir_ref_release((weir_ref *)s->snapshot);
}
