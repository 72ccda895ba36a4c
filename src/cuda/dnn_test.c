/* cuda/dnn_test.c - cuDNN has engine configurations for the convolutions of the built-in models; no
 * device is needed, because a description of the chip suffices. */
#include "base/test.h"
#include "cuda/dnn.h"
#include "math/elem.h"

/* cuDNN keeps handles until the process exits: not our leak. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libcudnn\nleak:libcublasLt\n";
}

static const char h200[] =
    "{\"maxGridSize\":[2147483647,65535,65535],\"maxBlockSize\":[1024,1024,64],"
    "\"regsPerBlock\":65536,\"multiProcessorCount\":132,\"warpSize\":32,"
    "\"maxSharedMemoryPerBlock\":49152,\"maxSharedMemoryPerBlockOptin\":232448,"
    "\"reservedSharedMemoryPerBlock\":1024,\"maxRegistersPerSM\":65536,\"maxCtasPerSM\":32,"
    "\"maxThreadsPerBlock\":1024,\"maxThreadsPerSM\":2048,\"pciDeviceId\":6,\"isTccDriver\":0,"
    "\"supportCoopLaunch\":1,\"totalGlobalMem\":150109880320,\"smClockRateKHz\":1980000,"
    "\"memClockRateKHz\":3201000,\"l2CacheSize\":62914560,\"cudaDeviceId\":0,\"deviceVer\":900,"
    "\"driverVer\":13000,\"deviceName\":\"NVIDIA H200\"}";

static bool has_library(void)
{
    if (!weir_dnn_open())
        printf("skipped: there is no cuDNN here (WEIR_CUDA_PATH may name its folder)\n");
    return weir_dnn_open() != NULL;
}

static weir_gpu_convolution square(int64_t in, int64_t channels, int64_t out_c, int64_t taps,
                                   int64_t stride, int64_t out, int64_t pad)
{
    return (weir_gpu_convolution){.elem = WEIR_E_f32,
                                  .batch = 16,
                                  .channels = channels,
                                  .filter_c = channels,
                                  .out_c = out_c,
                                  .in = {in, in},
                                  .out = {out, out},
                                  .taps = {taps, taps},
                                  .stride = {stride, stride},
                                  .dilation = {1, 1},
                                  .pad = {pad, pad}};
}

static void check_ways(weir_gpu_convolution c)
{
    for (int pass = 0; pass <= WEIR_GPU_GRAD_W; pass++) {
        c.pass = (weir_gpu_pass)pass;
        int ways = weir_dnn_count_ways(&c, h200);
        CHECK_MSG(ways > 0, "pass %d, %lld channels, filter %lld: %d ways", pass,
                  (long long)c.channels, (long long)c.taps[0], ways);
    }
    c.pass = WEIR_GPU_FORWARD;
    c.bias = "";
    for (c.relu = 0; c.relu < 2; c.relu++)
        CHECK_MSG(weir_dnn_count_ways(&c, h200) > 0, "with a bias, %lld channels, relu %lld",
                  (long long)c.channels, (long long)c.relu);
}

TEST(convolutions_of_models_have_ways)
{
    if (!has_library())
        return;
    check_ways(square(224, 3, 64, 11, 4, 56, 3)); /* more padding behind than before */
    check_ways(square(28, 192, 64, 1, 1, 28, 0));
    check_ways(square(13, 192, 384, 3, 1, 13, 1));
}

TEST(groups_of_channels_have_ways)
{
    weir_gpu_convolution c = square(28, 64, 64, 3, 1, 28, 1);
    c.filter_c = 16;
    if (has_library())
        CHECK(weir_dnn_count_ways(&c, h200) > 0);
}

TEST_MAIN()
