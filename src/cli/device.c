/* cli/device.c - weir device: lists this machine's devices, and compares their results with the
 * CPU's. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/device.h"
#include "command/command.h"
#include "command/output.h"
#include "command/progress.h"
#include "cuda/cuda.h"
#include "gpu/check.h"
#include "observe/gpus.h"
#include "opencl/opencl.h"
#include "session/accelerators.h"

static const weir_gpu_driver *const drivers[] = {&weir_gpu_cuda, &weir_gpu_opencl};
enum { DRIVERS = sizeof drivers / sizeof *drivers };

/* ---- list ------------------------------------------------------------------------------------ */

typedef struct list_args {
    int format;
} list_args;

/* A value from NVIDIA's management library; null if unknown. No-op on machines without that
 * library. */
static void put_use(weir_output *output, const char *address)
{
    weir_gpu_use use = {0};
    if (weir_gpus_open() == 0)
        return;
    bool known = weir_gpus_read_one(address, &use);
    weir_output_figure(output, "busy", known ? use.busy : NAN);
    if (known)
        weir_output_bytes(output, "in_use", (int64_t)use.memory_bytes);
    else
        weir_output_null(output, "in_use");
    weir_output_figure(output, "celsius", known && use.celsius > 0 ? use.celsius : NAN);
    weir_output_figure(output, "watts", known && use.watts > 0 ? use.watts : NAN);
}

static void put_row(weir_output *output, const char *device, const weir_gpu_info *info)
{
    weir_output_row(output);
    weir_output_text(output, "device", device);
    weir_output_text(output, "name", info->name);
    weir_output_text(output, "kind", info->kind);
    weir_output_bytes(output, "memory", info->memory_bytes);
    weir_output_int(output, "units", info->units);
    weir_output_text(output, "capability", info->capability);
    weir_output_text(output, "driver", info->driver);
    put_use(output, info->address);
    weir_output_text(output, "usable", *info->trouble ? info->trouble : "yes");
}

static weir_status put_driver(weir_output *output, const weir_gpu_driver *driver)
{
    int count = 0;
    WEIR_TRY(driver->count(&count));
    if (count == 0)
        return weir_error(WEIR_UNAVAILABLE, "the driver is there, but no device");
    for (int i = 0; i < count; i++) {
        weir_gpu_info info;
        char device[32];
        WEIR_TRY(driver->describe(i, &info));
        snprintf(device, sizeof device, "%s:%d", driver->name, i);
        put_row(output, device, &info);
    }
    return WEIR_OK;
}

/* A driver without devices gets a row with the reason. */
static void put_reason(weir_output *output, const char *device, weir_status status)
{
    weir_gpu_info none = {.kind = "none"};
    snprintf(none.trouble, sizeof none.trouble, "%s", weir_status_message(status));
    put_row(output, device, &none);
    weir_status_free(status);
}

static int list(void *args, int argc, char **argv)
{
    weir_output *output = weir_output_begin(((list_args *)args)->format);
    weir_output_table(output, NULL);
    for (int i = 0; i < DRIVERS; i++) {
        weir_status status = put_driver(output, drivers[i]);
        if (status)
            put_reason(output, drivers[i]->name, status);
    }
    weir_output_end(output);
    return WEIR_EXIT_OK;
}

/* ---- check ----------------------------------------------------------------------------------- */

typedef struct check_args {
    const char *device, *type;
    int format;
} check_args;

/* Parses "cuda:0": the driver, and the number after the colon; null if invalid. */
static const weir_gpu_driver *find_driver(const char *device, int *out_index)
{
    for (int i = 0; i < DRIVERS; i++) {
        size_t length = strlen(drivers[i]->name);
        if (strncmp(device, drivers[i]->name, length) != 0 || device[length] != ':')
            continue;
        char *end;
        *out_index = (int)strtol(device + length + 1, &end, 10);
        return end != device + length + 1 && !*end ? drivers[i] : NULL;
    }
    return NULL;
}

/* The first driver with a device. */
static const weir_gpu_driver *first_driver(int *out_index)
{
    for (int i = 0; i < DRIVERS; i++) {
        int count = 0;
        weir_status status = drivers[i]->count(&count);
        bool none = status || count == 0;
        weir_status_free(status);
        *out_index = 0;
        if (!none)
            return drivers[i];
    }
    return NULL;
}

static void say_difference(void *arg, const char *text)
{
    weir_progress_erase();
    fprintf(stderr, "weir: %s\n", text);
}

static weir_status check_type(weir_output *output, const weir_gpu_driver *driver,
                              weir_gpu_device *device, weir_elem elem, int64_t *failed)
{
    weir_gpu_report report = {.say = say_difference};
    WEIR_TRY_NOTE(weir_gpu_check(driver, device, elem, &report), "with elements of type %s",
                  weir_gpu_elem_name(elem));
    weir_output_row(output);
    weir_output_text(output, "type", weir_gpu_elem_name(elem));
    weir_output_int(output, "passed", report.passed);
    weir_output_int(output, "failed", report.failed);
    *failed += report.failed;
    return WEIR_OK;
}

static bool wanted(const check_args *args, weir_elem elem)
{
    const char *name = weir_gpu_elem_name(elem);
    return name && (!args->type || strcmp(args->type, name) == 0);
}

static int count_types(const check_args *args)
{
    int count = 0;
    for (weir_elem elem = 0; elem < WEIR_ELEM_COUNT; elem++)
        count += wanted(args, elem);
    return count;
}

static weir_status check_types(const check_args *args, const weir_gpu_driver *driver,
                               weir_gpu_device *device, int64_t *failed)
{
    weir_output *output = weir_output_begin(args->format);
    weir_status status = WEIR_OK;
    weir_output_table(output, NULL);
    weir_progress_begin("device check", count_types(args), "types");
    for (weir_elem elem = 0; !status && elem < WEIR_ELEM_COUNT; elem++) {
        if (!wanted(args, elem))
            continue;
        weir_progress_note("%s", weir_gpu_elem_name(elem));
        status = check_type(output, driver, device, elem, failed);
        weir_progress_add(1);
    }
    weir_progress_drop();
    weir_output_end(output);
    return status;
}

static int check_device(const check_args *args, const weir_gpu_driver *driver, int index)
{
    static const char cure[] = "'weir device' lists the devices of this machine.";
    weir_gpu_device *device;
    int64_t failed = 0;
    weir_status status = driver->open(index, &device);
    if (status)
        return weir_cli_fail_status(cure, status);
    status = check_types(args, driver, device, &failed);
    driver->close(device);
    if (status)
        return weir_cli_fail_status(cure, status);
    return failed ? WEIR_EXIT_FAILED : WEIR_EXIT_OK;
}

static int check(void *args, int argc, char **argv)
{
    const check_args *given = args;
    int index = 0;
    const weir_gpu_driver *driver =
        given->device ? find_driver(given->device, &index) : first_driver(&index);
    if (!driver && given->device)
        return weir_cli_misuse("device check", "--device is cuda:N or opencl:N, not '%s'",
                               given->device);
    if (!count_types(given))
        return weir_cli_misuse("device check", "no kernel serves elements of type '%s'",
                               given->type);
    if (!driver)
        return weir_cli_fail("'weir device' says why.", "there is no device to check");
    return check_device(given, driver, index);
}

static const weir_option check_options[] = {
    {"device", 'd', "DEVICE", "device to check, e.g. cuda:0 or opencl:0 (default: the first)",
     WEIR_TEXT(check_args, device)},
    {"type", 't', "TYPE", "check only kernels for this element type, e.g. float",
     WEIR_TEXT(check_args, type)},
    WEIR_OUTPUT_OPTION(check_args, format),
};

static const weir_command check_command = {
    .name = "check",
    .summary = "compare a device's kernels with the CPU's",
    .about = "Compiles every kernel for the device, runs it on small and odd sizes and compares "
             "the results with the CPU's: integers and random numbers bit by bit, float within "
             "1e-5, double within 1e-11, 16-bit floats within one rounding. Prints the number "
             "of passed and failed cases for each element type; failed cases are named on "
             "standard error.\n\n"
             "  weir device check --device cuda:0  # needs a device",
    WEIR_OPTIONS(check_options),
    WEIR_ARGS(check_args),
    .run = check,
};

/* ---- the command ----------------------------------------------------------------------------- */

static const weir_option list_options[] = {WEIR_OUTPUT_OPTION(list_args, format)};
static const weir_command *const below[] = {&check_command, NULL};

const weir_command weir_command_device = {
    .name = "device",
    .summary = "list GPUs and other devices, or check a device",
    .about = "Lists the devices of the CUDA and OpenCL drivers with their capabilities, or why "
             "there are none; for NVIDIA GPUs also utilisation, memory used by all programs, "
             "temperature and power. docs/how-to/devices.md describes how programs use them.\n\n"
             "  weir device",
    WEIR_OPTIONS(list_options),
    WEIR_ARGS(list_args),
    .subs = below,
    .run = list,
};

/* ---- --device of other commands -------------------------------------------------------------- */

int weir_cli_use_device(const char *command, const char *device)
{
    const char *names = strcmp(device, "gpu") == 0 ? "cuda" : device;
    weir_status status = weir_accelerators_check(names);
    if (status && weir_status_code(status) == WEIR_INVALID_ARGUMENT) {
        int code = weir_cli_misuse(command, "--device: %s", weir_status_message(status));
        weir_status_free(status);
        return code;
    }
    if (status)
        return weir_cli_fail_status("'weir device' lists the devices; --device cpu needs none.",
                                    status);
    setenv("WEIR_DEVICES", names, 1);
    return WEIR_EXIT_OK;
}
