/* ops/summary/histogram_summary.c - HistogramSummary: the distribution of values. */
#include <float.h>
#include <math.h>
#include <pthread.h>

#include "ops/common/number_at.h"
#include "ops/summary/summary.h"

/* Bucket limits grow by a tenth from 1e-12 to 1e20, mirrored around 0 and closed at the ends. */
enum { SIDE = 775, LIMITS = 2 * SIDE + 1 };
static double limits[LIMITS];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_limits(void)
{
    double value = 1e-12;
    limits[SIDE] = 0;
    for (int i = 1; i < SIDE; i++, value *= 1.1) {
        limits[SIDE + i] = value;
        limits[SIDE - i] = -value;
    }
    limits[0] = -DBL_MAX;
    limits[LIMITS - 1] = DBL_MAX;
}

typedef struct histogram {
    double min, max, num, sum, sum_squares;
    double buckets[LIMITS];
} histogram;

/* The first bucket whose limit is above |value|. */
static int bucket_of(double value)
{
    int low = 0, high = LIMITS - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (limits[middle] > value)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void add(histogram *histogram, double value)
{
    histogram->buckets[bucket_of(value)]++;
    histogram->min = value < histogram->min ? value : histogram->min;
    histogram->max = value > histogram->max ? value : histogram->max;
    histogram->num++;
    histogram->sum += value;
    histogram->sum_squares += value * value;
}

/* A run of empty buckets is written as one, with the last limit of the run. */
static int squeeze(const histogram *histogram, double *out_limits, double *out_counts)
{
    int count = 0;
    for (int i = 0; i < LIMITS; i++) {
        bool joins = count && out_counts[count - 1] == 0 && histogram->buckets[i] == 0;
        count -= joins;
        out_limits[count] = limits[i];
        out_counts[count++] = histogram->buckets[i];
    }
    return count;
}

static void add_value(weir_str tag, const histogram *histogram, weir_buf *summary)
{
    double some_limits[LIMITS], counts[LIMITS];
    size_t count = (size_t)squeeze(histogram, some_limits, counts);
    weir_msg_histogram_proto histo = {.min = histogram->min,
                                      .max = histogram->max,
                                      .num = histogram->num,
                                      .sum = histogram->sum,
                                      .sum_squares = histogram->sum_squares,
                                      .bucket_limit = {some_limits, count},
                                      .bucket = {counts, count}};
    weir_summary_add(
        summary, &(weir_msg_summary_value){
                     .tag = tag, .which_value = WEIR_FIELD_summary_value_histo, .histo = &histo});
}

static weir_status fill(const char *node, const weir_tensor *values, histogram *histogram)
{
    for (int64_t i = 0; i < weir_tensor_count(values); i++) {
        double value = weir_number_at(values, i);
        if (!isfinite(value))
            return weir_error(WEIR_INVALID_ARGUMENT, "%s for: %s",
                              isnan(value) ? "Nan in summary histogram" : "Infinity in Histogram",
                              node);
        add(histogram, value);
    }
    return WEIR_OK;
}

weir_status weir_summary_add_histogram(const char *node, weir_str tag, const weir_tensor *values,
                                       weir_buf *summary)
{
    pthread_once(&once, make_limits);
    WEIR_FREED histogram *new_histogram = WEIR_NEW(histogram);
    new_histogram->min = DBL_MAX;
    new_histogram->max = -DBL_MAX;
    weir_status status = fill(node, values, new_histogram);
    if (!status)
        add_value(tag, new_histogram, summary);
    return status;
}

static weir_status histogram_summary(weir_call *call)
{
    if (weir_in(call, 0)->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "tags must be scalar");
    weir_buf summary = {0};
    weir_status status = weir_summary_add_histogram(
        call->site->name, weir_str_at(weir_in(call, 0), 0), weir_in(call, 1), &summary);
    weir_str_put_buf(weir_out(call, 0), 0, &summary);
    return status;
}

const weir_op weir_op_histogram_summary = {
    .name = "HistogramSummary",
    .in = "tag: string; values: T",
    .out = "summary: string",
    .attrs = "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, "
             "uint32, uint64} = DT_FLOAT",
    .infer = weir_infer_scalar,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", histogram_summary, WEIR_EXPENSIVE}},
};
