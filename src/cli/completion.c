/* cli/completion.c - weir completion: a completion script for bash, zsh or fish.
 *
 * The scripts contain no commands. They call "weir complete" (complete.c), which answers from the
 * table: a candidate per line, followed by a tab and a description, or ":file" and ":dir".
 */
#include "cli/completion.h"

#include <stdio.h>
#include <string.h>

#include "command/command.h"

const weir_shell weir_shells[WEIR_SHELLS] = {
    {"bash", "bash-completion/completions", "weir",
     "# Completes the words of weir in bash.\n"
     "_weir() {\n"
     "    local current=${COMP_WORDS[COMP_CWORD]} word\n"
     "    COMPREPLY=()\n"
     "    while IFS=$'\\t' read -r word _; do\n"
     "        case $word in\n"
     "        :file) compopt -o filenames 2>/dev/null\n"
     "            while read -r word; do COMPREPLY+=(\"$word\"); done < <(compgen -f -- "
     "\"$current\") ;;\n"
     "        :dir) compopt -o filenames 2>/dev/null\n"
     "            while read -r word; do COMPREPLY+=(\"$word\"); done < <(compgen -d -- "
     "\"$current\") ;;\n"
     "        *) COMPREPLY+=(\"$word\") ;;\n"
     "        esac\n"
     "    done < <(\"${COMP_WORDS[0]}\" complete -- \"${COMP_WORDS[@]:1:COMP_CWORD}\" "
     "2>/dev/null)\n"
     "}\n"
     "complete -F _weir weir\n"},
    {"zsh", "zsh/site-functions", "_weir",
     "#compdef weir\n"
     "_weir() {\n"
     "    local -a found\n"
     "    local word about\n"
     "    while IFS=$'\\t' read -r word about; do\n"
     "        case $word in\n"
     "        :file) _files ;;\n"
     "        :dir) _files -/ ;;\n"
     "        *) found+=(\"${word//:/\\\\:}:$about\") ;;\n"
     "        esac\n"
     "    done < <($words[1] complete -- \"${(@)words[2,$CURRENT]}\" 2>/dev/null)\n"
     "    (( $#found )) && _describe weir found\n"
     "}\n"
     "if [ \"$funcstack[1]\" = _weir ]; then _weir \"$@\"; else compdef _weir weir; fi\n"},
    {"fish", "fish/vendor_completions.d", "weir.fish",
     "# Completes the words of weir in fish.\n"
     "function __weir_complete\n"
     "    set -l words (commandline -opc)\n"
     "    set -l current (commandline -ct)\n"
     "    for line in ($words[1] complete -- $words[2..-1] \"$current\" 2>/dev/null)\n"
     "        switch $line\n"
     "            case ':file'\n"
     "                __fish_complete_path \"$current\"\n"
     "            case ':dir'\n"
     "                __fish_complete_directories \"$current\" ''\n"
     "            case '*'\n"
     "                echo $line\n"
     "        end\n"
     "    end\n"
     "end\n"
     "complete -c weir -f -a '(__weir_complete)'\n"},
};

static int completion(void *args, int argc, char **argv)
{
    for (int i = 0; i < WEIR_SHELLS; i++)
        if (strcmp(argv[0], weir_shells[i].name) == 0) {
            fputs(weir_shells[i].script, stdout);
            return WEIR_EXIT_OK;
        }
    return weir_cli_misuse("completion", "there are scripts for bash, zsh and fish, not for '%s'",
                           argv[0]);
}

const weir_command weir_command_completion = {
    .name = "completion",
    .summary = "print a completion script for a shell",
    .words = "bash|zsh|fish",
    .least = 1,
    .most = 1,
    .about = "Prints a script for shell completion of commands, options and their values. An "
             "installation puts it where the shell finds it; otherwise load it yourself:\n\n"
             "  source <(weir completion bash)",
    .run = completion,
};
