/* cli/abi.c - weir abi: whether Weir defines the TensorFlow symbols that a program needs. */
#include <stdio.h>

#include "cli/commands.h"
#include "cli/elf.h"
#include "command/output.h"
#include "io/file.h"
#include "proc/spawn.h"

typedef struct abi_args {
    int format;
    bool all;
} abi_args;

static bool begins(weir_str name, const char *with)
{
    size_t length = strlen(with);
    return name.length >= length && memcmp(name.at, with, length) == 0;
}

/* TensorFlow's C API. Its C++ names are not a stable interface. */
static bool is_tensorflow(weir_str name)
{
    return begins(name, "TF_") || begins(name, "TFE_") || begins(name, "TSL_");
}

/* A mangled name of TensorFlow's C++ library. */
static bool is_internal(weir_str name)
{
    return begins(name, "_ZN10tensorflow") || begins(name, "_ZNK10tensorflow") ||
           begins(name, "_ZN3tsl");
}

/* libweir.so beside the command or in the installation. */
static weir_status read_library(elf_symbols *out)
{
    static const char *const places[] = {"libweir.so", "../lib/libweir.so",
                                         "../lib/x86_64-linux-gnu/libweir.so",
                                         "../lib64/libweir.so"};
    weir_str bin = weir_path_dir(run_binary());
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        WEIR_BUF(path);
        weir_buf_addf(&path, "%.*s/%s", WEIR_STR_ARG(bin), places[i]);
        if (weir_path_exists(path.at))
            return elf_read(path.at, out);
    }
    return weir_error(WEIR_NOT_FOUND, "libweir.so is not beside %s", run_binary());
}

static weir_map names_of(const elf_symbols *library)
{
    weir_map names = {0};
    for (size_t i = 0; i < library->defined.count; i++)
        weir_map_put(&names, library->defined.at[i], "");
    return names;
}

static int report(const abi_args *args, const elf_symbols *program, const elf_symbols *library)
{
    weir_map names = names_of(library);
    int64_t have = 0, missing = 0, internal = 0;
    weir_output *output = weir_output_begin(args->format);
    weir_output_table(output, NULL);
    weir_output_columns(output, "symbol,weir");
    for (size_t i = 0; i < program->needed.count; i++) {
        weir_str name = program->needed.at[i];
        bool found = is_tensorflow(name) && weir_map_get(&names, name);
        have += found;
        missing += is_tensorflow(name) && !found;
        internal += is_internal(name);
        if (!is_internal(name) && (!is_tensorflow(name) || (found && !args->all)))
            continue;
        weir_output_row(output);
        weir_output_str(output, "symbol", name);
        weir_output_text(output, "weir", found ? "yes" : is_internal(name) ? "C++" : "no");
    }
    if (!have && !missing && !internal)
        weir_output_remark(output, "It is not linked to TensorFlow; a library that it opens while "
                                   "it runs does not show.");
    else
        weir_output_remark(output, "%lld of %lld functions of TensorFlow's C API are in Weir%s",
                           (long long)have, (long long)(have + missing),
                           internal ? "; C++ names are of TensorFlow's own library only" : "");
    weir_output_end(output);
    weir_map_fini(&names);
    return missing || internal ? WEIR_EXIT_FAILED : WEIR_EXIT_OK;
}

static int abi(void *args, int argc, char **argv)
{
    elf_symbols program = {0}, library = {0};
    (void)argc;
    weir_status status = elf_read(argv[0], &program);
    if (!status)
        status = read_library(&library);
    int code = status ? weir_cli_fail_status("Give it a program or a shared library.", status)
                      : report(args, &program, &library);
    elf_fini(&program);
    elf_fini(&library);
    return code;
}

static const weir_option options[] = {
    {"all", 'a', NULL, "also list the symbols that Weir has", WEIR_FLAG(abi_args, all)},
    WEIR_OUTPUT_OPTION(abi_args, format),
};

const weir_command weir_command_abi = {
    .name = "abi",
    .summary = "list a program's TensorFlow symbols that Weir lacks",
    .words = "BINARY",
    .least = 1,
    .most = 1,
    .about = "Reads the TensorFlow symbols that BINARY, a program or a shared library, needs "
             "for dynamic linking, and lists those that Weir lacks. The exit status is 0 if "
             "none is missing: BINARY then runs with Weir in place of libtensorflow.so.\n\n"
             "  weir abi /usr/bin/env  # a program that needs nothing of TensorFlow\n"
             "  weir abi --all /usr/bin/env -o json",
    WEIR_OPTIONS(options),
    WEIR_ARGS(abi_args),
    .hint = WEIR_HINT_FILE,
    .run = abi,
};
