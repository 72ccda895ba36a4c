/* dash/assets.c - the page, its script and its style, embedded in the library. */
#include <inttypes.h>
#include <stdio.h>
#include <sys/random.h>

#include "dash/dash_impl.h"

/* The files' bytes; the build sets their paths and rebuilds this when one changes. */
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

/* A page with inline style, so that nothing delays the first paint. A nonce, which no other page
 * can know, allows the inline parts. */
static void put_page(const char *begin, const char *end, weir_http_reply *reply)
{
    static const char link[] = "<link rel=\"stylesheet\" href=\"page.css\">";
    const char *at = memmem(begin, (size_t)(end - begin), link, sizeof link - 1);
    uint64_t number;
    if (!at || getrandom(&number, sizeof number, 0) != sizeof number) {
        weir_buf_add(&reply->body, begin, (size_t)(end - begin));
        return;
    }
    snprintf(reply->nonce, sizeof reply->nonce, "%016" PRIx64, number);
    weir_buf_add(&reply->body, begin, (size_t)(at - begin));
    weir_buf_addf(&reply->body, "<style nonce=\"%s\">", reply->nonce);
    weir_buf_add(&reply->body, weir_asset_style, (size_t)(weir_asset_end_style - weir_asset_style));
    weir_buf_adds(&reply->body, "</style>");
    at += sizeof link - 1;
    weir_buf_add(&reply->body, at, (size_t)(end - at));
}

bool weir_dash_asset(weir_str path, weir_http_reply *reply)
{
    for (size_t i = 0; i < sizeof assets / sizeof *assets; i++) {
        if (!weir_str_is(path, assets[i].path))
            continue;
        reply->type = assets[i].type;
        reply->policy = "default-src 'none'; script-src 'self'; "
                        "img-src 'self' data:; connect-src 'self'; base-uri 'none'; "
                        "form-action 'none'; frame-ancestors 'none'; style-src 'self'";
        put_page(assets[i].begin, assets[i].end, reply);
        return true;
    }
    return false;
}
