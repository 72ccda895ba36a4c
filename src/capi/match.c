/* capi/match.c - matches the client's inputs with the arguments of a signature.
 *
 * A graph has flat inputs. Here they are still grouped by the calls that added them, so that list
 * lengths and unset types can be inferred, and errors name the argument.
 */
#include "capi/build_impl.h"

static weir_status check_ref(const weir_argdef *arg, int type)
{
    if (arg->is_ref && !weir_dtype_is_ref(type))
        return weir_error(WEIR_INVALID_ARGUMENT, "Input '%s' passed %s expected ref type",
                          arg->name, weir_dtype_name(type));
    return WEIR_OK;
}

static weir_status check_type(const weir_argdef *arg, int type)
{
    if (arg->dtype && weir_dtype_base(type) != weir_dtype_base(arg->dtype))
        return weir_error(WEIR_INVALID_ARGUMENT, "Input '%s' passed %s expected %s", arg->name,
                          weir_dtype_name(type), weir_dtype_name(arg->dtype));
    return check_ref(arg, type);
}

static weir_status match_types(weir_attr_set *set, const weir_opdef *def, const weir_argdef *arg,
                               const int *types, int count)
{
    for (int i = 0; i < count; i++) {
        WEIR_TRY(check_type(arg, types[i]));
        weir_attr type = {.kind = WEIR_ATTR_TYPE, .type = weir_dtype_base(types[i])};
        if (arg->type_attr >= 0)
            weir_attr_set_follow(set, def->attrs[arg->type_attr].name, &type);
    }
    return WEIR_OK;
}

static weir_status match_list(weir_attr_set *set, const weir_opdef *def, const weir_argdef *arg,
                              const int *types, int count)
{
    if (arg->number_attr >= 0) {
        weir_attr number = {.kind = WEIR_ATTR_INT, .i = count};
        weir_attr_set_follow(set, def->attrs[arg->number_attr].name, &number);
        return match_types(set, def, arg, types, count);
    }
    WEIR_FREED int32_t *base = WEIR_NEW_ARRAY(int32_t, count);
    for (int i = 0; i < count; i++)
        base[i] = weir_dtype_base(types[i]);
    weir_attr list = {.kind = WEIR_ATTR_TYPE, .is_list = true, .count = count, .types = base};
    weir_attr_set_follow(set, def->attrs[arg->type_list_attr].name, &list);
    return WEIR_OK;
}

static weir_status match_one(weir_attr_set *set, const weir_opdef *def, const weir_argdef *arg,
                             const weir_input_group *group, const int *types)
{
    bool wants_list = arg->number_attr >= 0 || arg->type_list_attr >= 0;
    if (wants_list && !group->is_list)
        return weir_error(WEIR_INVALID_ARGUMENT, "Single tensor passed to '%s', expected list",
                          arg->name);
    if (!wants_list && group->is_list)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "List provided to input '%s' when single Tensor expected", arg->name);
    return wants_list ? match_list(set, def, arg, types + group->start, group->count)
                      : match_types(set, def, arg, types + group->start, group->count);
}

weir_status weir_match_inputs(weir_attr_set *set, const weir_opdef *def,
                              const weir_input_group *groups, int count, const int *types)
{
    if (count > def->in_count)
        return weir_error(WEIR_INVALID_ARGUMENT, "More Input() calls than the %d input_args",
                          def->in_count);
    for (int i = 0; i < count; i++)
        WEIR_TRY(match_one(set, def, &def->in[i], &groups[i], types));
    if (count < def->in_count)
        return weir_error(WEIR_INVALID_ARGUMENT, "%d inputs specified of %d inputs in Op", count,
                          def->in_count);
    return WEIR_OK;
}
