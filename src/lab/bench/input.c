/* lab/bench/input.c - weir bench input: the speed of the input pipeline. */
#include "lab/bench/input.h"

#include <stdio.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "command/output.h"
#include "weir/data.h"

typedef struct input_args {
    const char *dims;
    long batch, threads;
    double seconds;
    bool augment;
    int format;
} input_args;

/* A measurement. */
typedef struct rate {
    int64_t examples, batches;
    double seconds, cpu_seconds, slowest; /* slowest: the longest wait for a batch */
} rate;

/* Parses "224x224x3"; "" means the source's dims. */
static bool read_dims(const char *text, weir_data_options *options)
{
    for (options->rank = 0; text && *text && options->rank < 4; options->rank++) {
        int used = 0;
        long long dim = 0;
        if (sscanf(text, "%lld%n", &dim, &used) != 1 || dim < 1)
            return false;
        options->dims[options->rank] = dim;
        text += used;
        if (*text == 'x')
            text++;
    }
    return !text || !*text;
}

static double cpu_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

/* Reads batches for |seconds|. */
static rate take(weir_data *data, double seconds, TF_Status *status)
{
    rate rate = {0};
    double cpu = cpu_seconds();
    int64_t start = weir_now_ns(), before = start;
    TF_Tensor *x, *y;
    while (rate.seconds < seconds && weir_data_next(data, &x, &y, status)) {
        int64_t now = weir_now_ns();
        double waited = (double)(now - before) * 1e-9;
        before = now;
        rate.slowest = waited > rate.slowest ? waited : rate.slowest;
        rate.seconds = (double)(now - start) * 1e-9;
        rate.examples += TF_Dim(x, 0);
        rate.batches++;
        TF_DeleteTensor(x);
        TF_DeleteTensor(y);
    }
    rate.cpu_seconds = cpu_seconds() - cpu;
    return rate;
}

static void show(const input_args *args, const char *about, const rate *rate)
{
    weir_output *output = weir_output_begin(args->format);
    weir_output_text(output, "data", about);
    weir_output_int(output, "examples", rate->examples);
    weir_output_int(output, "batches", rate->batches);
    weir_output_real(output, "examples_per_second", (double)rate->examples / rate->seconds);
    weir_output_real(output, "cpu_ms_per_example",
                     rate->cpu_seconds * 1e3 / (double)rate->examples);
    weir_output_real(output, "longest_wait_ms", rate->slowest * 1e3);
    weir_output_end(output);
}

static int run(void *args, int argc, char **argv)
{
    const input_args *input_args = args;
    weir_data_options options = {.source = argv[0],
                                 .split = "all",
                                 .batch = (int)input_args->batch,
                                 .threads = (int)input_args->threads,
                                 .shuffle = true,
                                 .augment = input_args->augment,
                                 .label_type = TF_INT32};
    if (!read_dims(input_args->dims, &options))
        return weir_cli_misuse("bench input", "--dims %s is not like 224x224x3", input_args->dims);
    TF_Status *status = TF_NewStatus();
    weir_data *data = weir_data_open(&options, status);
    rate rate = {0};
    if (data)
        take(data, 0, status); /* the first batch includes the start of threads and libraries */
    if (data && TF_GetCode(status) == TF_OK)
        rate = take(data, input_args->seconds, status);
    bool good = TF_GetCode(status) == TF_OK && rate.examples > 0;
    if (good)
        show(input_args, weir_data_about(data), &rate);
    else
        weir_cli_fail(NULL, "%s", TF_Message(status));
    weir_data_close(data);
    TF_DeleteStatus(status);
    return good ? WEIR_EXIT_OK : WEIR_EXIT_FAILED;
}

static const weir_option options[] = {
#define AT(kind, field) WEIR_##kind(input_args, field)
    {"dims", 0, "HxWxC", "shape of the examples, e.g. 224x224x3 (as in the files)", AT(TEXT, dims)},
    {"batch", 'b', "N", "batch size", AT(NUMBER, batch)},
    {"threads", 'j', "N", "number of threads that prepare batches (chosen to suit the files)",
     AT(NUMBER, threads)},
    {"seconds", 's', "S", "measuring time", AT(REAL, seconds)},
    {"augment", 0, NULL, "augment the examples", AT(FLAG, augment)},
    WEIR_OUTPUT_OPTION(input_args, format),
#undef AT
};

const weir_command bench_command_input = {
    .name = "input",
    .summary = "measure the input pipeline",
    .words = "DATA",
    .least = 1,
    .most = 1,
    .hint = WEIR_HINT_FOLDER,
    .about =
        "Reads, decodes, resizes, shuffles and batches the examples of DATA, as training does, "
        "and discards them: examples per second, CPU time per example, and the longest wait for "
        "a batch. docs/reference/data.md lists the supported kinds of DATA.\n\n"
        "  weir bench input synthetic --dims 224x224x3 --batch 64 --seconds 0.5\n"
        "  weir bench input photos --dims 224x224x3 --batch 64  # needs files of yours",
    WEIR_OPTIONS(options),
    WEIR_ARGS(input_args, .batch = 100, .seconds = 3),
    .run = run,
};
