/* capi/experimental.c - switches, readable texts and minor functions of c_api_experimental.h. */
#include "tensorflow/c/c_api_experimental.h"

#include <netinet/in.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "capi/build_impl.h"
#include "capi/eager_impl.h"

/* ---- switches without effect ----------------------------------------------------------------- */

static atomic_uchar lazy_compilation, cpu_global_jit, auto_jit, folding_disabled;

unsigned char TF_SetXlaEnableLazyCompilation(unsigned char enable)
{
    return atomic_exchange(&lazy_compilation, enable);
}

unsigned char TF_SetTfXlaCpuGlobalJit(unsigned char enable)
{
    return atomic_exchange(&cpu_global_jit, enable);
}

void TF_SetXlaAutoJitMode(const char *mode)
{
    atomic_store(&auto_jit, atoi(mode) > 0 || strcmp(mode, "fusible") == 0);
}

unsigned char TF_GetXlaAutoJitEnabled(void)
{
    return atomic_load(&auto_jit);
}

void TF_SetXlaMinClusterSize(int size)
{
}

unsigned char TF_GetXlaConstantFoldingDisabled(void)
{
    return atomic_load(&folding_disabled);
}

void TF_SetXlaConstantFoldingDisabled(unsigned char should_enable)
{
    atomic_store(&folding_disabled, should_enable);
}

/* ---- texts ----------------------------------------------------------------------------------- */

/* The client calls free(), which is also right for weir_buf's memory. */
static char *give(weir_buf *text, size_t *len)
{
    if (len)
        *len = text->length;
    return weir_buf_take(text);
}

static void put_edge(weir_buf *out, const char *before, const char *name, int index)
{
    weir_buf_addf(out, index > 0 ? "%s%s:%d" : "%s%s", before, name, index);
}

static void put_node(weir_buf *out, const weir_node *node)
{
    weir_buf_addf(out, "%s = %s(", node->site.name, node->site.def->name);
    for (int i = 0; i < node->site.in_count; i++)
        put_edge(out, i ? ", " : "", node->in[i].node->site.name, node->in[i].index);
    for (size_t i = 0; i < node->controls.count; i++)
        weir_buf_addf(out, " ^%s", node->controls.at[i]->site.name);
    weir_buf_adds(out, ")");
    for (int i = 0; i < node->site.def->attr_count; i++) {
        weir_buf_addf(out, " %s=", node->site.def->attrs[i].name);
        weir_attr_text(&node->site.attrs[i], out);
    }
    weir_buf_addc(out, '\n');
}

const char *TF_GraphDebugString(TF_Graph *graph, size_t *len)
{
    weir_buf text = {0};
    weir_capi_lock(graph);
    for (size_t i = 0; i < graph->graph->nodes.count; i++)
        if (!graph->graph->nodes.at[i]->removed)
            put_node(&text, graph->graph->nodes.at[i]);
    weir_capi_unlock(graph);
    return give(&text, len);
}

char *TF_FunctionDebugString(TF_Function *func, size_t *len)
{
    const weir_function *function = func->f;
    weir_buf text = {0};
    weir_buf_addf(&text, "%s\n", function->def.name);
    for (int i = 0; i < function->node_count; i++) {
        weir_buf_addf(&text, "  %s = %s(", function->nodes[i].name, function->nodes[i].op);
        for (int k = 0; k < function->nodes[i].in_count; k++)
            weir_buf_addf(&text, "%s%s", k ? ", " : "", function->nodes[i].in[k]);
        weir_buf_adds(&text, ")\n");
    }
    for (int i = 0; i < function->def.out_count; i++)
        weir_buf_addf(&text, "  return %s = %s\n", function->def.out[i].name, function->ret[i]);
    return give(&text, len);
}

/* ---- kernels by types ------------------------------------------------------------------------ */

struct TF_AttrBuilder {
    char *op;
    weir_attr_set set;
};

TF_AttrBuilder *TF_NewAttrBuilder(const char *op_name)
{
    TF_AttrBuilder *builder = WEIR_NEW(TF_AttrBuilder);
    builder->op = weir_strdup(op_name);
    weir_attr_set_init(&builder->set);
    return builder;
}

void TF_DeleteAttrBuilder(TF_AttrBuilder *builder)
{
    if (!builder)
        return;
    weir_attr_set_fini(&builder->set);
    weir_free(builder->op);
    weir_free(builder);
}

void TF_AttrBuilderSetType(TF_AttrBuilder *builder, const char *attr_name, TF_DataType value)
{
    weir_attr_set_type(&builder->set, attr_name, value);
}

void TF_AttrBuilderSetTypeList(TF_AttrBuilder *builder, const char *attr_name,
                               const TF_DataType *values, int num_values)
{
    weir_attr_set_types(&builder->set, attr_name, values, num_values);
}

/* Missing attrs have their defaults. */
static weir_status find_kernel(const TF_AttrBuilder *builder, unsigned device)
{
    const weir_registry *registry = weir_catalogue();
    const weir_op *op = weir_registry_find(registry, weir_str_of(builder->op));
    const weir_kernel *kernel;
    if (!op)
        return weir_error(WEIR_NOT_FOUND, "Op type not registered '%s'", builder->op);
    const weir_opdef *def = weir_registry_def(registry, op);
    weir_attr *attrs = WEIR_NEW_ARRAY(weir_attr, def->attr_count);
    for (int i = 0; i < def->attr_count; i++) {
        const weir_attr *given = weir_attr_set_find(&builder->set, def->attrs[i].name);
        attrs[i] = given ? *given : def->attrs[i].otherwise;
    }
    weir_site site = {.name = builder->op, .op = op, .def = def, .attrs = attrs, .device = ""};
    weir_status status = weir_op_kernel(&site, device, &kernel), missing = WEIR_OK;
    weir_free(attrs);
    if (status)
        missing = weir_error(WEIR_NOT_FOUND, "%s", weir_status_message(status));
    weir_status_free(status);
    return missing;
}

void TF_AttrBuilderCheckCanRunOnDevice(TF_AttrBuilder *builder, const char *device_type,
                                       TF_Status *status)
{
    unsigned device = strcmp(device_type, "CPU") == 0   ? WEIR_CPU
                      : strcmp(device_type, "GPU") == 0 ? WEIR_GPU
                                                        : 0;
    weir_capi_end(status,
                  device ? find_kernel(builder, device)
                         : weir_error(WEIR_INVALID_ARGUMENT, "No device type '%s'", device_type));
}

/* ---- the rest -------------------------------------------------------------------------------- */

void TF_MakeInternalErrorStatus(TF_Status *status, const char *errMsg)
{
    TF_SetStatus(status, TF_INTERNAL, errMsg);
}

void TF_InitMain(const char *usage, int *argc, char ***argv)
{
}

/* Chosen by the system; until it is bound, another process may get it too. */
int TF_PickUnusedPortOrDie(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t length = sizeof address;
    int port = 0, s = socket(AF_INET, SOCK_STREAM, 0);
    if (s >= 0 && bind(s, (struct sockaddr *)&address, length) == 0 &&
        getsockname(s, (struct sockaddr *)&address, &length) == 0)
        port = ntohs(address.sin_port);
    if (s >= 0)
        close(s);
    if (!port)
        abort();
    return port;
}

TFE_TensorHandle *TFE_NewTensorHandleFromScalar(TF_DataType data_type, void *data, size_t len,
                                                TF_Status *status)
{
    TF_Tensor *tensor = TF_AllocateTensor(data_type, NULL, 0, len);
    if (!weir_capi_end(status, tensor ? WEIR_OK
                                      : weir_error(WEIR_INVALID_ARGUMENT,
                                                   "%zu bytes are no scalar of type %s", len,
                                                   weir_dtype_name(data_type))))
        return NULL;
    memcpy(TF_TensorData(tensor), data, len);
    TFE_TensorHandle *handle = TFE_NewTensorHandle(tensor, status);
    TF_DeleteTensor(tensor);
    return handle;
}
