/* weir/message.h - descriptors of the messages that Weir reads and writes. */
#ifndef WEIR_MESSAGE_H
#define WEIR_MESSAGE_H

#include "tensorflow/c/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Every message and enumeration, one a line, words separated by tabs:
 *   enum     package  name  value=number ...
 *   message  package  name  field ...
 *   entry    (empty)  name  field ...
 * A field is "name number type label of oneof", separated by spaces: type and label are lower-case
 * words (int32, bytes, message; one, repeated, packed, map, optional, case), |of| the index of the
 * field's message or enumeration among the lines of its kind (entries of maps count as messages),
 * |oneof| a name; "-" where there is none. */
TF_CAPI_EXPORT extern TF_Buffer *weir_message_schema(void);

#ifdef __cplusplus
}
#endif
#endif
