/* session/library.c - snapshots of a session's functions.
 *
 * A dataset keeps the functions of the session that created it, so that a session without them can
 * iterate it.
 */
#include "op/function.h"
#include "session/session_impl.h"

static void destroy(weir_ref *ref)
{
    weir_library *library = (weir_library *)ref;
    weir_graph_destroy((weir_graph *)library->functions);
    weir_free(library);
}

static weir_library *snapshot(const weir_local_session *session)
{
    weir_library *library = WEIR_NEW(weir_library);
    weir_ref_init(&library->ref, destroy);
    weir_graph *graph = weir_graph_create(session->library->registry);
    for (size_t i = 0; i < session->library->function_list.count; i++)
        weir_status_free(weir_graph_add_function(graph, session->library->function_list.at[i]));
    library->functions = graph;
    library->owner = session->id;
    return library;
}

weir_library *weir_local_library(void *session)
{
    weir_local_session *local_session = session;
    weir_mutex_lock(&local_session->lock);
    size_t known = local_session->library->function_list.count;
    if (!local_session->snapshot ||
        local_session->snapshot->functions->function_list.count != known) {
        weir_ref_release((weir_ref *)local_session->snapshot);
        local_session->snapshot = snapshot(local_session);
    }
    weir_library *library = local_session->snapshot;
    weir_ref_retain(&library->ref);
    weir_mutex_unlock(&local_session->lock);
    return library;
}

static weir_status adopt_locked(weir_local_session *session, weir_library *library)
{
    weir_str key = {(const char *)&library, sizeof library};
    if (weir_map_get(&session->adopted, key))
        return WEIR_OK;
    size_t before = session->library->function_list.count;
    for (size_t i = 0; i < library->functions->function_list.count; i++)
        WEIR_TRY(
            weir_graph_add_function(session->library, library->functions->function_list.at[i]));
    if (session->library->function_list.count == before)
        return WEIR_OK; /* nothing new: not worth storing */
    weir_ref_retain(&library->ref);
    weir_map_put(&session->adopted, key, library);
    return WEIR_OK;
}

weir_status weir_local_adopt(void *session, weir_library *library)
{
    weir_local_session *local_session = session;
    if (library->owner == local_session->id)
        return WEIR_OK;
    weir_mutex_lock(&local_session->lock);
    weir_status st = adopt_locked(local_session, library);
    weir_mutex_unlock(&local_session->lock);
    return weir_status_note(st, " [a function of another session]");
}

void weir_local_free_libraries(weir_local_session *session)
{
    size_t at = 0;
    void *l;
    while (weir_map_next(&session->adopted, &at, NULL, &l))
        weir_ref_release(l);
    weir_map_fini(&session->adopted);
    weir_ref_release((weir_ref *)session->snapshot);
}
