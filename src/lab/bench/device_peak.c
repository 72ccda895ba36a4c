/* lab/bench/device_peak.c - the rates of a device: a large matrix product, and a large copy. */
#include "lab/bench/device_peak.h"

#include "base/clock.h"
#include "gpu/unit.h"

enum {
    LEAST = 256,
    MOST = 8192,
    PATTERN = 1 << 16,   /* bytes that are not all equal, which fill the operands */
    ENOUGH_NS = 1000000, /* of a product: a larger one is as fast */
    TIMES = 10,
};

typedef struct operands {
    weir_gpu_unit *unit;
    weir_buffer *a, *b, *c;
} operands;

static void give(operands *operands)
{
    weir_buffer_release(operands->a);
    weir_buffer_release(operands->b);
    weir_buffer_release(operands->c);
    operands->a = operands->b = operands->c = NULL;
}

/* Fills with numbers around 1: zeros are multiplied faster. */
static weir_status fill(weir_memory *memory, char *at, size_t bytes, bool narrow)
{
    float numbers[PATTERN / sizeof(float)];
    uint16_t halves[PATTERN / sizeof(uint16_t)];
    uint32_t state = 1;
    for (size_t i = 0; i < PATTERN / sizeof(float); i++) {
        state = state * 1664525u + 1013904223u;
        numbers[i] = (float)(state >> 8) * 0x1p-23f - 1;
        memcpy(&halves[2 * i], &numbers[i], sizeof(float));
        halves[2 * i] = halves[2 * i + 1]; /* the upper half of a float is a bfloat16 */
    }
    size_t done = bytes < PATTERN ? bytes : PATTERN;
    WEIR_TRY(memory->copy_in(memory, at, narrow ? (void *)halves : (void *)numbers, done));
    for (; done < bytes; done *= 2)
        WEIR_TRY(memory->copy(memory, at + done, at, done < bytes - done ? done : bytes - done));
    return WEIR_OK;
}

static weir_status take(operands *operands, size_t bytes, bool narrow)
{
    weir_memory *memory = &operands->unit->memory;
    WEIR_TRY(memory->alloc(memory, bytes, &operands->a));
    WEIR_TRY(memory->alloc(memory, bytes, &operands->b));
    WEIR_TRY(memory->alloc(memory, bytes, &operands->c));
    WEIR_TRY(fill(memory, operands->a->data, bytes, narrow));
    return fill(memory, operands->b->data, bytes, narrow);
}

/* Nanoseconds of one of |times| products, or of copies of |bytes| if |product| is null. */
static weir_status time_work(const operands *operands, const weir_gpu_product *product,
                             size_t bytes, int times, double *out_ns)
{
    weir_memory *memory = &operands->unit->memory;
    WEIR_TRY(weir_gpu_unit_wait(operands->unit));
    int64_t start = weir_now_ns();
    for (int i = 0; i < times; i++)
        WEIR_TRY(product ? weir_gpu_unit_product(operands->unit, product)
                         : memory->copy(memory, operands->c->data, operands->a->data, bytes));
    WEIR_TRY(weir_gpu_unit_wait(operands->unit));
    *out_ns = (double)(weir_now_ns() - start) / times;
    return WEIR_OK;
}

static weir_status measure(operands *operands, int64_t n, bool narrow, device_peak *out)
{
    size_t bytes = (size_t)(n * n) * (narrow ? 2 : 4);
    double ns;
    WEIR_TRY(take(operands, bytes, narrow));
    weir_gpu_product product = {.elem = narrow ? WEIR_E_bf16 : WEIR_E_f32,
                                .m = n,
                                .n = n,
                                .k = n,
                                .batch = 1,
                                .a = operands->a->data,
                                .b = operands->b->data,
                                .c = operands->c->data};
    WEIR_TRY(time_work(operands, &product, 0, 1, &ns)); /* compiles, tunes */
    WEIR_TRY(time_work(operands, &product, 0, 1, &ns));
    if (ns < ENOUGH_NS)
        WEIR_TRY(time_work(operands, &product, 0, TIMES, &ns));
    out->enough = ns >= ENOUGH_NS;
    out->gflops = 2 * (double)n * (double)n * (double)n / ns;
    WEIR_TRY(time_work(operands, NULL, bytes, out->enough ? TIMES : 1, &ns));
    out->gbytes = 2 * (double)bytes / ns;
    return WEIR_OK;
}

weir_status device_peak_measure(weir_gpu_unit *unit, bool narrow, device_peak *out)
{
    weir_status status = WEIR_OK;
    *out = (device_peak){0};
    for (int64_t n = LEAST; n <= MOST && !out->enough && !status; n *= 2) {
        operands operands = {.unit = unit};
        status = measure(&operands, n, narrow, out);
        give(&operands);
    }
    return status;
}
