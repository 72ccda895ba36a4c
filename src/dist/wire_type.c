/* dist/wire_type.c - 16-bit floats between tasks. */
#include "dist/wire_type.h"

#include <stdatomic.h>

#include "base/env.h"
#include "base/log.h"
#include "math/cast/cast.h"
#include "net/channel.h"

enum { LARGE = 16 << 10, UNSET = -1 }; /* minimum size of a narrowed value in bytes */

static const char url[] = "weir.WireType";

static const struct {
    weir_dtype type;
    const char *name;
} types[] = {
    {WEIR_FLOAT, "float32"},
    {WEIR_BFLOAT16, "bfloat16"},
    {WEIR_HALF, "float16"},
};
enum { TYPES = sizeof types / sizeof *types };

static atomic_int chosen = UNSET;

static int find_name(weir_str name)
{
    for (int i = 0; i < TYPES; i++)
        if (weir_str_is(name, types[i].name))
            return i;
    return UNSET;
}

static weir_elem elem_of(weir_dtype type)
{
    return type == WEIR_HALF ? WEIR_E_f16 : WEIR_E_bf16;
}

/* ---- requests ---------------------------------------------------------------------------------
 */

static int from_environment(void)
{
    const char *name = weir_env_get()->wire_dtype;
    int found = name ? find_name(weir_str_of(name)) : 0;
    if (found != UNSET)
        return found;
    weir_log(WEIR_LOG_WARNING,
             "WEIR_WIRE_DTYPE is float32, bfloat16 or float16, not '%s': values stay as they are",
             name);
    return 0;
}

static int choice(void)
{
    int known = atomic_load_explicit(&chosen, memory_order_relaxed);
    if (known == UNSET) {
        known = from_environment();
        atomic_store(&chosen, known);
    }
    return known;
}

weir_dtype weir_wire_type(void)
{
    return types[choice()].type;
}

const char *weir_wire_type_name(void)
{
    return types[choice()].name;
}

void weir_wire_type_announce(void)
{
    weir_stream_accept(weir_wire_type() == WEIR_FLOAT ? SIZE_MAX : LARGE);
}

weir_status weir_wire_type_set(const char *name)
{
    int found = find_name(weir_str_of(name));
    if (found == UNSET)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "floats travel as float32, bfloat16 or float16, not '%s'", name);
    atomic_store(&chosen, found);
    weir_wire_type_announce();
    return WEIR_OK;
}

weir_msg_any weir_wire_options_put(const weir_wire_options *options, weir_buf *room)
{
    for (int i = 0; i < TYPES; i++)
        if (types[i].type == options->type)
            weir_buf_adds(room, types[i].name);
    if (options->tags)
        weir_buf_adds(room, options->same ? " =" : " ");
    weir_buf_add(room, options->tag.at, options->tag.length);
    return (weir_msg_any){.type_url = weir_str_of(url), .value = weir_view(room)};
}

weir_wire_options weir_wire_options_get(const weir_msg_any *from)
{
    weir_wire_options options = {.type = WEIR_FLOAT};
    if (!from || !weir_str_is(from->type_url, url))
        return options;
    const char *at = from->value.at, *end = at + from->value.length;
    const char *space = from->value.length ? memchr(at, ' ', from->value.length) : NULL;
    int found = find_name((weir_str){at, (size_t)((space ? space : end) - at)});
    options.type = types[found == UNSET ? 0 : found].type;
    options.tags = space != NULL;
    at = space ? space + 1 : end;
    options.same = at < end && *at == '=';
    at += options.same;
    options.tag = (weir_str){at, (size_t)(end - at)};
    return options;
}

/* ---- values -----------------------------------------------------------------------------------
 */

bool weir_wire_type_suits(weir_dtype type, const weir_tensor *tensor)
{
    return type != WEIR_FLOAT && tensor->dtype == WEIR_FLOAT && weir_tensor_bytes(tensor) > LARGE;
}

weir_status weir_wire_type_narrow(weir_dtype type, const weir_tensor *tensor, weir_tensor *out)
{
    WEIR_TRY(weir_tensor_alloc(type, &tensor->shape, out));
    weir_floats_to_halves(elem_of(type), weir_tensor_count(tensor), tensor->data, out->data);
    return WEIR_OK;
}

weir_status weir_wire_type_widen(const weir_tensor *tensor, weir_tensor *out)
{
    if (tensor->dtype != WEIR_BFLOAT16 && tensor->dtype != WEIR_HALF)
        return weir_error(WEIR_INTERNAL, "a value of type %s came in place of 16-bit floats",
                          weir_dtype_name(tensor->dtype));
    WEIR_TRY(weir_tensor_alloc(WEIR_FLOAT, &tensor->shape, out));
    weir_halves_to_floats(elem_of(tensor->dtype), weir_tensor_count(tensor), tensor->data,
                          out->data);
    return WEIR_OK;
}
