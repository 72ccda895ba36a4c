/* cli/version.c - weir version. */
#include "base/cgroup.h"
#include "base/cpu.h"
#include "command/command.h"
#include "command/output.h"
#include "session/accelerators.h"
#include "tensorflow/c/c_api.h"

typedef struct version_args {
    int format;
} version_args;

/* "2 of cuda", or why there are none: the devices a session would use. */
static void put_devices(weir_output *output)
{
    WEIR_BUF(text);
    weir_accelerators_tell(&text);
    weir_output_text(output, "devices", text.at);
}

static int version(void *args, int argc, char **argv)
{
    weir_output *output = weir_output_begin(((version_args *)args)->format);
    weir_output_text(output, "weir", WEIR_VERSION);
    weir_output_text(output, "tensorflow_api", TF_Version());
    weir_output_int(output, "processors", weir_cpu_count());
    if (weir_cgroup_cpus() > 0)
        weir_output_real(output, "processor_quota", weir_cgroup_cpus());
    if (weir_cgroup_memory() > 0)
        weir_output_bytes(output, "memory_limit", weir_cgroup_memory());
    weir_output_text(output, "loops_for", weir_isa_name(weir_cpu_isa()));
    put_devices(output);
    weir_output_end(output);
    return WEIR_EXIT_OK;
}

static const weir_option options[] = {WEIR_OUTPUT_OPTION(version_args, format)};

const weir_command weir_command_version = {
    .name = "version",
    .summary = "show the version and the hardware found",
    .about = "Shows the version of Weir, the version of TensorFlow's C API that it implements, and "
             "what it found on this machine: processors, the limits of its control group, if any, "
             "the instruction set that its loops use, and the GPUs that sessions would use.",
    WEIR_OPTIONS(options),
    WEIR_ARGS(version_args),
    .run = version,
};
