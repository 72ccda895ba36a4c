/* tensorflow/c/tf_status.h - the result of a call.
 *
 * A status holds a code and a message, both as the last call left them. One thread at a time.
 */
#ifndef TENSORFLOW_C_TF_STATUS_H_
#define TENSORFLOW_C_TF_STATUS_H_

#include "tensorflow/c/c_api_macros.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The same object goes by two names: TF_ is this API's, TSL_ that of the libraries below it. */
typedef struct TSL_Status TSL_Status;
typedef struct TSL_Status TF_Status;

typedef enum TSL_Code {
    TSL_OK = 0,
    TSL_CANCELLED = 1,
    TSL_UNKNOWN = 2,
    TSL_INVALID_ARGUMENT = 3,
    TSL_DEADLINE_EXCEEDED = 4,
    TSL_NOT_FOUND = 5,
    TSL_ALREADY_EXISTS = 6,
    TSL_PERMISSION_DENIED = 7,
    TSL_RESOURCE_EXHAUSTED = 8,
    TSL_FAILED_PRECONDITION = 9,
    TSL_ABORTED = 10,
    TSL_OUT_OF_RANGE = 11,
    TSL_UNIMPLEMENTED = 12,
    TSL_INTERNAL = 13,
    TSL_UNAVAILABLE = 14,
    TSL_DATA_LOSS = 15,
    TSL_UNAUTHENTICATED = 16
} TSL_Code;

typedef TSL_Code TF_Code;
#define TF_OK TSL_OK
#define TF_CANCELLED TSL_CANCELLED
#define TF_UNKNOWN TSL_UNKNOWN
#define TF_INVALID_ARGUMENT TSL_INVALID_ARGUMENT
#define TF_DEADLINE_EXCEEDED TSL_DEADLINE_EXCEEDED
#define TF_NOT_FOUND TSL_NOT_FOUND
#define TF_ALREADY_EXISTS TSL_ALREADY_EXISTS
#define TF_PERMISSION_DENIED TSL_PERMISSION_DENIED
#define TF_RESOURCE_EXHAUSTED TSL_RESOURCE_EXHAUSTED
#define TF_FAILED_PRECONDITION TSL_FAILED_PRECONDITION
#define TF_ABORTED TSL_ABORTED
#define TF_OUT_OF_RANGE TSL_OUT_OF_RANGE
#define TF_UNIMPLEMENTED TSL_UNIMPLEMENTED
#define TF_INTERNAL TSL_INTERNAL
#define TF_UNAVAILABLE TSL_UNAVAILABLE
#define TF_DATA_LOSS TSL_DATA_LOSS
#define TF_UNAUTHENTICATED TSL_UNAUTHENTICATED

typedef void (*TSL_PayloadVisitor)(const char *key, const char *value, void *capture);
#define TF_PayloadVisitor TSL_PayloadVisitor

TF_CAPI_EXPORT extern TF_Status *TF_NewStatus(void); /* TF_OK and "" */
/* Takes null. What TF_Message returned ends with it. */
TF_CAPI_EXPORT extern void TF_DeleteStatus(TF_Status *);
/* Replaces code and message, and drops the payloads. */
TF_CAPI_EXPORT extern void TF_SetStatus(TF_Status *s, TF_Code code, const char *msg);
/* Attaches |value| to an error under |key|; TF_OK carries none. */
TF_CAPI_EXPORT extern void TF_SetPayload(TF_Status *s, const char *key, const char *value);
/* Calls |visitor| with each payload's key and value, which last for the call only. */
TF_CAPI_EXPORT extern void TF_ForEachPayload(const TF_Status *s, TF_PayloadVisitor visitor,
                                             void *capture);
/* From an errno: the code that fits it, and "<context>; <what errno says>". */
TF_CAPI_EXPORT extern void TF_SetStatusFromIOError(TF_Status *s, int error_code,
                                                   const char *context);
/* The status's code; TF_OK for success. */
TF_CAPI_EXPORT extern TF_Code TF_GetCode(const TF_Status *s);
TF_CAPI_EXPORT extern const char *TF_Message(const TF_Status *s); /* until |s| changes */

/* The TSL functions are the same as those of TF_Status, under the names of TSL. A status that
 * is OK; the caller's. */
TF_CAPI_EXPORT extern TSL_Status *TSL_NewStatus(void);
/* Frees it. Takes null. */
TF_CAPI_EXPORT extern void TSL_DeleteStatus(TSL_Status *);
/* Sets code and message, which is copied. */
TF_CAPI_EXPORT extern void TSL_SetStatus(TSL_Status *s, TSL_Code code, const char *msg);
/* Adds a payload; key and value are copied. Nothing on a status that is OK. */
TF_CAPI_EXPORT extern void TSL_SetPayload(TSL_Status *s, const char *key, const char *value);
/* Calls |visitor| with each payload's key and value, which last for the call only. */
TF_CAPI_EXPORT extern void TSL_ForEachPayload(const TSL_Status *s, TSL_PayloadVisitor visitor,
                                              void *capture);
/* The status of a failed system call: its errno, with |context| before the system's words. */
TF_CAPI_EXPORT extern void TSL_SetStatusFromIOError(TSL_Status *s, int error_code,
                                                    const char *context);
/* The status's code. */
TF_CAPI_EXPORT extern TSL_Code TSL_GetCode(const TSL_Status *s);
/* Its message, "" for OK; valid until the status changes. */
TF_CAPI_EXPORT extern const char *TSL_Message(const TSL_Status *s);

#ifdef __cplusplus
}
#endif

#endif
