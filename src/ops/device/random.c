/* ops/device/random.c - uniform random numbers: bit-identical to the CPU's. */
#include "op/recorder.h"
#include "ops/device/device_impl.h"
#include "ops/random/generator.h"

/* A recorded step reads the stream position from device memory. */
static weir_status draw_recorded(weir_call *call, weir_gpu_which *which, int64_t count,
                                 uint64_t blocks)
{
    weir_recorder *recorder = call->run->recorder;
    const void *start;
    WEIR_TRY(recorder->draw(recorder, weir_generator_draw, call->state, blocks, &start));
    weir_gpu_arg args[] = {AT(weir_out(call, 0)), VALUE(count), WEIR_GPU_AT(start)};
    which->kernel = "random_uniform_from";
    return weir_gpu_unit_launch(weir_unit_of(call), which, count, args, 3);
}

weir_status weir_device_uniform(weir_call *call)
{
    const weir_tensor *y = weir_out(call, 0);
    int64_t count = weir_tensor_count(y);
    uint64_t blocks = (uint64_t)count * WEIR_PHILOX_RESERVE, start[3];
    weir_gpu_which which = {
        .family = WEIR_GPU_RANDOM, .elem = weir_elem_of(y->dtype), .kernel = "random_uniform"};
    if (call->run->recorder)
        return draw_recorded(call, &which, count, blocks);
    weir_generator_draw(call->state, blocks, start);
    weir_gpu_arg args[] = {AT(y), VALUE(count), VALUE(start[0]), VALUE(start[1]), VALUE(start[2])};
    return weir_gpu_unit_launch(weir_unit_of(call), &which, count, args, 5);
}
