/* fuzz/image.c - any bytes as a picture of each format. */
#include "io/image.h"
#include "base/mem.h"

enum { MOST_PIXELS = 1 << 20 };

static void decode(weir_image_kind kind, weir_str bytes, int channels, int bits)
{
    weir_image_info info;
    weir_image_want want = {.bits = bits, .jpeg = {.ratio = 1, .try_recover_truncated = true}};
    weir_status s = weir_image_inspect(kind, bytes, &want, &info);
    if (!s && info.height * info.width * info.frames <= MOST_PIXELS) {
        want.channels = channels ? channels : info.channels;
        void *pixels = weir_alloc((size_t)(info.height * info.width * info.frames) *
                                  (size_t)want.channels * (size_t)(bits / 8));
        s = weir_image_decode(&info, bytes, &want, pixels);
        weir_free(pixels);
    }
    weir_status_free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    weir_str bytes = {(const char *)data, size};
    decode(WEIR_IMAGE_PNG, bytes, 0, 8);
    decode(WEIR_IMAGE_PNG, bytes, 4, 16);
    decode(WEIR_IMAGE_JPEG, bytes, 3, 8);
    decode(WEIR_IMAGE_GIF, bytes, 3, 8);
    decode(WEIR_IMAGE_BMP, bytes, 0, 8);
    return 0;
}
