/* session/session.c - what every session can do, by its table of functions. */
#include "session/session.h"

weir_status weir_session_close(weir_session *s)
{
    return s->fns->close(s);
}

void weir_session_destroy(weir_session *s)
{
    if (s)
        s->fns->destroy(s);
}

weir_status weir_session_extend(weir_session *s)
{
    return s->fns->extend ? s->fns->extend(s) : WEIR_OK;
}

weir_status weir_session_run(weir_session *s, const weir_request *request, weir_tensor *out_fetched)
{
    return s->fns->run(s, request, out_fetched);
}

weir_status weir_session_partial_setup(weir_session *s, const weir_request *request,
                                       char **out_handle)
{
    return s->fns->partial_setup(s, request, out_handle);
}

weir_status weir_session_partial_run(weir_session *s, const char *handle,
                                     const weir_request *request, weir_tensor *out_fetched)
{
    return s->fns->partial_run(s, handle, request, out_fetched);
}

weir_status weir_session_make_callable(weir_session *s, const weir_request *request,
                                       weir_callable **out_callable)
{
    return s->fns->make_callable(s, request, out_callable);
}

weir_status weir_callable_run(weir_callable *c, const weir_request *call, weir_tensor *out_fetched)
{
    return c->session->fns->run_callable(c, call, out_fetched);
}

weir_status weir_callable_release(weir_callable *c)
{
    return c ? c->session->fns->release_callable(c) : WEIR_OK;
}

weir_status weir_session_list_devices(weir_session *s, weir_devices *out_devices)
{
    return s->fns->list_devices(s, out_devices);
}

void weir_session_clear_containers(weir_session *s, const weir_str *containers, size_t count)
{
    if (s->fns->clear_containers)
        s->fns->clear_containers(s, containers, count);
}
