/* lab/report/columns.c - descriptions of report columns, by title. */
#include <string.h>

#include "lab/report/report_impl.h"

static const struct {
    const char *title, *about;
} known[] = {
    {"%, about", "the spread of the sample, as a share of the figure"},
    {"AutoEncoder", "the ratio for this model, small and large"},
    {"CPU", "processor time used, by all tasks of the row"},
    {"CPU a step", "processor time that one step used, over all tasks"},
    {"CPU load", "processes that ran or wanted to, as the machine counted them"},
    {"CPU of servers", "processor time of the tasks' servers"},
    {"GB/s", "bytes read and written a second"},
    {"GFLOP/s", "floating-point operations a second"},
    {"Spatial Transformer", "the ratio for this model, small and large"},
    {"accuracy", "share of the test examples whose class was found"},
    {"arithmetic", "products with an addition that a step needs, by its time"},
    {"batch", "examples in one step of one worker"},
    {"between processors", "time for a value to go from one processor to another"},
    {"by TensorFlow's", "Weir's global steps a second by TensorFlow's"},
    {"chief CPU", "processor time of the first worker, by another's"},
    {"data", "what was learnt from"},
    {"disk read", "bytes that the machine read from its disks"},
    {"disk written", "bytes that were written to disks"},
    {"error", "how far the prediction is from the measured step"},
    {"examples", "examples that all workers took in a second"},
    {"examples/s", "examples that all workers took in a second"},
    {"gain", "how much less time than the row it is compared with"},
    {"gain for gradients", "the same, for steps that compute gradients"},
    {"gradients", "workers' gradients in one update"},
    {"image side", "width and height of the pictures"},
    {"images", "pictures that all workers took in a second"},
    {"instructions", "the instruction set that was used"},
    {"layout", "which tasks share a machine: P a parameter server, W a worker"},
    {"load", "how busy the machine was"},
    {"loopback", "bytes that passed between tasks of one machine"},
    {"loss", "mean of the last steps' losses"},
    {"machine", "the host"},
    {"machines", "the hosts that took part"},
    {"memory", "resident memory at its peak"},
    {"memory of servers", "resident memory of the tasks' servers together"},
    {"memory rate", "bytes read and written a second"},
    {"mode", "how workers' gradients are applied"},
    {"model", "the built-in model"},
    {"moved", "bytes that went between the tasks in a second"},
    {"multiply and add", "products with an addition, counted as two operations"},
    {"net in", "bytes that came into the machine by its network"},
    {"net out", "bytes that left the machine by its network"},
    {"network", "bytes that came into all machines"},
    {"node 0 sends", "bytes that the first machine sent, as a multiple of the second's"},
    {"of FMA peak", "the arithmetic, as a share of the most that this machine was measured to do"},
    {"of full", "words a second as a multiple of the full softmax's, with the same tasks"},
    {"of limit", "the shortest time that a step could take here, as a share of the step's"},
    {"packets in", "packets that came into the machine"},
    {"packets out", "packets that left the machine"},
    {"parameters", "numbers in the model's variables"},
    {"peak in", "bytes that came into the machines in the busiest tenth of a second"},
    {"peer", "the library or process that was measured"},
    {"predicted", "the step by the fitted model"},
    {"program CPU", "processor time of the task's program"},
    {"program memory", "resident memory of the task's program, at its peak"},
    {"ps", "parameter servers"},
    {"ps CPU", "processor time of the parameter servers"},
    {"ps memory", "resident memory of the parameter servers together"},
    {"published", "what was found, in words"},
    {"quartiles", "a quarter of the steps were faster, a quarter slower"},
    {"rate", "examples that all workers took in a second"},
    {"ratio", "two figures that are divided"},
    {"received", "bytes that the task's server received"},
    {"remark", "what to know of the row"},
    {"run", "the row's name, in the figures too"},
    {"s/batch", "seconds of one batch of one worker"},
    {"sent", "bytes that the task's server sent"},
    {"server CPU", "processor time of the task's server"},
    {"server memory", "resident memory of the task's server, at its peak"},
    {"size", "the model's, or the data's"},
    {"softmax", "full: over all words; sampled: over some"},
    {"speed-up", "time of the first row by the row's"},
    {"start", "from the start of the processes to the first step"},
    {"step", "median time of a worker's step"},
    {"steps", "global steps: in all, or a second"},
    {"straggler", "how long one worker is held up before each step"},
    {"task", "job and number in the cluster"},
    {"tasks", "how many there were"},
    {"test accuracy", "share of the test examples whose class was found"},
    {"threads", "threads that computed"},
    {"threads of each", "threads that each worker computed with"},
    {"time", "from the first step to the last, without tests"},
    {"time with steps", "seconds in which a step ran"},
    {"times AlexNet's", "the step by AlexNet's"},
    {"traffic", "bytes that went between the tasks in a second"},
    {"traffic a step", "bytes that went between the tasks, by the steps"},
    {"transport", "how tasks sent tensors"},
    {"verdict", "whether it differs by more than chance"},
    {"waiting", "share of the steps' time in which nothing was computed"},
    {"whole memory", "resident memory of all tasks together, at its peak"},
    {"wire in", "bytes that came into the machine by its network"},
    {"wire out", "bytes that left the machine by its network"},
    {"words", "words that all workers took in a second"},
    {"worker CPU", "processor time of the workers"},
    {"workers", "tasks that compute gradients"},
    {"workers' CPU", "processor time of the workers"},
    {"workload", "what was run"},
};

static const column_kind kinds[WEIR_COLUMN_KINDS] = {
    [WEIR_COLUMN_TEXT] = {"text", "t", "", NULL, NULL},
    [WEIR_COLUMN_NUMBER] = {"number", "n", "", NULL, NULL},
    [WEIR_COLUMN_PUBLISHED] = {"published", "p", "published", "slanted, shaded",
                               "what was published for distributed TensorFlow, on other machines: "
                               "the shape is comparable, the size is not"},
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
