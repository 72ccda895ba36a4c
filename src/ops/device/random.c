/* ops/device/random.c - uniform random numbers: the same bits as the processor's. */
#include "ops/device/device_impl.h"
#include "ops/random/generator.h"

weir_status weir_device_uniform(weir_call *call)
{
    const weir_tensor *y = weir_out(call, 0);
    int64_t count = weir_tensor_count(y);
    weir_philox gen = weir_generator_take(call, (uint64_t)count * WEIR_PHILOX_RESERVE);
    uint64_t key = gen.key[0] | (uint64_t)gen.key[1] << 32;
    uint64_t low = gen.counter[0] | (uint64_t)gen.counter[1] << 32;
    uint64_t high = gen.counter[2] | (uint64_t)gen.counter[3] << 32;
    weir_gpu_arg args[] = {AT(y), VALUE(count), VALUE(key), VALUE(low), VALUE(high)};
    weir_gpu_which which = {
        .family = WEIR_GPU_RANDOM, .elem = weir_elem_of(y->dtype), .kernel = "random_uniform"};
    return weir_gpu_unit_launch(weir_unit_of(call), &which, count, args, 5);
}
