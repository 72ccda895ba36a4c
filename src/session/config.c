/* session/config.c - what is read of ConfigProto and RunOptions. */
#include "session/session_impl.h"
#include "wire/pb.h"

static void parse_device_count(weir_str entry, weir_config *c)
{
    weir_pb r = weir_pb_reader(entry);
    bool cpu = false;
    int64_t count = 0;
    while (weir_pb_next(&r)) {
        if (r.field == 1 && r.type == WEIR_PB_LEN)
            cpu = weir_str_is(r.bytes, "CPU");
        else if (r.field == 2)
            count = weir_pb_int(&r);
    }
    if (cpu && count > 0 && count <= 1024)
        c->cpu_devices = (int)count;
}

static void parse_graph_options(weir_str bytes, weir_config *c)
{
    weir_pb r = weir_pb_reader(bytes);
    while (weir_pb_next(&r)) {
        if (r.type != WEIR_PB_LEN)
            continue;
        weir_pb in = weir_pb_reader(r.bytes);
        while (weir_pb_next(&in)) {
            if (r.field == 3 && in.field == 3 && weir_pb_int(&in) < 0) /* OptimizerOptions: L0 */
                c->opt_level = -1;
            if (r.field == 10 && in.field == 19 && in.value) /* disable_meta_optimizer */
                c->opt_level = -1;
        }
    }
}

weir_status weir_config_parse(weir_str proto, weir_config *out_config)
{
    weir_config c = {.cpu_devices = 1};
    weir_pb r = weir_pb_reader(proto);
    while (weir_pb_next(&r)) {
        switch (r.field) {
        case 1:
            if (r.type == WEIR_PB_LEN)
                parse_device_count(r.bytes, &c);
            break;
        case 2:
            c.intra_threads = (int)weir_pb_int(&r);
            break;
        case 5:
            c.inter_threads = (int)weir_pb_int(&r);
            break;
        case 7:
            c.soft_placement = r.value != 0;
            break;
        case 8:
            c.log_placement = r.value != 0;
            break;
        case 9:
            c.per_session_threads = r.value != 0;
            break;
        case 10:
            if (r.type == WEIR_PB_LEN)
                parse_graph_options(r.bytes, &c);
            break;
        case 11:
            c.timeout_ms = weir_pb_int(&r);
            break;
        }
    }
    if (!weir_pb_ok(&r))
        return weir_error(WEIR_INVALID_ARGUMENT, "Unparseable ConfigProto");
    *out_config = c;
    return WEIR_OK;
}

weir_status weir_session_check_config(weir_str config)
{
    weir_config c;
    return weir_config_parse(config, &c);
}

weir_status weir_run_options_parse(weir_str proto, weir_run_options *out_options)
{
    weir_run_options o = {0};
    weir_pb r = weir_pb_reader(proto);
    while (weir_pb_next(&r)) {
        if (r.field == 1)
            o.trace_level = (int)weir_pb_int(&r);
        else if (r.field == 2)
            o.timeout_ms = weir_pb_int(&r);
        else if (r.field == 5)
            o.partition_graphs = r.value != 0;
    }
    if (!weir_pb_ok(&r))
        return weir_error(WEIR_INVALID_ARGUMENT, "Unparseable RunOptions proto");
    *out_options = o;
    return WEIR_OK;
}
