/* capi/catalogue.c - the ops and kernels of this library, as OpList and KernelList. */
#include "base/log.h"
#include "capi/capi_impl.h"
#include "graph/proto.h"
#include "ops/device/device.h"
#include "tensorflow/c/c_api_experimental.h"
#include "wire/messages.h"

/* ---- ops ------------------------------------------------------------------------------------- */

TF_Buffer *TF_GetAllOpList(void)
{
    const weir_registry *registry = weir_catalogue();
    weir_buf bytes = {0};
    for (size_t i = 0; i < weir_registry_count(registry); i++) {
        const weir_op *op = weir_registry_at(registry, i);
        if (op->flags & (WEIR_INTERNAL_OP | WEIR_UNLISTED))
            continue;
        size_t mark = weir_message_open(&bytes, WEIR_FIELD_op_list_op);
        weir_opdef_export(weir_registry_def(registry, op), &bytes);
        weir_message_close(&bytes, mark);
    }
    return weir_capi_buffer(&bytes);
}

static weir_status find_def(const char *name, const weir_opdef **out)
{
    const weir_op *op = weir_registry_find(weir_catalogue(), weir_str_of(name));
    if (!op)
        return weir_error(WEIR_NOT_FOUND,
                          "Op type not registered '%s' in binary running on this "
                          "machine. Make sure the Op and Kernel are registered in the binary "
                          "running in this process.",
                          name);
    *out = weir_registry_def(weir_catalogue(), op);
    return WEIR_OK;
}

const char *TF_GetNumberAttrForOpListInput(const char *op_name, int input_index, TF_Status *status)
{
    const weir_opdef *def;
    if (!weir_capi_end(status, find_def(op_name, &def)))
        return NULL;
    if (input_index < 0 || input_index >= def->in_count) {
        weir_capi_end(status, weir_error(WEIR_INVALID_ARGUMENT,
                                         "input_index out of range for %s: %d, not in [0, %d)",
                                         op_name, input_index, def->in_count));
        return NULL;
    }
    int attr = def->in[input_index].number_attr;
    return attr >= 0 ? def->attrs[attr].name : NULL;
}

int TF_OpIsStateful(const char *op_type, TF_Status *status)
{
    const weir_opdef *def;
    return weir_capi_end(status, find_def(op_type, &def)) && (def->flags & WEIR_STATEFUL) != 0;
}

/* ---- kernels --------------------------------------------------------------------------------- */

static weir_str trim(const char *from, const char *to)
{
    while (from < to && (*from == ' ' || *from == '\n'))
        from++;
    while (from < to && (to[-1] == ' ' || to[-1] == '\n'))
        to--;
    return (weir_str){from, (size_t)(to - from)};
}

static const char *find_or_end(const char *from, const char *end, char ch)
{
    const char *at = memchr(from, ch, (size_t)(end - from));
    return at ? at : end;
}

typedef WEIR_VEC(weir_msg_kernel_def_attr_constraint) constraint_list;

static const weir_msg_attr_value *types_value(const int32_t *types, int count, weir_arena *arena)
{
    int32_t *kept = WEIR_ARENA_ARRAY(arena, int32_t, count);
    memcpy(kept, types, sizeof *kept * (size_t)count);
    weir_msg_attr_value_list_value *list = WEIR_ARENA_NEW(arena, weir_msg_attr_value_list_value);
    list->type = (weir_int32s){kept, (size_t)count};
    weir_msg_attr_value *value = WEIR_ARENA_NEW(arena, weir_msg_attr_value);
    value->which_value = WEIR_FIELD_attr_value_list;
    value->list = list;
    return value;
}

/* One "attr: type, type" of a kernel's row. "*" is no constraint. */
static void add_constraint(constraint_list *out, weir_str text, weir_arena *arena)
{
    enum { MOST = WEIR_DTYPE_COUNT };
    int32_t types[MOST];
    int count = 0;
    const char *end = text.at + text.length;
    const char *colon = find_or_end(text.at, end, ':');
    for (const char *at = colon + 1; at < end && count < MOST;) {
        const char *comma = find_or_end(at, end, ',');
        int type = weir_dtype_parse(trim(at, comma));
        if (type)
            types[count++] = type;
        at = comma + 1;
    }
    if (count)
        weir_vec_push(out, (weir_msg_kernel_def_attr_constraint){
                               .name = trim(text.at, colon),
                               .allowed_values = types_value(types, count, arena)});
}

static void put_kernel(weir_buf *out, const weir_op *op, const weir_kernel *k, const char *device)
{
    WEIR_MESSAGE_ARENA(arena);
    constraint_list constraints = {0};
    const char *at = k->types ? k->types : "";
    for (const char *end = at + strlen(at); at < end;) {
        const char *semicolon = find_or_end(at, end, ';');
        add_constraint(&constraints, (weir_str){at, (size_t)(semicolon - at)}, &arena);
        at = semicolon + 1;
    }
    weir_msg_kernel_def kernel = {.op = weir_str_of(op->name),
                                  .device_type = weir_str_of(device),
                                  .constraint = {constraints.at, constraints.count}};
    weir_msg_kernel_list_write(&(weir_msg_kernel_list){.kernel = {&kernel, 1}}, out);
    weir_vec_fini(&constraints);
}

static void put_device_kernel(weir_buf *out, const weir_op *op)
{
    WEIR_BUF(types);
    if (!weir_device_types(op, &types))
        return;
    weir_buf_addc(&types, 0);
    put_kernel(out, op, &(weir_kernel){.types = types.at}, "GPU");
}

static void put_kernels(weir_buf *out, const weir_op *op)
{
    for (int i = 0; i < WEIR_KERNELS_MAX; i++)
        if (op->kernels[i].devices & WEIR_CPU)
            put_kernel(out, op, &op->kernels[i], "CPU");
    put_device_kernel(out, op);
    for (const weir_added_kernel *added = weir_kernels_added(); added; added = added->next)
        if (strcmp(added->op, op->name) == 0 && added->kernel.devices)
            put_kernel(out, op, &added->kernel, "CPU");
}

TF_Buffer *TF_GetAllRegisteredKernels(TF_Status *status)
{
    const weir_registry *registry = weir_catalogue();
    weir_buf bytes = {0};
    for (size_t i = 0; i < weir_registry_count(registry); i++)
        put_kernels(&bytes, weir_registry_at(registry, i));
    weir_capi_end(status, WEIR_OK);
    return weir_capi_buffer(&bytes);
}

TF_Buffer *TF_GetRegisteredKernelsForOp(const char *name, TF_Status *status)
{
    const weir_op *op = weir_registry_find(weir_catalogue(), weir_str_of(name));
    weir_buf bytes = {0};
    if (op)
        put_kernels(&bytes, op);
    weir_capi_end(status, WEIR_OK);
    return weir_capi_buffer(&bytes);
}

void TF_RegisterLogListener(void (*listener)(const char *))
{
    weir_log_listen(listener);
}
