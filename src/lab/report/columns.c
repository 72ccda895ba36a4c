/* lab/report/columns.c - descriptions of report columns, by title. */
#include <string.h>

#include "lab/report/report_impl.h"

static const struct {
    const char *title, *about;
} known[] = {
    {"%, about", "the spread of the sample, as a share of the figure"},
    {"AutoEncoder", "the ratio for this model, small and large"},
    {"CPU", "CPU time of all tasks of the row"},
    {"CPU a step", "CPU time of one step, over all tasks"},
    {"CPU load", "load average of the machine: processes running or ready to run"},
    {"CPU of servers", "CPU time of the tasks' servers"},
    {"GB/s", "bytes read and written per second"},
    {"GFLOP/s", "floating-point operations per second"},
    {"Spatial Transformer", "the ratio for this model, small and large"},
    {"accuracy", "share of test examples classified correctly"},
    {"arithmetic", "multiply-adds that a step needs, divided by its time"},
    {"batch", "examples in one step of one worker"},
    {"between processors", "time for a value to pass from one processor to another"},
    {"by TensorFlow's", "Weir's global steps per second divided by TensorFlow's"},
    {"chief CPU", "CPU time of the first worker divided by another worker's"},
    {"data", "training data"},
    {"disk read", "bytes read from the machine's disks"},
    {"disk written", "bytes written to disks"},
    {"error", "difference between the predicted and the measured step"},
    {"examples", "examples per second of all workers"},
    {"examples/s", "examples per second of all workers"},
    {"gain", "time saved relative to the row it is compared with"},
    {"gain for gradients", "the same, for steps that compute gradients"},
    {"gradients", "number of workers' gradients in one update"},
    {"image side", "width and height of the images"},
    {"images", "images per second of all workers"},
    {"instructions", "the instruction set used"},
    {"layout", "which tasks share a machine: P a parameter server, W a worker"},
    {"load", "load of the machine"},
    {"loopback", "bytes exchanged between tasks on one machine"},
    {"loss", "mean loss of the last steps"},
    {"machine", "the host"},
    {"machines", "the hosts involved"},
    {"memory", "peak resident memory"},
    {"memory of servers", "resident memory of the tasks' servers together"},
    {"memory rate", "bytes read and written per second"},
    {"mode", "how workers' gradients are applied"},
    {"model", "the built-in model"},
    {"moved", "bytes exchanged between the tasks per second"},
    {"multiply and add", "multiply-adds, counted as two operations each"},
    {"net in", "bytes received over the machine's network"},
    {"net out", "bytes sent over the machine's network"},
    {"network", "bytes received by all machines"},
    {"node 0 sends", "bytes sent by the first machine divided by the second's"},
    {"of FMA peak", "the arithmetic rate, as a share of this machine's measured peak"},
    {"of full", "words per second divided by the full softmax's, with the same tasks"},
    {"of limit", "the shortest possible step time on this machine, as a share of the step time"},
    {"of the bound",
     "the larger of the times of link and processors, as a share of the step's time"},
    {"packets in", "packets received by the machine"},
    {"packets out", "packets sent by the machine"},
    {"parameters", "number of elements of the model's variables"},
    {"peak in", "bytes received by the machines in the busiest tenth of a second"},
    {"peer", "the library or process measured"},
    {"predicted", "step time according to the fitted model"},
    {"program CPU", "CPU time of the task's program"},
    {"program memory", "peak resident memory of the task's program"},
    {"ps", "parameter servers"},
    {"ps CPU", "CPU time of the parameter servers"},
    {"ps memory", "resident memory of the parameter servers together"},
    {"published", "the published finding"},
    {"quartiles", "a quarter of the steps were faster, a quarter slower"},
    {"rate", "examples per second of all workers"},
    {"ratio", "the quotient of two figures"},
    {"received", "bytes received by the task's server"},
    {"remark", "a note on the row"},
    {"run", "name of the row, also in the figures"},
    {"s/batch", "seconds per batch of one worker"},
    {"sent", "bytes sent by the task's server"},
    {"server CPU", "CPU time of the task's server"},
    {"server memory", "peak resident memory of the task's server"},
    {"size", "size of the model or the data"},
    {"softmax", "full: over all words; sampled: over a sample"},
    {"speed-up", "time of the first row divided by this row's"},
    {"start", "time from the start of the processes to the first step"},
    {"step", "median time of a worker's step"},
    {"steps", "global steps: total, or per second"},
    {"straggler", "delay of one worker before each step"},
    {"task", "job and index in the cluster"},
    {"tasks", "number of tasks"},
    {"test accuracy", "share of test examples classified correctly"},
    {"threads", "number of compute threads"},
    {"threads of each", "compute threads of each worker"},
    {"time", "time from the first step to the last, without tests"},
    {"time with steps", "seconds during which a step ran"},
    {"times AlexNet's", "step time divided by AlexNet's"},
    {"traffic", "bytes exchanged between the tasks per second"},
    {"traffic a step", "bytes exchanged between the tasks per step"},
    {"transport", "transport of tensors between tasks"},
    {"verdict", "whether the difference exceeds chance"},
    {"waiting", "share of the step time without computation"},
    {"whole memory", "peak resident memory of all tasks together"},
    {"wire a step", "time that the busiest link needs for a global step"},
    {"wire hidden", "share of this time that passed while the busiest processors computed"},
    {"wire in", "bytes received over the machine's network"},
    {"wire out", "bytes sent over the machine's network"},
    {"words", "words per second of all workers"},
    {"worker CPU", "CPU time of the workers"},
    {"workers", "tasks that compute gradients"},
    {"workers' CPU", "CPU time of the workers"},
    {"workload", "the workload run"},
};

static const column_kind kinds[WEIR_COLUMN_KINDS] = {
    [WEIR_COLUMN_TEXT] = {"text", "t", "", NULL, NULL},
    [WEIR_COLUMN_NUMBER] = {"number", "n", "", NULL, NULL},
    [WEIR_COLUMN_PUBLISHED] = {"published", "p", "published", "slanted, shaded",
                               "figures published for distributed TensorFlow, on other "
                               "machines: compare trends, not absolute values"},
    [WEIR_COLUMN_TENSORFLOW] = {"tensorflow", "f", "TensorFlow", "shaded, TensorFlow",
                                "TensorFlow's servers and workers, run here on the same machines "
                                "right after Weir's, with the same graph"},
};

const column_kind *report_column_kind(weir_column_kind kind)
{
    return &kinds[kind];
}

const char *report_column_about(const char *title)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].title, title) == 0)
            return known[i].about;
    return NULL;
}
