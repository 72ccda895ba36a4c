/* native/attrs.c - implements attrs and outputs for weir/ops.h. */
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "weir/graph.h"
#include "wire/messages.h"

void weir_attr_string(TF_OperationDescription *description, const char *attr, const char *value)
{
    TF_SetAttrString(description, attr, value, strlen(value));
}

void weir_attr_strings(TF_OperationDescription *description, const char *attr,
                       const char *const *values, int count)
{
    size_t *lengths = WEIR_NEW_ARRAY(size_t, count);
    for (int i = 0; i < count; i++)
        lengths[i] = strlen(values[i]);
    TF_SetAttrStringList(description, attr, (const void *const *)values, lengths, count);
    weir_free(lengths);
}

void weir_attr_func(TF_OperationDescription *description, const char *attr, const char *function)
{
    TF_SetAttrFuncName(description, attr, function, strlen(function));
}

/* The C API has no call for a list of functions: it is passed as a serialised AttrValue. */
void weir_attr_funcs(weir_builder *builder, TF_OperationDescription *description, const char *attr,
                     const char *const *functions, int count)
{
    WEIR_MESSAGE_ARENA(arena);
    WEIR_BUF(bytes);
    weir_msg_name_attr_list *names = WEIR_ARENA_ARRAY(&arena, weir_msg_name_attr_list, count);
    for (int i = 0; i < count; i++)
        names[i].name = weir_str_of(functions[i]);
    weir_msg_attr_value_list_value list = {.func = {names, (size_t)count}};
    weir_msg_attr_value_write(
        &(weir_msg_attr_value){.which_value = WEIR_FIELD_attr_value_list, .list = &list}, &bytes);
    TF_Status *status = TF_NewStatus();
    TF_SetAttrValueProto(description, attr, bytes.at, bytes.length, status);
    weir_build_fail(builder, TF_GetCode(status), TF_Message(status));
    TF_DeleteStatus(status);
}

void weir_attr_shape(TF_OperationDescription *description, const char *attr, const weir_dims *shape)
{
    TF_SetAttrShape(description, attr, shape->dims, shape->rank);
}

void weir_attr_shapes(TF_OperationDescription *description, const char *attr,
                      const weir_dims *shapes, int count)
{
    const int64_t **dims = WEIR_NEW_ARRAY(const int64_t *, count);
    int *ranks = WEIR_NEW_ARRAY(int, count);
    for (int i = 0; i < count; i++) {
        dims[i] = shapes[i].dims;
        ranks[i] = shapes[i].rank;
    }
    TF_SetAttrShapeList(description, attr, dims, ranks, count);
    weir_free(dims);
    weir_free(ranks);
}

void weir_attr_tensor(weir_builder *builder, TF_OperationDescription *description, const char *attr,
                      TF_Tensor *value)
{
    TF_Status *status = TF_NewStatus();
    TF_SetAttrTensor(description, attr, value, status);
    weir_build_fail(builder, TF_GetCode(status), TF_Message(status));
    TF_DeleteStatus(status);
}

weir_outputs weir_outputs_of(TF_Operation *oper, const char *name, int first)
{
    if (!oper)
        return (weir_outputs){0};
    TF_Status *ignored = TF_NewStatus();
    int count = TF_OperationOutputListLength(oper, name, ignored);
    TF_DeleteStatus(ignored);
    return (weir_outputs){oper, first, count > 0 ? count : 0};
}
