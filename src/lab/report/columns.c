/* lab/report/columns.c - what the columns of reports mean, by their titles. */
#include <string.h>

#include "lab/report/report_impl.h"

static const struct {
    const char *title, *about;
} known[] = {
    {"%, about", "the spread of the sample, as a share of the figure"},
    {"AutoEncoder", "its time by this layout, as a multiple of the fastest's"},
    {"CPU", "processor time used, of all processors of the machine together"},
    {"CPU a step", "processor time that one step used, over all tasks"},
    {"CPU load", "processes that ran or wanted to, as the machine counted them"},
    {"GB/s", "bytes read and written a second"},
    {"GFLOP/s", "floating-point operations a second"},
    {"Spatial Transformer", "its time by this layout, as a multiple of the fastest's"},
    {"accuracy", "share of the test examples whose class was found"},
    {"batch", "examples in one step of one worker"},
    {"between processors", "time for a value to go from one processor to another"},
    {"data", "what was learnt from"},
    {"examples", "examples that all workers took in a second"},
    {"examples/s", "examples that all workers took in a second"},
    {"gain", "how much less time than the row it is compared with"},
    {"gain for gradients", "the same, for steps that compute gradients"},
    {"gradients", "workers' gradients in one update"},
    {"image side", "width and height of the pictures"},
    {"instructions", "the instruction set that was used"},
    {"layout", "which tasks share a machine: P a parameter server, W a worker"},
    {"load", "how busy the machine was"},
    {"loss", "mean of the last steps' losses"},
    {"memory", "resident memory of the task that used most"},
    {"mode", "how workers' gradients are applied"},
    {"model", "the built-in model"},
    {"moved", "bytes that went between the tasks in a second"},
    {"multiply and add", "products with an addition, counted as two operations"},
    {"net in", "bytes that came into the machine by its network"},
    {"net out", "bytes that left the machine by its network"},
    {"node 0 sends", "bytes that the first machine sent, as a multiple of the second's"},
    {"of full", "words a second as a multiple of the full softmax's, with the same tasks"},
    {"parameters", "numbers in the model's variables"},
    {"peer", "the library or process that was measured"},
    {"ps", "parameter servers"},
    {"ps CPU", "processor time of the parameter servers"},
    {"ps memory", "resident memory of the parameter servers together"},
    {"quartiles", "a quarter of the steps were faster, a quarter slower"},
    {"rate", "examples that all workers took in a second"},
    {"ratio", "the row's time by the first row's"},
    {"remark", "what to know of the row"},
    {"run", "the row's name, in the figures too"},
    {"size", "the model's, or the data's"},
    {"softmax", "full: over all words; sampled: over some"},
    {"speed-up", "time of the first row by the row's"},
    {"start", "from the start of the processes to the first step"},
    {"step", "median time of a worker's step"},
    {"steps", "global steps: in all, or a second"},
    {"straggler", "how long one worker is held up before each step"},
    {"test accuracy", "share of the test examples whose class was found"},
    {"threads", "threads that computed"},
    {"threads of each", "threads that each worker computed with"},
    {"time", "from the first step to the last, without tests"},
    {"times AlexNet's", "the step by AlexNet's"},
    {"traffic", "bytes that went between the tasks in a second"},
    {"traffic a step", "bytes that went between the tasks, by the steps"},
    {"transport", "how tasks sent tensors"},
    {"verdict", "whether it differs by more than chance"},
    {"words", "words that all workers took in a second"},
    {"worker CPU", "processor time of the workers"},
    {"workers", "tasks that compute gradients"},
    {"workers' CPU", "processor time of the workers"},
    {"workload", "what was run"},
};

const char *report_column_about(const char *title)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].title, title) == 0)
            return known[i].about;
    return NULL;
}
