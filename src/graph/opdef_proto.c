/* graph/opdef_proto.c - conversion of OpDef in both directions. */
#include <stdio.h>

#include "graph/proto.h"
#include "tensor/proto.h"
#include "tensor/values.h"
#include "wire/messages.h"

static const char *const attr_types[] = {
    [WEIR_ATTR_STRING] = "string", [WEIR_ATTR_INT] = "int",   [WEIR_ATTR_FLOAT] = "float",
    [WEIR_ATTR_BOOL] = "bool",     [WEIR_ATTR_TYPE] = "type", [WEIR_ATTR_SHAPE] = "shape",
    [WEIR_ATTR_TENSOR] = "tensor", [WEIR_ATTR_FUNC] = "func"};

/* ---- writing --------------------------------------------------------------------------------- */

/* Writes a tensor default by its values, as in TensorFlow's definitions. */
static void write_default(const weir_attr *value, weir_buf *out)
{
    if (value->kind != WEIR_ATTR_TENSOR || value->is_list) {
        weir_attr_export(value, out);
        return;
    }
    WEIR_MESSAGE_ARENA(arena);
    const weir_tensor *tensor = value->tensor;
    weir_msg_tensor_proto proto = {.dtype = (int32_t)tensor->dtype,
                                   .tensor_shape = weir_shape_to_proto(&tensor->shape, &arena)};
    weir_status_free(weir_values_write(tensor, &arena, &proto)); /* defaults have no variants */
    size_t mark = weir_message_open(out, WEIR_FIELD_attr_value_tensor);
    weir_msg_tensor_proto_write(&proto, out);
    weir_message_close(out, mark);
}

static weir_str attr_name(const weir_opdef *def, int index)
{
    return index < 0 ? (weir_str){0} : weir_str_of(def->attrs[index].name);
}

static weir_msgs_op_def_arg_def args_message(const weir_opdef *def, const weir_argdef *args,
                                             int count, weir_arena *arena)
{
    weir_msg_op_def_arg_def *all = WEIR_ARENA_ARRAY(arena, weir_msg_op_def_arg_def, count);
    for (int i = 0; i < count; i++)
        all[i] = (weir_msg_op_def_arg_def){
            .name = weir_str_of(args[i].name),
            .type = args[i].dtype,
            .type_attr = attr_name(def, args[i].type_attr),
            .number_attr = attr_name(def, args[i].number_attr),
            .type_list_attr = attr_name(def, args[i].type_list_attr),
            .is_ref = args[i].is_ref,
        };
    return (weir_msgs_op_def_arg_def){all, (size_t)count};
}

static void write_attrdef(const weir_attrdef *attr, weir_buf *out)
{
    char type[32];
    snprintf(type, sizeof type, attr->is_list ? "list(%s)" : "%s", attr_types[attr->kind]);
    weir_msg_op_def_attr_def_write(
        &(weir_msg_op_def_attr_def){.name = weir_str_of(attr->name), .type = weir_str_of(type)},
        out);
    if (attr->has_default) {
        size_t mark = weir_message_open(out, WEIR_FIELD_op_def_attr_def_default_value);
        write_default(&attr->otherwise, out);
        weir_message_close(out, mark);
    }
    weir_msg_op_def_attr_def_write(
        &(weir_msg_op_def_attr_def){.has_minimum = attr->has_min,
                                    .minimum = attr->has_min ? attr->min : 0},
        out);
    if (attr->allowed.kind) {
        size_t mark = weir_message_open(out, WEIR_FIELD_op_def_attr_def_allowed_values);
        weir_attr_export(&attr->allowed, out);
        weir_message_close(out, mark);
    }
}

/* Writes the fields after the attrs. */
static void write_rest(const weir_opdef *def, weir_arena *arena, weir_buf *out)
{
    weir_str *outputs = WEIR_ARENA_ARRAY(arena, weir_str, def->control_output_count);
    for (int i = 0; i < def->control_output_count; i++)
        outputs[i] = weir_str_of(def->control_outputs[i]);
    weir_msg_op_deprecation deprecation = {
        .version = def->deprecated_at,
        .explanation = def->deprecation ? weir_str_of(def->deprecation) : (weir_str){0}};
    weir_msg_op_def_write(
        &(weir_msg_op_def){
            .deprecation = def->deprecated_at ? &deprecation : NULL,
            .is_aggregate = def->flags & WEIR_AGGREGATE,
            .is_stateful = def->flags & WEIR_STATEFUL,
            .is_commutative = def->flags & WEIR_COMMUTATIVE,
            .allows_uninitialized_input = def->flags & WEIR_ALLOWS_UNINITIALIZED,
            .control_output = {outputs, (size_t)def->control_output_count},
            .is_distributed_communication = def->flags & WEIR_DISTRIBUTED,
        },
        out);
}

void weir_opdef_export(const weir_opdef *def, weir_buf *out)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_op_def_write(
        &(weir_msg_op_def){.name = weir_str_of(def->name),
                           .input_arg = args_message(def, def->in, def->in_count, &arena),
                           .output_arg = args_message(def, def->out, def->out_count, &arena)},
        out);
    for (int i = 0; i < def->attr_count; i++) {
        size_t mark = weir_message_open(out, WEIR_FIELD_op_def_attr);
        write_attrdef(&def->attrs[i], out);
        weir_message_close(out, mark);
    }
    write_rest(def, &arena, out);
}

/* ---- reading --------------------------------------------------------------------------------- */

static const char *text(weir_arena *arena, weir_str from)
{
    return weir_arena_strndup(arena, from.at, from.length);
}

/* "int" or "list(int)". */
static void read_type(weir_str type, weir_attrdef *out)
{
    if (type.length > 6 && memcmp(type.at, "list(", 5) == 0) {
        out->is_list = true;
        type = (weir_str){type.at + 5, type.length - 6};
    }
    for (int kind = WEIR_ATTR_STRING; kind <= WEIR_ATTR_FUNC; kind++)
        if (weir_str_is(type, attr_types[kind]))
            out->kind = (uint8_t)kind;
}

/* False when absent or invalid. */
static bool read_value(weir_arena *arena, const weir_msg_attr_value *proto, weir_attr *out)
{
    weir_status status = proto ? weir_attr_from_proto(arena, proto, out) : WEIR_OK;
    bool there = proto && !status;
    weir_status_free(status);
    return there;
}

static void read_attrdef(weir_arena *arena, const weir_msg_op_def_attr_def *proto,
                         weir_attrdef *out)
{
    *out = (weir_attrdef){
        .name = text(arena, proto->name), .has_min = proto->has_minimum, .min = proto->minimum};
    read_type(proto->type, out);
    out->has_default = read_value(arena, proto->default_value, &out->otherwise);
    read_value(arena, proto->allowed_values, &out->allowed);
}

/* -1 for an empty name, and for an unknown attr. */
static int16_t attr_index(const weir_opdef *def, weir_str name)
{
    for (int i = 0; name.at && i < def->attr_count; i++)
        if (weir_str_is(name, def->attrs[i].name))
            return (int16_t)i;
    return -1;
}

static weir_status read_arg(weir_arena *arena, const weir_opdef *def,
                            const weir_msg_op_def_arg_def *proto, weir_argdef *out)
{
    *out = (weir_argdef){.name = text(arena, proto->name),
                         .dtype = proto->type,
                         .type_attr = attr_index(def, proto->type_attr),
                         .number_attr = attr_index(def, proto->number_attr),
                         .type_list_attr = attr_index(def, proto->type_list_attr),
                         .is_ref = proto->is_ref};
    if (out->type_attr >= 0 || out->type_list_attr >= 0 ||
        weir_dtype_valid(weir_dtype_base(out->dtype)))
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT, "argument '%s' of '%s' has no type", out->name,
                      def->name);
}

static weir_status read_args(weir_arena *arena, const weir_opdef *def,
                             weir_msgs_op_def_arg_def protos, const weir_argdef **out_args,
                             int *out_count)
{
    weir_argdef *args = WEIR_ARENA_ARRAY(arena, weir_argdef, protos.count);
    for (size_t i = 0; i < protos.count; i++)
        WEIR_TRY(read_arg(arena, def, &protos.at[i], &args[i]));
    *out_args = args;
    *out_count = (int)protos.count;
    return WEIR_OK;
}

static const weir_attrdef *read_attrs(weir_arena *arena, weir_msgs_op_def_attr_def protos)
{
    weir_attrdef *attrs = WEIR_ARENA_ARRAY(arena, weir_attrdef, protos.count);
    for (size_t i = 0; i < protos.count; i++)
        read_attrdef(arena, &protos.at[i], &attrs[i]);
    return attrs;
}

weir_status weir_opdef_from_proto(weir_arena *arena, const weir_msg_op_def *proto,
                                  weir_opdef *out_def)
{
    const char **outputs = WEIR_ARENA_ARRAY(arena, const char *, proto->control_output.count);
    for (size_t i = 0; i < proto->control_output.count; i++)
        outputs[i] = text(arena, proto->control_output.at[i]);
    weir_opdef def = {.name = text(arena, proto->name),
                      .attr_count = (int)proto->attr.count,
                      .attrs = read_attrs(arena, proto->attr),
                      .flags = proto->is_stateful ? WEIR_STATEFUL : 0,
                      .control_outputs = outputs,
                      .control_output_count = (int)proto->control_output.count};
    WEIR_TRY(read_args(arena, &def, proto->input_arg, &def.in, &def.in_count));
    WEIR_TRY(read_args(arena, &def, proto->output_arg, &def.out, &def.out_count));
    *out_def = def;
    return WEIR_OK;
}
