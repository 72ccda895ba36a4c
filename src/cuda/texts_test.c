/* cuda/texts_test.c - kernel sources compile by NVRTC for all supported chips, without a device.
 */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/test.h"
#include "cuda/compile.h"
#include "gpu/check.h"
#include "gpu/text.h"
#include "math/binary/binary.h"
#include "math/unary/unary.h"

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

/* ---- in processes of their own, since the environment is read once ---- */

static pid_t begin_child(const char *cache, void (*run)(int), int arg)
{
    fflush(NULL);
    pid_t child = fork();
    if (child)
        return child;
    setenv("WEIR_CACHE", cache, 1);
    run(arg);
    fflush(NULL);
    _exit(weir_test_bad > 0);
}

static void end_child(pid_t child, int number)
{
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK_MSG(status == 0, "process %d failed", number);
}

/* The second compilation finds the cached file, which was modified meanwhile. */
static void compile_twice(int arg)
{
    WEIR_BUF(text);
    WEIR_BUF(first);
    WEIR_BUF(second);
    if (!has_compiler())
        return;
    weir_gpu_text(WEIR_GPU_MOVE, 0, WEIR_E_f32, &text);
    CHECK_OK(weir_cuda_compile_cached(text.at, 90, &first));
    CHECK_EQ(system("for f in $WEIR_CACHE/*.cubin; do echo kept >$f; done"), 0);
    CHECK_OK(weir_cuda_compile_cached(text.at, 90, &second));
    CHECK(first.length > 5);
    CHECK(weir_str_is(weir_view(&second), "kept\n"));
}

TEST(machine_code_is_kept_on_disk)
{
    char folder[] = "/tmp/weir-cache-XXXXXX";
    WEIR_BUF(command);
    CHECK(mkdtemp(folder) != NULL);
    end_child(begin_child(folder, compile_twice, 0), 0);
    weir_buf_addf(&command, "rm -r %s", folder);
    CHECK_EQ(system(command.at), 0);
}

/* ---- every text for one chip ---- */

typedef struct work {
    int chip;
    int64_t end_ns; /* start none after this; the next run finds this one's in the cache */
    int texts, left;
} work;

static void compile(work *work, const weir_buf *text, const char *what, int elem)
{
    WEIR_BUF(binary);
    if (!text->length)
        return;
    work->texts++;
    if (weir_now_ns() > work->end_ns) {
        work->left++;
        return;
    }
    CHECK_OK(weir_cuda_compile_cached(text->at, work->chip, &binary));
    CHECK_MSG(binary.length > 0, "%s for element type %d: empty", what, elem);
}

static void compile_families(work *work, weir_elem elem)
{
    for (int family = 0; family < WEIR_GPU_FAMILIES; family++) {
        WEIR_BUF(text);
        if (weir_gpu_text_all((weir_gpu_family)family, elem, &text))
            compile(work, &text, "a family", (int)elem);
    }
}

/* As launched: with 32-bit indices, and four or eight channels per work item. */
static void compile_layers(work *work, weir_elem elem)
{
    static const char *const kinds[] = {"", "#define INDEX i32\n",
                                        "#define INDEX i32\n#define QUAD 4\n",
                                        "#define INDEX i32\n#define QUAD 8\n"};
    WEIR_BUF(layers);
    weir_gpu_text_layers(elem, &layers);
    compile(work, &layers, "layers", (int)elem);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        WEIR_BUF(channels);
        weir_buf_adds(&channels, kinds[i]);
        weir_gpu_text_channels(elem, &channels);
        compile(work, &channels, "channels", (int)elem);
    }
}

static void compile_casts_and_rules(work *work, weir_elem elem)
{
    WEIR_BUF(cast);
    weir_gpu_text_cast(WEIR_E_f32, elem, &cast);
    compile(work, &cast, "cast", (int)elem);
    WEIR_BUF(rules);
    if (weir_gpu_has_rule(elem))
        weir_gpu_text_rules(elem, &rules);
    compile(work, &rules, "rules", (int)elem);
}

/* Sources generated for one graph: moves of several pieces, a program, a cell and a chain. */
static void compile_made(work *work, weir_elem elem)
{
    static const int64_t program[] = {-1 - WEIR_B_add, 0, -1, -2, WEIR_U_tanh, 0, 0, 0};
    static const int64_t cell[] = {WEIR_CELL_SIZE,
                                   4,
                                   2,
                                   0,
                                   0,
                                   0,
                                   0, /**/
                                   WEIR_CELL_LOAD,
                                   0,
                                   0,
                                   4,
                                   8,
                                   1,
                                   0, /**/
                                   WEIR_CELL_LOAD,
                                   1,
                                   1,
                                   0,
                                   0,
                                   1,
                                   0, /**/
                                   WEIR_CELL_LOOP,
                                   2,
                                   -1 - WEIR_B_add,
                                   0,
                                   1,
                                   0,
                                   0, /**/
                                   WEIR_CELL_STORE,
                                   2,
                                   2,
                                   0,
                                   4,
                                   1,
                                   0};
    WEIR_BUF(pieces);
    weir_gpu_text_pieces(16, elem, &pieces);
    compile(work, &pieces, "pieces", (int)elem);
    if (!weir_gpu_has_program(program, 2, elem))
        return;
    WEIR_BUF(elements);
    weir_gpu_text_program(program, 2, 2, elem, &elements);
    compile(work, &elements, "a program", (int)elem);
    WEIR_BUF(whole);
    weir_gpu_text_cell(cell, 5, 3, elem, &whole);
    compile(work, &whole, "a cell", (int)elem);
    static const int64_t chain[] = {64 * 65,     2, /**/ 2, 2, -1 - WEIR_B_add, 0, -1,          -2,
                                    WEIR_U_tanh, 0, 0,      0, /**/ 1,          1, WEIR_U_tanh, 0,
                                    -1,          0};
    WEIR_BUF(steps);
    weir_gpu_text_chain(chain, elem, &steps);
    compile(work, &steps, "a chain", (int)elem);
}

enum { SECONDS = 30, ALL_SECONDS = 3600 };

/* The most common types come first. */
static void compile_for(int chip)
{
    static const weir_elem first[] = {WEIR_E_f32, WEIR_E_bf16, WEIR_E_i64, WEIR_E_f16};
    int64_t seconds = getenv("WEIR_ALL_TEXTS") ? ALL_SECONDS : SECONDS;
    work work = {.chip = chip, .end_ns = weir_now_ns() + seconds * 1000000000};
    if (!has_compiler())
        return;
    for (int elem = -4; elem < WEIR_ELEM_COUNT; elem++) {
        weir_elem which = elem < 0 ? first[elem + 4] : (weir_elem)elem;
        bool done = false;
        for (int i = 0; i < 4; i++)
            done |= elem >= 0 && which == first[i];
        if (done || !weir_gpu_elem_name(which))
            continue;
        compile_families(&work, which);
        compile_layers(&work, which);
        compile_casts_and_rules(&work, which);
        compile_made(&work, which);
    }
    printf("sm_%d: %d texts, %d of them left for the next run\n", chip, work.texts, work.left);
}

/* Compiling everything takes CPU minutes the first time, and nothing afterwards: work beyond the
 * time limit is left to the next run of the same build, or done with WEIR_ALL_TEXTS=1. */
TEST(every_text_compiles_for_every_chip)
{
    pid_t children[CHIPS];
    for (int i = 0; i < CHIPS; i++)
        children[i] = begin_child("kernel-texts", compile_for, chips[i]);
    for (int i = 0; i < CHIPS; i++)
        end_child(children[i], i);
}

TEST(the_error_holds_what_the_compiler_said)
{
    WEIR_BUF(binary);
    if (has_compiler())
        CHECK_FAILS(weir_cuda_compile("nonsense;", 90, &binary), WEIR_INTERNAL, "nonsense");
}

TEST_MAIN()
