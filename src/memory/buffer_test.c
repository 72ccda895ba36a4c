/* memory/buffer_test.c - versions of buffers are never given twice, also not by forked processes.
 */
#include "memory/buffer.h"

#include <sys/wait.h>
#include <unistd.h>

#include "base/test.h"

static uint64_t fresh_version(void)
{
    weir_buffer *buffer;
    CHECK_OK(weir_buffer_alloc(4096, &buffer));
    uint64_t version = weir_buffer_version(buffer);
    CHECK(version && weir_buffer_version(buffer) == version);
    weir_buffer_release(buffer);
    return version;
}

TEST(versions_differ)
{
    uint64_t first = fresh_version();
    CHECK(fresh_version() != first);
}

TEST(versions_of_a_forked_process_differ)
{
    int ends[2];
    uint64_t others = 0;
    fresh_version(); /* the number that the child would count on from */
    CHECK_EQ(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        others = fresh_version();
        _exit(write(ends[1], &others, sizeof others) != sizeof others);
    }
    uint64_t own = fresh_version();
    CHECK_EQ(read(ends[0], &others, sizeof others), sizeof others);
    CHECK(others && others != own);
    CHECK_EQ(waitpid(child, NULL, 0), child);
    close(ends[0]);
    close(ends[1]);
}

TEST_MAIN()
