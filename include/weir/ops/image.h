/* weir/ops/image.h - images: files, colours, sizes, boxes.
 *
 * Made by tools/ops_header.
 */
#ifndef WEIR_IMAGE_OPS_H
#define WEIR_IMAGE_OPS_H

#include "weir/ops/image/picture.h"
#include "weir/ops/image/sound.h"

#endif
