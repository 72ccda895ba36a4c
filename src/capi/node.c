/* capi/node.c - queries of nodes: names, types, neighbours. */
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

TF_DataType TF_OperationOutputType(TF_Output output)
{
    const weir_site *site = &weir_capi_node(output.oper)->site;
    return (TF_DataType)(output.index >= 0 && output.index < site->out_count
                             ? site->out_types[output.index]
                             : 0);
}

int TF_OperationNumInputs(TF_Operation *oper)
{
    return weir_capi_node(oper)->site.in_count;
}

TF_DataType TF_OperationInputType(TF_Input input)
{
    const weir_site *site = &weir_capi_node(input.oper)->site;
    return (TF_DataType)(input.index >= 0 && input.index < site->in_count
                             ? site->in_types[input.index]
                             : 0);
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
    const weir_site *site = &weir_capi_node(oper)->site;
    int arg = find_arg(site->def->out, site->def->out_count, arg_name);
    weir_capi_end(status,
                  arg < 0 ? weir_error(WEIR_INVALID_ARGUMENT, "Output arg '%s' not found", arg_name)
                          : WEIR_OK);
    return arg < 0 ? -1 : weir_site_out(site, arg).count;
}

int TF_OperationInputListLength(TF_Operation *oper, const char *arg_name, TF_Status *status)
{
    const weir_site *site = &weir_capi_node(oper)->site;
    int arg = find_arg(site->def->in, site->def->in_count, arg_name);
    weir_capi_end(status,
                  arg < 0 ? weir_error(WEIR_INVALID_ARGUMENT, "Input arg '%s' not found", arg_name)
                          : WEIR_OK);
    return arg < 0 ? -1 : weir_site_in(site, arg).count;
}

/* ---- neighbours ------------------------------------------------------------------------------ */

TF_Output TF_OperationInput(TF_Input input)
{
    const weir_node *node = weir_capi_node(input.oper);
    if (input.index < 0 || input.index >= node->site.in_count)
        return (TF_Output){NULL, -1};
    return weir_capi_output(node->in[input.index]);
}

void TF_OperationAllInputs(TF_Operation *oper, TF_Output *inputs, int max_inputs)
{
    const weir_node *node = weir_capi_node(oper);
    for (int i = 0; i < node->site.in_count && i < max_inputs; i++)
        inputs[i] = weir_capi_output(node->in[i]);
}

/* Iterates over the uses of output |output| (-1: control); fills at most |most| of |out|, which may
 * be null. Returns the number of uses, or of those filled. */
static int walk_uses(const weir_node *node, int output, TF_Input *out, int most)
{
    int count = 0;
    for (size_t i = 0; i < node->uses.count && (!out || count < most); i++) {
        const weir_use *use = &node->uses.at[i];
        if (use->output != output || use->node->removed)
            continue;
        if (out)
            out[count] = (TF_Input){weir_capi_oper(use->node), use->input};
        count++;
    }
    return count;
}

int TF_OperationOutputNumConsumers(TF_Output output)
{
    return output.index < 0 ? 0 : walk_uses(weir_capi_node(output.oper), output.index, NULL, 0);
}

int TF_OperationOutputConsumers(TF_Output output, TF_Input *consumers, int max_consumers)
{
    return output.index < 0 || !consumers
               ? 0
               : walk_uses(weir_capi_node(output.oper), output.index, consumers, max_consumers);
}

int TF_OperationNumControlInputs(TF_Operation *oper)
{
    return (int)weir_capi_node(oper)->controls.count;
}

int TF_OperationGetControlInputs(TF_Operation *oper, TF_Operation **control_inputs,
                                 int max_control_inputs)
{
    const weir_node *node = weir_capi_node(oper);
    int count = 0;
    for (size_t i = 0; i < node->controls.count && count < max_control_inputs; i++)
        control_inputs[count++] = weir_capi_oper(node->controls.at[i]);
    return count;
}

int TF_OperationNumControlOutputs(TF_Operation *oper)
{
    return walk_uses(weir_capi_node(oper), -1, NULL, 0);
}

int TF_OperationGetControlOutputs(TF_Operation *oper, TF_Operation **control_outputs,
                                  int max_control_outputs)
{
    const weir_node *node = weir_capi_node(oper);
    int count = 0;
    for (size_t i = 0; i < node->uses.count && count < max_control_outputs; i++)
        if (node->uses.at[i].output == -1 && !node->uses.at[i].node->removed)
            control_outputs[count++] = weir_capi_oper(node->uses.at[i].node);
    return count;
}

void TF_OperationToNodeDef(TF_Operation *oper, TF_Buffer *output_node_def, TF_Status *status)
{
    weir_buf bytes = {0};
    weir_node_export(weir_capi_node(oper), &bytes);
    weir_capi_end(status, weir_capi_fill(output_node_def, &bytes));
}
