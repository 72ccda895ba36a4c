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

static void skip(weir_pass_options *options, weir_pass_option option, bool skipped)
{
    options->skip |= skipped ? weir_pass_of_option(option) : 0;
}

/* OptimizerOptions: at level L0 nothing is done but what is asked for by name. */
static void parse_optimizer(weir_str bytes, weir_pass_options *o)
{
    enum { COMMON = 1, FOLDING = 2, LEVEL = 3, FOLDED_BYTES = 6 };
    weir_pb r = weir_pb_reader(bytes);
    bool common = false, folding = false, none = false;
    while (weir_pb_next(&r)) {
        if (r.field == COMMON)
            common = r.value != 0;
        if (r.field == FOLDING)
            folding = r.value != 0;
        if (r.field == LEVEL)
            none = weir_pb_int(&r) < 0;
        if (r.field == FOLDED_BYTES && weir_pb_int(&r) > 0)
            o->fold_limit_bytes = weir_pb_int(&r);
    }
    o->off |= none && !common && !folding;
    skip(o, WEIR_OPTION_COMMON, none && !common);
    skip(o, WEIR_OPTION_FOLDING, none && !folding);
}

/* RewriterConfig: each toggle turns off what comes nearest to it here. */
static void parse_rewriter(weir_str bytes, weir_pass_options *o)
{
    enum { FOLDING = 3, ARITHMETIC = 7, DEPENDENCIES = 8, DISABLED = 19, COMMON = 24, OFF = 2 };
    weir_pb r = weir_pb_reader(bytes);
    while (weir_pb_next(&r)) {
        bool off = r.value == OFF;
        o->off |= r.field == DISABLED && r.value;
        skip(o, WEIR_OPTION_FOLDING, r.field == FOLDING && off);
        skip(o, WEIR_OPTION_ARITHMETIC, r.field == ARITHMETIC && off);
        skip(o, WEIR_OPTION_DEPENDENCIES, r.field == DEPENDENCIES && off);
        skip(o, WEIR_OPTION_COMMON, r.field == COMMON && off);
    }
}

/* GraphOptions: which passes run, and when a step's metadata tells costs. */
static void parse_graph_options(weir_str bytes, weir_config *c)
{
    enum { OPTIMIZER = 3, COSTS = 4, COSTS_AFTER = 9, REWRITER = 10 };
    weir_pb r = weir_pb_reader(bytes);
    while (weir_pb_next(&r)) {
        if (r.field == COSTS)
            c->cost_every = weir_pb_int(&r);
        if (r.field == COSTS_AFTER)
            c->cost_after = weir_pb_int(&r);
        if (r.type == WEIR_PB_LEN && r.field == OPTIMIZER)
            parse_optimizer(r.bytes, &c->passes);
        if (r.type == WEIR_PB_LEN && r.field == REWRITER)
            parse_rewriter(r.bytes, &c->passes);
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

int weir_session_config_devices(weir_str config)
{
    weir_config c = {.cpu_devices = 1};
    weir_status_free(weir_config_parse(config, &c));
    return c.cpu_devices;
}

static void parse_experimental(weir_str bytes, weir_run_options *o)
{
    for (weir_pb r = weir_pb_reader(bytes); weir_pb_next(&r);)
        if (r.field == 1 && r.type == WEIR_PB_VARINT)
            o->graph_key = weir_pb_int(&r);
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
        else if (r.field == 8 && r.type == WEIR_PB_LEN)
            parse_experimental(r.bytes, &o);
    }
    if (!weir_pb_ok(&r))
        return weir_error(WEIR_INVALID_ARGUMENT, "Unparseable RunOptions proto");
    *out_options = o;
    return WEIR_OK;
}
