/* cuda/texts_test.c - kernel texts compile by NVRTC for the chips there are; no device is needed.
 */
#include <stdlib.h>

#include "base/test.h"
#include "cuda/compile.h"
#include "gpu/text.h"

/* sm_75 to sm_120: Turing, Ampere, Hopper and two Blackwells. */
static const int chips[] = {75, 80, 90, 100, 120};
enum { CHIPS = sizeof chips / sizeof *chips };

static bool has_compiler(void)
{
    char version[32];
    weir_cuda_compiler_version(version, sizeof version);
    if (!*version)
        printf("skipped: there is no NVRTC here (WEIR_CUDA_PATH may name its folder)\n");
    return *version;
}

/* The first test: the environment is read once. The second compilation finds the file, which the
 * test has changed meanwhile. */
TEST(machine_code_is_kept_on_disk)
{
    char folder[] = "/tmp/weir-cache-XXXXXX";
    WEIR_BUF(text);
    WEIR_BUF(first);
    WEIR_BUF(second);
    WEIR_BUF(command);
    CHECK(mkdtemp(folder) != NULL);
    setenv("WEIR_CACHE", folder, 1);
    if (has_compiler()) {
        weir_gpu_text(WEIR_GPU_MOVE, 0, WEIR_E_f32, &text);
        CHECK_OK(weir_cuda_compile_cached(text.at, 90, &first));
        weir_buf_addf(&command, "for f in %s/*.cubin; do echo kept >$f; done", folder);
        CHECK_EQ(system(command.at), 0);
        CHECK_OK(weir_cuda_compile_cached(text.at, 90, &second));
        CHECK(first.length > 5);
        CHECK(weir_str_is(weir_view(&second), "kept\n"));
    }
    command.length = 0;
    weir_buf_addf(&command, "rm -r %s", folder);
    CHECK_EQ(system(command.at), 0);
}

static int compile_all(weir_gpu_family family, weir_elem elem, int chip)
{
    WEIR_BUF(text);
    WEIR_BUF(binary);
    int kernels = weir_gpu_text_all(family, elem, &text);
    if (!kernels)
        return 0;
    CHECK_OK(weir_cuda_compile(text.at, chip, &binary));
    CHECK_MSG(binary.length > 0, "element type %d, family %d: empty", (int)elem, (int)family);
    return kernels;
}

/* All kernels for all chips take minutes of a processor. So float's are compiled for every chip,
 * and those of the other types for one chip each. */
static bool compiled_here(int family, int elem, int chip)
{
    return elem == WEIR_E_f32 || (elem + family) % CHIPS == chip;
}

TEST(compile_for_every_chip)
{
    if (!has_compiler())
        return;
    for (int chip = 0; chip < CHIPS; chip++) {
        int kernels = 0;
        for (int elem = 0; elem < WEIR_ELEM_COUNT; elem++)
            for (int family = 0; family < WEIR_GPU_FAMILIES; family++)
                if (compiled_here(family, elem, chip))
                    kernels += compile_all((weir_gpu_family)family, (weir_elem)elem, chips[chip]);
        printf("sm_%d: %d kernels\n", chips[chip], kernels);
    }
}

static void compile_text(const weir_buf *text, int chip, const char *what, int elem)
{
    WEIR_BUF(binary);
    CHECK_OK(weir_cuda_compile(text->at, chip, &binary));
    CHECK_MSG(binary.length > 0, "%s for element type %d: empty", what, elem);
}

/* The types whose texts differ most; the others take minutes. Of the rules one for each type, as
 * they share their text. */
static bool is_tried(int elem)
{
    return elem == WEIR_E_f32 || elem == WEIR_E_bf16 || elem == WEIR_E_i64;
}

TEST(layers_casts_and_rules_compile)
{
    int chip = 0;
    for (int elem = 0; has_compiler() && elem < WEIR_ELEM_COUNT; elem++, chip++) {
        WEIR_BUF(layers);
        WEIR_BUF(channels);
        WEIR_BUF(cast);
        WEIR_BUF(rule);
        if (!is_tried(elem))
            continue;
        weir_gpu_text_layers((weir_elem)elem, &layers);
        compile_text(&layers, chips[chip % CHIPS], "layers", elem);
        weir_buf_adds(&channels, "#define INDEX i32\n#define QUAD 4\n");
        weir_gpu_text_channels((weir_elem)elem, &channels);
        compile_text(&channels, chips[chip % CHIPS], "channels", elem);
        weir_gpu_text_cast(WEIR_E_f32, (weir_elem)elem, &cast);
        compile_text(&cast, chips[chip % CHIPS], "cast", elem);
        if (!weir_gpu_has_rule((weir_elem)elem))
            continue;
        weir_gpu_text_rule(elem, (weir_elem)elem, &rule);
        compile_text(&rule, chips[chip % CHIPS], "rule", elem);
    }
}

TEST(the_error_holds_what_the_compiler_said)
{
    WEIR_BUF(binary);
    if (has_compiler())
        CHECK_FAILS(weir_cuda_compile("nonsense;", 90, &binary), WEIR_INTERNAL, "nonsense");
}

TEST_MAIN()
