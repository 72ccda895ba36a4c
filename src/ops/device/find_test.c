/* ops/device/find_test.c - which ops have kernels for devices. */
#include "base/test.h"
#include "ops/device/device.h"
#include "session/session.h"

enum { LEAST = 300 };

TEST(most_ops_of_networks_are_served)
{
    const weir_registry *registry = weir_catalogue();
    int served = 0;
    for (size_t i = 0; i < weir_registry_count(registry); i++)
        served += weir_device_serves(weir_registry_at(registry, i));
    printf("%d op types have kernels for devices\n", served);
    CHECK_MSG(served >= LEAST, "%d op types", served);
}

TEST_MAIN()
