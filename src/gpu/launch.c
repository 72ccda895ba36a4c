/* gpu/launch.c - compiles kernels on first launch; launches, products, convolutions.
 */
#include <stdio.h>

#include "base/mem.h"
#include "gpu/record_impl.h"
#include "gpu/times.h"

enum { GROUPS_A_UNIT = 32 }; /* maximum groups per launch for each multiprocessor */

static void add_text(const weir_gpu_which *which, weir_buf *text)
{
    if (which->narrow)
        weir_buf_adds(text, "#define INDEX i32\n");
    if (which->quad > 1)
        weir_buf_addf(text, "#define QUAD %d\n", which->quad);
    switch (which->text) {
    case WEIR_GPU_IN_FAMILY:
        weir_gpu_text((weir_gpu_family)which->family, which->op, which->elem, text);
        break;
    case WEIR_GPU_IN_LAYERS:
        weir_gpu_text_layers(which->elem, text);
        break;
    case WEIR_GPU_IN_CAST:
        weir_gpu_text_cast((weir_elem)which->op, which->elem, text);
        break;
    case WEIR_GPU_IN_RULE:
        weir_gpu_text_rule(which->op, which->elem,
                           which->family ? (weir_elem)(which->family - 1) : which->elem, text);
        break;
    case WEIR_GPU_IN_CHANNELS:
        weir_gpu_text_channels(which->elem, text);
        break;
    case WEIR_GPU_IN_PROGRAM:
        weir_gpu_text_program(which->program, which->family, which->op, which->elem, text);
        break;
    case WEIR_GPU_IN_CELL:
        weir_gpu_text_cell(which->program, which->family, which->op, which->elem, text);
        break;
    case WEIR_GPU_IN_PIECES:
        weir_gpu_text_pieces(which->op, which->elem, text);
        break;
    case WEIR_GPU_IN_CHAIN:
        weir_gpu_text_chain(which->program, which->elem, text);
        break;
    }
}

static weir_status get_module(weir_gpu_unit *unit, const weir_gpu_which *which, weir_str key,
                              weir_gpu_module **out_module) WEIR_REQUIRES(unit->lock)
{
    *out_module = weir_map_get(&unit->modules, key);
    if (*out_module)
        return WEIR_OK;
    WEIR_BUF(text);
    add_text(which, &text);
    WEIR_TRY(unit->driver->compile(unit->device, text.at, out_module));
    weir_map_put(&unit->modules, key, *out_module);
    return WEIR_OK;
}

static int numbers_of(const weir_gpu_which *which)
{
    int each = which->text == WEIR_GPU_IN_CELL    ? WEIR_CELL_NUMBERS
               : which->text == WEIR_GPU_IN_CHAIN ? 1
                                                  : 4;
    return which->family * each;
}

weir_status weir_gpu_get_kernel(weir_gpu_unit *unit, const weir_gpu_which *which,
                                weir_gpu_kernel **out_kernel)
{
    char key[160];
    int module = snprintf(key, sizeof key, "%d.%d.%d.%d.%d.%d", (int)which->text, which->family,
                          which->op, (int)which->elem, which->narrow, which->quad);
    if (which->program)
        module += snprintf(key + module, sizeof key - (size_t)module, ".%016llx",
                           (unsigned long long)weir_hash_bytes(
                               which->program, sizeof(int64_t) * (size_t)numbers_of(which), 0));
    int length = module + snprintf(key + module, sizeof key - (size_t)module, "/%s", which->kernel);
    weir_str whole = {key, (size_t)length}, first = {key, (size_t)module};
    *out_kernel = weir_map_get(&unit->kernels, whole);
    if (*out_kernel)
        return WEIR_OK;
    weir_gpu_module *made;
    WEIR_TRY_NOTE(get_module(unit, which, first, &made), " for kernel '%s' of %s", which->kernel,
                  unit->info.name);
    WEIR_TRY(unit->driver->find(made, which->kernel, out_kernel));
    weir_map_put(&unit->kernels, whole, *out_kernel);
    return WEIR_OK;
}

weir_status weir_gpu_unit_launch(weir_gpu_unit *unit, const weir_gpu_which *which, int64_t items,
                                 const weir_gpu_arg *args, int count)
{
    int64_t groups = (items + WEIR_GPU_LANES - 1) / WEIR_GPU_LANES;
    int64_t most = unit->info.units * GROUPS_A_UNIT;
    if (items <= 0)
        return WEIR_OK;
    groups = groups > most ? most : groups;
    groups = groups < 1 ? 1 : groups;
    weir_gpu_kernel *kernel;
    weir_mutex_lock(&unit->lock);
    weir_status status = weir_gpu_get_kernel(unit, which, &kernel);
    bool timed = weir_gpu_timing_begin(unit);
    if (!status)
        status = unit->driver->launch(unit->device, kernel, groups, args, count);
    if (!status)
        weir_gpu_record(unit, &(weir_gpu_command){.kind = WEIR_GPU_LAUNCH,
                                                  .launch = {kernel, groups, args, count, *which}});
    unit->launches++;
    if (timed)
        weir_gpu_timing_end(unit, which->kernel);
    weir_mutex_unlock(&unit->lock);
    return status
               ? weir_status_note(status, " in kernel '%s' on %s", which->kernel, unit->info.name)
               : WEIR_OK;
}

static weir_status own_product(weir_gpu_unit *unit, const weir_gpu_product *p)
{
    int64_t a_row = p->a_transposed ? 1 : p->k, a_column = p->a_transposed ? p->m : 1;
    int64_t b_row = p->b_transposed ? 1 : p->n, b_column = p->b_transposed ? p->k : 1;
    int64_t tiles = (p->m + 15) / 16 * ((p->n + 15) / 16) * p->batch;
    weir_gpu_arg args[] = {
        WEIR_GPU_AT(p->a),         WEIR_GPU_AT(p->b),        WEIR_GPU_AT(p->c),
        WEIR_GPU_VALUE(p->m),      WEIR_GPU_VALUE(p->n),     WEIR_GPU_VALUE(p->k),
        WEIR_GPU_VALUE(p->batch),  WEIR_GPU_VALUE(a_row),    WEIR_GPU_VALUE(a_column),
        WEIR_GPU_VALUE(b_row),     WEIR_GPU_VALUE(b_column), WEIR_GPU_VALUE(p->a_step),
        WEIR_GPU_VALUE(p->b_step), WEIR_GPU_VALUE(p->c_step)};
    weir_gpu_which which = {
        .text = WEIR_GPU_IN_LAYERS, .elem = (weir_elem)p->elem, .kernel = "product"};
    return weir_gpu_unit_launch(unit, &which, tiles * WEIR_GPU_LANES, args, 14);
}

weir_status weir_gpu_unit_product(weir_gpu_unit *unit, const weir_gpu_product *product)
{
    if (!product->m || !product->n || !product->batch)
        return WEIR_OK;
    if (!unit->driver->product || !product->k)
        return product->bias ? weir_error(WEIR_UNIMPLEMENTED, "a product with a bias")
                             : own_product(unit, product);
    weir_mutex_lock(&unit->lock);
    bool timed = weir_gpu_timing_begin(unit);
    weir_status status = unit->driver->product(unit->device, product);
    if (timed)
        weir_gpu_timing_end(unit, "product");
    if (!status)
        weir_gpu_record(unit, &(weir_gpu_command){.kind = WEIR_GPU_MULTIPLY, .product = *product});
    weir_mutex_unlock(&unit->lock);
    if (weir_status_code(status) != WEIR_UNIMPLEMENTED || product->bias)
        return status;
    weir_status_free(status);
    return own_product(unit, product);
}

static const char *name_convolution(const weir_gpu_convolution *c, char *text, size_t room)
{
    static const char *const passes[] = {"convolution", "gradient by input", "gradient by filter"};
    snprintf(text, room, "%s %lldx%lldx%lld %lldx%lld to %lld", passes[c->pass],
             (long long)c->in[0], (long long)c->in[1], (long long)c->channels,
             (long long)c->taps[0], (long long)c->taps[1], (long long)c->out_c);
    return text;
}

weir_status weir_gpu_unit_convolve(weir_gpu_unit *unit, const weir_gpu_convolution *convolution)
{
    if (!unit->driver->convolve)
        return weir_error(WEIR_UNIMPLEMENTED, "%s has no library of convolutions",
                          unit->driver->name);
    char name[96];
    weir_mutex_lock(&unit->lock);
    bool timed = weir_gpu_timing_begin(unit);
    weir_status status = unit->driver->convolve(unit->device, convolution);
    if (timed)
        weir_gpu_timing_end(unit, name_convolution(convolution, name, sizeof name));
    if (!status)
        weir_gpu_record(
            unit, &(weir_gpu_command){.kind = WEIR_GPU_CONVOLVE, .convolution = *convolution});
    weir_mutex_unlock(&unit->lock);
    return status;
}
