/* dash/assets.c - the page, its script and its style, as part of the library. */
#include "dash/dash_impl.h"

/* The files' bytes; the build says where they are and rebuilds this when one changes. */
#define WEIR_ASSET(name, file)                                                                     \
    __asm__(".section .rodata\n"                                                                   \
            "weir_asset_" #name ": .incbin \"" WEIR_PAGE_DIR "/" file "\"\n"                       \
            "weir_asset_end_" #name ": .byte 0\n"                                                  \
            ".previous\n");                                                                        \
    extern const char weir_asset_##name[], weir_asset_end_##name[]

WEIR_ASSET(html, "index.html");
WEIR_ASSET(script, "page.js");
WEIR_ASSET(style, "page.css");
WEIR_ASSET(guide, "guide.html");

static const struct {
    const char *path, *type;
    const char *begin, *end;
} assets[] = {
    {"/", "text/html; charset=utf-8", weir_asset_html, weir_asset_end_html},
    {"/docs", "text/html; charset=utf-8", weir_asset_guide, weir_asset_end_guide},
    {"/page.js", "text/javascript; charset=utf-8", weir_asset_script, weir_asset_end_script},
    {"/page.css", "text/css; charset=utf-8", weir_asset_style, weir_asset_end_style},
};

bool weir_dash_asset(weir_str path, weir_http_reply *reply)
{
    for (size_t i = 0; i < sizeof assets / sizeof *assets; i++) {
        if (!weir_str_is(path, assets[i].path))
            continue;
        reply->type = assets[i].type;
        reply->policy = "default-src 'none'; script-src 'self'; style-src 'self'; "
                        "img-src 'self' data:; connect-src 'self'; base-uri 'none'; "
                        "form-action 'none'; frame-ancestors 'none'";
        weir_buf_add(&reply->body, assets[i].begin, (size_t)(assets[i].end - assets[i].begin));
        return true;
    }
    return false;
}
