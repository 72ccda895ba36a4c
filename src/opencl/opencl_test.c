/* opencl/opencl_test.c - the kernels on the first OpenCL device compared with the CPU's loops.
 *
 * PoCL compiles each new kernel slowly, so this runs only the types that together use every macro
 * of the dialect; `weir device check` runs all.
 */
#include "opencl/opencl.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/test.h"
#include "gpu/check.h"

/* PoCL's threads exit during process exit, while the leak checker reads their thread-local storage:
 * it crashed in two of three runs. */
__attribute__((visibility("default"))) const char *__lsan_default_options(void);
const char *__lsan_default_options(void)
{
    return "use_tls=0";
}

/* The first device, or null with the reason printed. */
static weir_gpu_device *first_device(void)
{
    weir_gpu_device *device = NULL;
    int count = 0;
    weir_status status = weir_gpu_opencl.count(&count);
    if (!status && !count)
        status = weir_error(WEIR_UNAVAILABLE, "no driver has a device");
    if (!status)
        status = weir_gpu_opencl.open(0, &device);
    if (status)
        printf("skipped: %s\n", weir_status_message(status));
    weir_status_free(status);
    return device;
}

static void say(void *arg, const char *text)
{
    CHECK_MSG(false, "%s", text);
}

static void check_types(const weir_elem *elems, int count)
{
    weir_gpu_device *device = first_device();
    weir_gpu_report report = {.say = say};
    for (int i = 0; device && i < count; i++)
        CHECK_OK(weir_gpu_check(&weir_gpu_opencl, device, elems[i], &report));
    if (device)
        CHECK(report.passed > 0);
    weir_gpu_opencl.close(device);
}

TEST(floats)
{
    check_types((weir_elem[]){WEIR_E_f32}, 1);
}

TEST(integers_and_bool)
{
    check_types((weir_elem[]){WEIR_E_i32, WEIR_E_b8}, 2);
}

TEST(a_text_that_does_not_compile)
{
    weir_gpu_device *device = first_device();
    weir_gpu_module *module;
    if (device)
        CHECK_FAILS(weir_gpu_opencl.compile(device, "nonsense", &module), WEIR_INTERNAL,
                    "does not compile");
    weir_gpu_opencl.close(device);
}

TEST(a_device_that_is_not_there)
{
    weir_gpu_device *device = first_device(), *none;
    if (device)
        CHECK_FAILS(weir_gpu_opencl.open(63, &none), WEIR_NOT_FOUND, "opencl:63");
    weir_gpu_opencl.close(device);
}

/* In a child process, which it crashes. */
TEST(host_code_that_touches_device_memory_fails_at_once)
{
    weir_gpu_device *device = first_device();
    void *at;
    if (!device)
        return;
    CHECK_OK(weir_gpu_opencl.alloc(device, 64, &at));
    pid_t child = fork();
    if (child == 0) {
        signal(SIGSEGV, SIG_DFL);
        _exit(*(volatile char *)at);
    }
    int how = 0;
    CHECK_EQ(waitpid(child, &how, 0), child);
    CHECK(WIFSIGNALED(how) && WTERMSIG(how) == SIGSEGV);
    weir_gpu_opencl.free(device, at);
    weir_gpu_opencl.close(device);
}

TEST_MAIN()
