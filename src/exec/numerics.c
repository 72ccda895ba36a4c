/* exec/numerics.c - elements whose exponent is all ones, and who is told of the first. */
#include "exec/numerics.h"

#include <inttypes.h>
#include <stdatomic.h>

#include "base/env.h"
#include "base/log.h"
#include "exec/step_impl.h"
#include "observe/marks.h"

static atomic_int wanted = -1; /* not said: as the environment has it */
static atomic_bool reported;

void weir_numerics_check(bool on)
{
    atomic_store(&wanted, on);
    atomic_store(&reported, false);
}

bool weir_numerics_checked(void)
{
    int on = atomic_load_explicit(&wanted, memory_order_relaxed);
    return on < 0 ? weir_env_get()->check_numerics : on;
}

/* ---- elements -----------------------------------------------------------------------------------
 */

static bool finite_32(const uint32_t *at, int64_t count)
{
    uint32_t bad = 0;
    for (int64_t i = 0; i < count; i++)
        bad |= (at[i] & 0x7f800000u) == 0x7f800000u;
    return !bad;
}

static bool finite_64(const uint64_t *at, int64_t count)
{
    uint64_t bad = 0;
    for (int64_t i = 0; i < count; i++)
        bad |= (at[i] & 0x7ff0000000000000u) == 0x7ff0000000000000u;
    return !bad;
}

static bool finite_16(const uint16_t *at, int64_t count, uint16_t exponent)
{
    uint16_t bad = 0;
    for (int64_t i = 0; i < count; i++)
        bad |= (at[i] & exponent) == exponent;
    return !bad;
}

bool weir_tensor_finite(const weir_tensor *tensor)
{
    int64_t count = tensor->buffer ? weir_tensor_count(tensor) : 0;
    if (!count)
        return true;
    if (tensor->dtype == WEIR_FLOAT)
        return finite_32(tensor->data, count);
    if (tensor->dtype == WEIR_DOUBLE)
        return finite_64(tensor->data, count);
    if (tensor->dtype == WEIR_HALF)
        return finite_16(tensor->data, count, 0x7c00);
    return tensor->dtype != WEIR_BFLOAT16 || finite_16(tensor->data, count, 0x7f80);
}

/* ---- steps --------------------------------------------------------------------------------------
 */

static bool all_finite(const weir_value *values, int count)
{
    for (int i = 0; i < count; i++)
        if (!weir_tensor_finite(&values[i].tensor))
            return false;
    return true;
}

void weir_step_check_brought(step *st, const weir_value *values, int count)
{
    if (!atomic_load_explicit(&st->tainted, memory_order_relaxed) && !all_finite(values, count))
        atomic_store(&st->tainted, true);
}

/* A node runs after those it reads from, so the first that writes one made it, unless one came from
 * outside in this step. */
void weir_step_check_made(step *st, const plan_node *node, const weir_value *in,
                          const weir_value *out)
{
    if (atomic_load_explicit(&reported, memory_order_relaxed) ||
        atomic_load_explicit(&st->tainted, memory_order_relaxed) ||
        all_finite(out, node->out_count))
        return;
    if (!all_finite(in, node->in_count)) {
        atomic_store(&st->tainted, true);
        return;
    }
    if (atomic_exchange(&reported, true))
        return;
    weir_mark_add("numerics", "node %s (%s) on %s made a NaN or an infinity in step %" PRId64,
                  node->site->name, node->site->def->name, node->site->device, st->run->step_id);
    weir_log(WEIR_LOG_WARNING,
             "check-numerics: node %s (%s) on %s was the first to make a NaN or an infinity, in "
             "step %" PRId64,
             node->site->name, node->site->def->name, node->site->device, st->run->step_id);
}
