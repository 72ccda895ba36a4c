/* dist/options.c - converts messages to structs, and back. */
#include "dist/options.h"
#include "wire/messages.h"

/* The parser's error with the wording that TensorFlow's clients expect. */
static weir_status renamed(weir_status read, const char *message)
{
    if (!read)
        return WEIR_OK;
    weir_status_free(read);
    return weir_error(WEIR_INVALID_ARGUMENT, "%s", message);
}

weir_status weir_session_config_read(weir_str proto, weir_session_config *out_config)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_config_proto message;
    WEIR_TRY(
        renamed(weir_msg_config_proto_read(proto, &arena, &message), "Unparseable ConfigProto"));
    *out_config = weir_session_config_of(&message);
    return WEIR_OK;
}

weir_status weir_run_options_read(weir_str proto, weir_arena *arena, weir_run_options *out_options)
{
    weir_msg_run_options *message = WEIR_ARENA_NEW(arena, weir_msg_run_options);
    WEIR_TRY(
        renamed(weir_msg_run_options_read(proto, arena, message), "Unparseable RunOptions proto"));
    *out_options = weir_run_options_of(message);
    return WEIR_OK;
}

void weir_run_options_write(const weir_run_options *options, weir_buf *out)
{
    if (!options)
        return;
    weir_msg_run_options_experimental experimental = {.collective_graph_key = options->graph_key};
    weir_msg_run_options fields = {.trace_level = options->trace_level,
                                   .timeout_in_ms = options->timeout_ms,
                                   .inter_op_thread_pool = options->inter_op_pool,
                                   .output_partition_graphs = options->partition_graphs,
                                   .experimental = options->graph_key ? &experimental : NULL};
    weir_msg_run_options_write(options->message ? options->message : &fields, out);
}

weir_status weir_run_metadata_read(weir_str proto, weir_run_metadata *metadata)
{
    weir_arena *arena = &metadata->arena;
    weir_str copy = {weir_arena_strndup(arena, proto.at, proto.length), proto.length};
    weir_msg_run_metadata *part = WEIR_ARENA_NEW(arena, weir_msg_run_metadata);
    WEIR_TRY(weir_msg_run_metadata_read(copy, arena, part));
    weir_vec_push(&metadata->parts, part);
    return WEIR_OK;
}

void weir_run_metadata_write(const weir_run_metadata *metadata, weir_buf *out)
{
    for (size_t i = 0; i < metadata->parts.count; i++)
        weir_msg_run_metadata_write(metadata->parts.at[i], out);
}
