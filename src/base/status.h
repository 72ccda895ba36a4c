/* base/status.h - the result of everything that can fail.
 *
 * A weir_status is one pointer: null is success. Otherwise it owns a code (the same numbers as
 * TF_Code and gRPC) and a message that gains context on the way up. The holder frees it exactly
 * once: by returning it, by weir_status_free, or by moving it elsewhere.
 */
#ifndef WEIR_BASE_STATUS_H
#define WEIR_BASE_STATUS_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum weir_code {
    WEIR_CODE_OK = 0,
    WEIR_CANCELLED = 1,
    WEIR_UNKNOWN = 2,
    WEIR_INVALID_ARGUMENT = 3,
    WEIR_DEADLINE_EXCEEDED = 4,
    WEIR_NOT_FOUND = 5,
    WEIR_ALREADY_EXISTS = 6,
    WEIR_PERMISSION_DENIED = 7,
    WEIR_RESOURCE_EXHAUSTED = 8,
    WEIR_FAILED_PRECONDITION = 9,
    WEIR_ABORTED = 10,
    WEIR_OUT_OF_RANGE = 11,
    WEIR_UNIMPLEMENTED = 12,
    WEIR_INTERNAL = 13,
    WEIR_UNAVAILABLE = 14,
    WEIR_DATA_LOSS = 15,
    WEIR_UNAUTHENTICATED = 16,
} weir_code;

typedef struct weir_status_rec *weir_status;

#define WEIR_OK ((weir_status)0)
#define WEIR_CHECKED __attribute__((warn_unused_result))
#define WEIR_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

/* Creates an error. The message has TensorFlow's wording where its clients test for it. */
WEIR_CHECKED weir_status weir_error(weir_code code, const char *fmt, ...) WEIR_PRINTF(2, 3)
    __attribute__((returns_nonnull));
/* The same with a message of known length and any bytes; any other number becomes UNKNOWN. */
WEIR_CHECKED weir_status weir_error_text(weir_code code, const char *text, size_t length);

weir_code weir_status_code(weir_status status);      /* of null: WEIR_CODE_OK */
const char *weir_status_message(weir_status status); /* of null: "" */
void weir_status_free(weir_status status);           /* takes null */
WEIR_CHECKED weir_status weir_status_copy(weir_status status);

/* Appends " text" to the message of an error; passes success through. */
WEIR_CHECKED weir_status weir_status_note(weir_status status, const char *fmt, ...)
    WEIR_PRINTF(2, 3);
/* Puts |prefix| before the message of an error; passes success through. */
WEIR_CHECKED weir_status weir_status_prefix(weir_status status, const char *fmt, ...)
    WEIR_PRINTF(2, 3);

/* Flags of an error; they are sent over the wire, too. */
enum {
    WEIR_DERIVED = 1,        /* follows from another error of the step, which is the cause */
    WEIR_PEER_RESTARTED = 2, /* the task lost the state that it was sent before */
};
WEIR_CHECKED weir_status weir_status_mark(weir_status status,
                                          unsigned marks); /* passes success through */
bool weir_status_is(weir_status status, unsigned mark);

const char *weir_code_name(weir_code code); /* "INVALID_ARGUMENT" */

#define WEIR_TRY(expr)                                                                             \
    do {                                                                                           \
        weir_status try_status_ = (expr);                                                          \
        if (__builtin_expect(try_status_ != WEIR_OK, 0))                                           \
            return try_status_;                                                                    \
    } while (0)

#define WEIR_TRY_NOTE(expr, ...)                                                                   \
    do {                                                                                           \
        weir_status try_status_ = (expr);                                                          \
        if (__builtin_expect(try_status_ != WEIR_OK, 0))                                           \
            return weir_status_note(try_status_, __VA_ARGS__);                                     \
    } while (0)

/* WEIR_OWNED(weir_plan) p = NULL; destroys p by weir_plan_destroy on every exit from the scope;
 * WEIR_TAKE(p) moves it out. A type opts in with WEIR_OWNABLE(weir_plan). */
#define WEIR_OWNABLE(type)                                                                         \
    static inline void type##_cleanup_(type **p)                                                   \
    {                                                                                              \
        if (*p)                                                                                    \
            type##_destroy(*p);                                                                    \
    }                                                                                              \
    struct weir_semicolon_
#define WEIR_OWNED(type) __attribute__((cleanup(type##_cleanup_))) type *
#define WEIR_TAKE(p)                                                                               \
    ({                                                                                             \
        __typeof__(p) take_ = (p);                                                                 \
        (p) = NULL;                                                                                \
        take_;                                                                                     \
    })

#endif
