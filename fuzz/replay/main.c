/* fuzz/replay/main.c - runs a fuzz target over files, without libFuzzer.
 *
 *     replay_message FILE|FOLDER...
 *
 * The unit tests do this with the seeds of fuzz/corpus, so that the targets are built by every
 * compiler and an input that once failed is tried again everywhere. An empty input comes first.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_BYTES = 1 << 20 };

static int run_file(const char *path)
{
    static uint8_t bytes[MOST_BYTES];
    FILE *file = fopen(path, "rb");
    if (!file)
        return 0;
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    uint8_t *exact = malloc(size + !size); /* so that a sanitizer sees a read past the end */
    memcpy(exact, bytes, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    return 1;
}

static int run_folder(const char *path)
{
    int count = 0;
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        char name[4096];
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.')
            count += run_file(name);
    }
    if (folder)
        closedir(folder);
    return folder ? count : run_file(path);
}

int main(int argc, char **argv)
{
    int count = 1;
    LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
    for (int i = 1; i < argc; i++)
        count += run_folder(argv[i]);
    printf("%d inputs\n", count);
    return 0;
}
