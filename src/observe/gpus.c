/* observe/gpus.c - eight functions of NVIDIA's management library (NVML). */
#include "observe/gpus.h"

#include <unistd.h>

#include "base/dl.h"

enum { NVML_OK = 0, NVML_DIE = 0 /* the sensor of the chip itself */ };

static weir_nvml nvml;
static nvml_device *devices[WEIR_GPUS_MOST];
static int device_count;
static bool tried, opened;

static bool open_library(void)
{
    static const char *const names[] = {"libnvidia-ml.so.1", NULL};
    static const weir_dl_symbol symbols[] = {
        {"nvmlInit_v2", (void **)&nvml.init},
        {"nvmlDeviceGetCount_v2", (void **)&nvml.count},
        {"nvmlDeviceGetHandleByIndex_v2", (void **)&nvml.device},
        {"nvmlDeviceGetHandleByPciBusId_v2", (void **)&nvml.device_at},
        {"nvmlDeviceGetUtilizationRates", (void **)&nvml.utilization},
        {"nvmlDeviceGetMemoryInfo", (void **)&nvml.memory},
        {"nvmlDeviceGetTemperature", (void **)&nvml.temperature},
        {"nvmlDeviceGetPowerUsage", (void **)&nvml.power},
    };
    return access("/dev/nvidiactl", F_OK) == 0 &&
           weir_dl_open(names, symbols, sizeof symbols / sizeof *symbols);
}

static int find_devices(void)
{
    unsigned count = 0;
    device_count = 0;
    opened = nvml.init() == NVML_OK;
    if (!opened || nvml.count(&count) != NVML_OK)
        return 0;
    for (unsigned i = 0; i < count && device_count < WEIR_GPUS_MOST; i++)
        if (nvml.device(i, &devices[device_count]) == NVML_OK)
            device_count++;
    return device_count;
}

int weir_gpus_open(void)
{
    if (!tried && open_library())
        find_devices();
    tried = true;
    return device_count;
}

int weir_gpus_open_as(const weir_nvml *functions)
{
    nvml = *functions;
    tried = true;
    return find_devices();
}

/* Ignores a GPU that is lost, or does not support the query. */
static void add(nvml_device *device, weir_gpu_use *sum)
{
    nvml_utilization use = {0};
    nvml_memory memory = {0};
    unsigned celsius = 0, milliwatts = 0;
    bool knows_use = nvml.utilization(device, &use) == NVML_OK;
    bool knows_memory = nvml.memory(device, &memory) == NVML_OK;
    sum->count += knows_use || knows_memory;
    sum->busy += knows_use ? use.gpu * 0.01 : 0;
    sum->memory_bytes += knows_memory ? (double)memory.used : 0;
    if (nvml.temperature(device, NVML_DIE, &celsius) == NVML_OK && celsius > sum->celsius)
        sum->celsius = celsius;
    if (nvml.power(device, &milliwatts) == NVML_OK)
        sum->watts += milliwatts * 0.001;
}

weir_gpu_use weir_gpus_read(void)
{
    weir_gpu_use sum = {0};
    for (int i = 0; i < device_count; i++)
        add(devices[i], &sum);
    return sum;
}

bool weir_gpus_read_one(const char *bus_address, weir_gpu_use *out_use)
{
    nvml_device *device;
    weir_gpu_use use = {0};
    if (!opened || !*bus_address || nvml.device_at(bus_address, &device) != NVML_OK)
        return false;
    add(device, &use);
    *out_use = use;
    return use.count == 1;
}
