/* command/terminal.c - terminal width and colour. */
#include "command/terminal.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/env.h"

int weir_terminal_columns(FILE *stream)
{
    struct winsize size;
    int fd = fileno(stream);
    if (!isatty(fd))
        return 0;
    return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 80;
}

static bool is_dumb(void)
{
    const char *term = weir_env_value("TERM");
    return !term || !*term || strcmp(term, "dumb") == 0;
}

int weir_terminal_bar(FILE *stream)
{
    return is_dumb() ? 0 : weir_terminal_columns(stream);
}

bool weir_terminal_color(FILE *stream)
{
    const char *off = weir_env_value("NO_COLOR");
    return !(off && *off) && !is_dumb() && isatty(fileno(stream));
}
