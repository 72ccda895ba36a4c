/* session/session.c - dispatches to a session's table of functions. */
#include "session/session.h"

weir_status weir_session_close(weir_session *session)
{
    return session->fns->close(session);
}

void weir_session_destroy(weir_session *session)
{
    if (session)
        session->fns->destroy(session);
}

weir_status weir_session_extend(weir_session *session)
{
    return session->fns->extend ? session->fns->extend(session) : WEIR_OK;
}

weir_status weir_session_run(weir_session *session, const weir_request *request,
                             weir_tensor *out_fetched)
{
    return session->fns->run(session, request, out_fetched);
}

weir_status weir_session_partial_setup(weir_session *session, const weir_request *request,
                                       char **out_handle)
{
    return session->fns->partial_setup(session, request, out_handle);
}

weir_status weir_session_partial_run(weir_session *session, const char *handle,
                                     const weir_request *request, weir_tensor *out_fetched)
{
    return session->fns->partial_run(session, handle, request, out_fetched);
}

weir_status weir_session_make_callable(weir_session *session, const weir_request *request,
                                       weir_callable **out_callable)
{
    return session->fns->make_callable(session, request, out_callable);
}

weir_status weir_callable_run(weir_callable *callable, const weir_request *call,
                              weir_tensor *out_fetched)
{
    return callable->session->fns->run_callable(callable, call, out_fetched);
}

weir_status weir_callable_release(weir_callable *callable)
{
    return callable ? callable->session->fns->release_callable(callable) : WEIR_OK;
}

weir_status weir_session_list_devices(weir_session *session, weir_devices *out_devices)
{
    return session->fns->list_devices(session, out_devices);
}

void weir_session_clear_containers(weir_session *session, const weir_str *containers, size_t count)
{
    if (session->fns->clear_containers)
        session->fns->clear_containers(session, containers, count);
}
