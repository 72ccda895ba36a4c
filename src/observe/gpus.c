/* observe/gpus.c - five functions of NVIDIA's management library (NVML). */
#include "observe/gpus.h"

#include <unistd.h>

#include "base/dl.h"

enum { NVML_OK = 0 };

/* As NVML lays them out. */
typedef struct nvml_utilization {
    unsigned gpu, memory; /* percent of the last sampling period, which is the driver's */
} nvml_utilization;
typedef struct nvml_memory {
    unsigned long long total, unused, used; /* bytes */
} nvml_memory;
typedef struct nvml_device nvml_device;

static struct {
    int (*init)(void);
    int (*count)(unsigned *out);
    int (*device)(unsigned index, nvml_device **out);
    int (*utilization)(nvml_device *device, nvml_utilization *out);
    int (*memory)(nvml_device *device, nvml_memory *out);
} nvml;

static nvml_device *devices[WEIR_GPUS_MOST];
static int device_count;
static bool opened;

static bool open_library(void)
{
    static const char *const names[] = {"libnvidia-ml.so.1", NULL};
    static const weir_dl_symbol symbols[] = {
        {"nvmlInit_v2", (void **)&nvml.init},
        {"nvmlDeviceGetCount_v2", (void **)&nvml.count},
        {"nvmlDeviceGetHandleByIndex_v2", (void **)&nvml.device},
        {"nvmlDeviceGetUtilizationRates", (void **)&nvml.utilization},
        {"nvmlDeviceGetMemoryInfo", (void **)&nvml.memory},
    };
    return access("/dev/nvidiactl", F_OK) == 0 &&
           weir_dl_open(names, symbols, sizeof symbols / sizeof *symbols) && nvml.init() == NVML_OK;
}

int weir_gpus_open(void)
{
    unsigned count = 0;
    if (opened)
        return device_count;
    opened = true;
    if (!open_library() || nvml.count(&count) != NVML_OK)
        return 0;
    for (unsigned i = 0; i < count && device_count < WEIR_GPUS_MOST; i++)
        if (nvml.device(i, &devices[device_count]) == NVML_OK)
            device_count++;
    return device_count;
}

/* A GPU that is lost, or does not say it, adds nothing. */
static void add(nvml_device *device, weir_gpu_use *sum)
{
    nvml_utilization use = {0};
    nvml_memory memory = {0};
    bool knows_use = nvml.utilization(device, &use) == NVML_OK;
    bool knows_memory = nvml.memory(device, &memory) == NVML_OK;
    sum->count += knows_use || knows_memory;
    sum->busy += knows_use ? use.gpu * 0.01 : 0;
    sum->memory_bytes += knows_memory ? (double)memory.used : 0;
}

weir_gpu_use weir_gpus_read(void)
{
    weir_gpu_use sum = {0};
    for (int i = 0; i < device_count; i++)
        add(devices[i], &sum);
    return sum;
}
