/* capi/node.c - looking at nodes: names, types, neighbours. */
#include "capi/capi_impl.h"

const char *TF_OperationName(TF_Operation *oper)
{
    return weir_capi_node(oper)->site.name;
}

const char *TF_OperationOpType(TF_Operation *oper)
{
    return weir_capi_node(oper)->site.def->name;
}

const char *TF_OperationDevice(TF_Operation *oper)
{
    return weir_capi_node(oper)->requested_device;
}

/* ---- outputs and inputs ---------------------------------------------------------------------- */

int TF_OperationNumOutputs(TF_Operation *oper)
{
    return weir_capi_node(oper)->site.out_count;
}

TF_DataType TF_OperationOutputType(TF_Output o)
{
    const weir_site *s = &weir_capi_node(o.oper)->site;
    return (TF_DataType)(o.index >= 0 && o.index < s->out_count ? s->out_types[o.index] : 0);
}

int TF_OperationNumInputs(TF_Operation *oper)
{
    return weir_capi_node(oper)->site.in_count;
}

TF_DataType TF_OperationInputType(TF_Input i)
{
    const weir_site *s = &weir_capi_node(i.oper)->site;
    return (TF_DataType)(i.index >= 0 && i.index < s->in_count ? s->in_types[i.index] : 0);
}

static int find_arg(const weir_argdef *args, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(args[i].name, name) == 0)
            return i;
    return -1;
}

int TF_OperationOutputListLength(TF_Operation *oper, const char *arg_name, TF_Status *status)
{
    const weir_site *s = &weir_capi_node(oper)->site;
    int arg = find_arg(s->def->out, s->def->out_count, arg_name);
    weir_capi_end(status,
                  arg < 0 ? weir_error(WEIR_INVALID_ARGUMENT, "Output arg '%s' not found", arg_name)
                          : WEIR_OK);
    return arg < 0 ? -1 : weir_site_out(s, arg).count;
}

int TF_OperationInputListLength(TF_Operation *oper, const char *arg_name, TF_Status *status)
{
    const weir_site *s = &weir_capi_node(oper)->site;
    int arg = find_arg(s->def->in, s->def->in_count, arg_name);
    weir_capi_end(status,
                  arg < 0 ? weir_error(WEIR_INVALID_ARGUMENT, "Input arg '%s' not found", arg_name)
                          : WEIR_OK);
    return arg < 0 ? -1 : weir_site_in(s, arg).count;
}

/* ---- neighbours ------------------------------------------------------------------------------ */

TF_Output TF_OperationInput(TF_Input i)
{
    const weir_node *n = weir_capi_node(i.oper);
    if (i.index < 0 || i.index >= n->site.in_count)
        return (TF_Output){NULL, -1};
    return weir_capi_output(n->in[i.index]);
}

void TF_OperationAllInputs(TF_Operation *oper, TF_Output *inputs, int max_inputs)
{
    const weir_node *n = weir_capi_node(oper);
    for (int i = 0; i < n->site.in_count && i < max_inputs; i++)
        inputs[i] = weir_capi_output(n->in[i]);
}

/* Walks the uses of output |output| (-1: control); fills at most |most| of |out|, which may be
 * null. Returns how many there are, or how many were filled. */
static int walk_uses(const weir_node *n, int output, TF_Input *out, int most)
{
    int count = 0;
    for (size_t i = 0; i < n->uses.count && (!out || count < most); i++) {
        const weir_use *u = &n->uses.at[i];
        if (u->output != output || u->node->removed)
            continue;
        if (out)
            out[count] = (TF_Input){weir_capi_oper(u->node), u->input};
        count++;
    }
    return count;
}

int TF_OperationOutputNumConsumers(TF_Output o)
{
    return o.index < 0 ? 0 : walk_uses(weir_capi_node(o.oper), o.index, NULL, 0);
}

int TF_OperationOutputConsumers(TF_Output o, TF_Input *consumers, int max_consumers)
{
    return o.index < 0 || !consumers
               ? 0
               : walk_uses(weir_capi_node(o.oper), o.index, consumers, max_consumers);
}

int TF_OperationNumControlInputs(TF_Operation *oper)
{
    return (int)weir_capi_node(oper)->controls.count;
}

int TF_OperationGetControlInputs(TF_Operation *oper, TF_Operation **control_inputs,
                                 int max_control_inputs)
{
    const weir_node *n = weir_capi_node(oper);
    int count = 0;
    for (size_t i = 0; i < n->controls.count && count < max_control_inputs; i++)
        control_inputs[count++] = weir_capi_oper(n->controls.at[i]);
    return count;
}

int TF_OperationNumControlOutputs(TF_Operation *oper)
{
    return walk_uses(weir_capi_node(oper), -1, NULL, 0);
}

int TF_OperationGetControlOutputs(TF_Operation *oper, TF_Operation **control_outputs,
                                  int max_control_outputs)
{
    const weir_node *n = weir_capi_node(oper);
    int count = 0;
    for (size_t i = 0; i < n->uses.count && count < max_control_outputs; i++)
        if (n->uses.at[i].output == -1 && !n->uses.at[i].node->removed)
            control_outputs[count++] = weir_capi_oper(n->uses.at[i].node);
    return count;
}

void TF_OperationToNodeDef(TF_Operation *oper, TF_Buffer *output_node_def, TF_Status *status)
{
    weir_buf bytes = {0};
    weir_node_export(weir_capi_node(oper), &bytes);
    weir_capi_end(status, weir_capi_fill(output_node_def, &bytes));
}
