/* capi/server.c - TF_Server: a task of a cluster inside this process.
 *
 * Tasks run in processes of their own (`weir server`); no server can be made here, so that the
 * other functions only ever see null.
 */
#include "capi/capi_impl.h"
#include "wire/pb.h"

static weir_status no_server(void)
{
    return weir_error(WEIR_UNIMPLEMENTED,
                      "This build has no servers inside a process; start a task of its own");
}

static weir_status check_server_def(weir_str bytes)
{
    weir_pb r = weir_pb_reader(bytes);
    while (weir_pb_next(&r))
        ;
    return weir_pb_ok(&r)
               ? no_server()
               : weir_error(WEIR_INVALID_ARGUMENT, "Could not parse provided bytes into a "
                                                   "ServerDef protocol buffer");
}

TF_Server *TF_NewServer(const void *proto, size_t proto_len, TF_Status *status)
{
    weir_capi_end(status, check_server_def((weir_str){proto, proto_len}));
    return NULL;
}

void TF_ServerStart(TF_Server *server, TF_Status *status)
{
    weir_capi_end(status, no_server());
}

void TF_ServerStop(TF_Server *server, TF_Status *status)
{
    weir_capi_end(status, no_server());
}

void TF_ServerJoin(TF_Server *server, TF_Status *status)
{
    weir_capi_end(status, no_server());
}

const char *TF_ServerTarget(TF_Server *server)
{
    return "";
}

void TF_DeleteServer(TF_Server *server)
{
}
