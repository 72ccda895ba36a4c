/* tensorflow/core/platform/ctstring_internal.h - how a string element is laid out.
 *
 * 24 bytes in one of four forms, told apart by the low two bits of byte 0:
 *
 *   small   byte 0 = length << 2, up to 22 bytes from byte 1, then a NUL
 *   large   length << 2 | 1, capacity, bytes from malloc, NUL-terminated
 *   offset  length << 2 | 2 and the distance from the string itself to its bytes
 *   view    length << 2 | 3, bytes of somebody else, and who keeps them (or null)
 *
 * 24 zero bytes are an empty string. The layout is shared by all who link with the library, so the
 * functions below are part of the ABI though they are compiled into their callers.
 */
#ifndef TENSORFLOW_CORE_PLATFORM_CTSTRING_INTERNAL_H_
#define TENSORFLOW_CORE_PLATFORM_CTSTRING_INTERNAL_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "string elements are laid out for little-endian machines"
#endif

typedef enum TF_TString_Type {
    TF_TSTR_SMALL = 0,
    TF_TSTR_LARGE = 1,
    TF_TSTR_OFFSET = 2,
    TF_TSTR_VIEW = 3,
    TF_TSTR_TYPE_MASK = 3
} TF_TString_Type;

/* Keeps the bytes of views alive; unref tells whether that was the last one. */
struct TStringOwnerCApi;
typedef void (*tstring_owner_ref_t)(struct TStringOwnerCApi *self);
typedef bool (*tstring_owner_unref_t)(struct TStringOwnerCApi *self);
typedef struct TStringOwnerCApi {
    tstring_owner_ref_t ref;
    tstring_owner_unref_t unref;
    void *obj;
} TStringOwnerCApi;

typedef struct TF_TString_Large {
    size_t size; /* length << 2 | TF_TSTR_LARGE */
    size_t cap;  /* bytes that fit, without the NUL */
    char *ptr;
} TF_TString_Large;

typedef struct TF_TString_Offset {
    uint32_t size; /* length << 2 | TF_TSTR_OFFSET */
    uint32_t offset;
    uint32_t count;
} TF_TString_Offset;

typedef struct TF_TString_View {
    size_t size; /* length << 2 | TF_TSTR_VIEW */
    const char *ptr;
    TStringOwnerCApi *owner_ref;
} TF_TString_View;

typedef struct TF_TString_Raw {
    uint8_t raw[24];
} TF_TString_Raw;

typedef union TF_TString_Union {
    TF_TString_Large large;
    TF_TString_Offset offset;
    TF_TString_View view;
    TF_TString_Raw raw;
} TF_TString_Union;

enum { TF_TString_SmallCapacity = sizeof(TF_TString_Union) - 2 };

typedef struct TF_TString_Small {
    uint8_t size; /* length << 2 */
    char str[TF_TString_SmallCapacity + 1];
} TF_TString_Small;

typedef struct TF_TString {
    union {
        TF_TString_Small smll;
        TF_TString_Large large;
        TF_TString_Offset offset;
        TF_TString_View view;
        TF_TString_Raw raw;
    } u;
} TF_TString;

static inline TF_TString_Type TF_TString_GetType(const TF_TString *str)
{
    return (TF_TString_Type)(str->u.raw.raw[0] & TF_TSTR_TYPE_MASK);
}

/* Lengths as stored, and back. */
static inline size_t TF_TString_ToInternalSizeT(size_t size, TF_TString_Type type)
{
    return size << 2 | (size_t)type;
}
static inline size_t TF_TString_ToActualSizeT(size_t size)
{
    return size >> 2;
}

static inline size_t TF_TString_GetSize(const TF_TString *str)
{
    switch (TF_TString_GetType(str)) {
    case TF_TSTR_SMALL:
        return str->u.smll.size >> 2;
    case TF_TSTR_OFFSET:
        return str->u.offset.size >> 2;
    default: /* the length of large strings and views lies in the same place */
        return str->u.large.size >> 2;
    }
}

/* Bytes that fit without asking for memory; 0 for what the string does not own. */
static inline size_t TF_TString_GetCapacity(const TF_TString *str)
{
    switch (TF_TString_GetType(str)) {
    case TF_TSTR_SMALL:
        return TF_TString_SmallCapacity;
    case TF_TSTR_LARGE:
        return str->u.large.cap;
    default:
        return 0;
    }
}

static inline const char *TF_TString_GetDataPointer(const TF_TString *str)
{
    switch (TF_TString_GetType(str)) {
    case TF_TSTR_SMALL:
        return str->u.smll.str;
    case TF_TSTR_LARGE:
        return str->u.large.ptr;
    case TF_TSTR_OFFSET:
        return (const char *)str + str->u.offset.offset;
    default:
        return str->u.view.ptr;
    }
}

static inline void TF_TString_Init(TF_TString *str)
{
    memset(str, 0, sizeof *str);
}

static inline void TF_TString_Dealloc(TF_TString *str)
{
    if (TF_TString_GetType(str) == TF_TSTR_LARGE)
        free(str->u.large.ptr);
    else if (TF_TString_GetType(str) == TF_TSTR_VIEW && str->u.view.owner_ref)
        str->u.view.owner_ref->unref(str->u.view.owner_ref);
    TF_TString_Init(str);
}

/* Sets the length of a small or large string, and the NUL behind it. */
static inline char *TF_TString_SetLength_(TF_TString *str, size_t size)
{
    char *data;
    if (TF_TString_GetType(str) == TF_TSTR_SMALL) {
        str->u.smll.size = (uint8_t)(size << 2);
        data = str->u.smll.str;
    } else {
        str->u.large.size = TF_TString_ToInternalSizeT(size, TF_TSTR_LARGE);
        data = str->u.large.ptr;
    }
    data[size] = '\0';
    return data;
}

/* Makes it a small or large string with room for |new_cap| bytes, keeping its bytes. */
static inline void TF_TString_Reserve(TF_TString *str, size_t new_cap)
{
    const TF_TString_Type type = TF_TString_GetType(str);
    const size_t size = TF_TString_GetSize(str);
    const char *old = TF_TString_GetDataPointer(str);
    TF_TString fresh;

    if (new_cap < size)
        new_cap = size;
    if (type != TF_TSTR_OFFSET && type != TF_TSTR_VIEW && new_cap <= TF_TString_GetCapacity(str))
        return;
    TF_TString_Init(&fresh);
    if (new_cap > TF_TString_SmallCapacity) {
        fresh.u.large.cap = ((new_cap + 16) & ~(size_t)15) - 1; /* a multiple of 16 with the NUL */
        fresh.u.large.ptr = (char *)malloc(fresh.u.large.cap + 1);
        fresh.u.large.size = TF_TSTR_LARGE;
    }
    if (size)
        memcpy((char *)TF_TString_GetDataPointer(&fresh), old, size);
    TF_TString_SetLength_(&fresh, size);
    TF_TString_Dealloc(str);
    *str = fresh;
}

/* The same, growing at least to double, for appending. */
static inline void TF_TString_ReserveAmortized(TF_TString *str, size_t new_cap)
{
    const size_t cap = TF_TString_GetCapacity(str);
    if (new_cap > cap)
        TF_TString_Reserve(str, new_cap > 2 * cap ? new_cap : 2 * cap);
}

/* Bytes that may be written: those of others are copied first. */
static inline char *TF_TString_GetMutableDataPointer(TF_TString *str)
{
    TF_TString_Reserve(str, TF_TString_GetSize(str));
    return (char *)TF_TString_GetDataPointer(str);
}

/* Bytes beyond the old length hold anything. A string that becomes short moves into the struct. */
static inline char *TF_TString_ResizeUninitialized(TF_TString *str, size_t new_size)
{
    const size_t size = TF_TString_GetSize(str);
    if (new_size <= TF_TString_SmallCapacity && TF_TString_GetType(str) != TF_TSTR_SMALL) {
        TF_TString fresh;
        TF_TString_Init(&fresh);
        memcpy(fresh.u.smll.str, TF_TString_GetDataPointer(str), size < new_size ? size : new_size);
        TF_TString_Dealloc(str);
        *str = fresh;
    } else {
        TF_TString_Reserve(str, new_size);
    }
    return TF_TString_SetLength_(str, new_size);
}

static inline char *TF_TString_Resize(TF_TString *str, size_t new_size, char c)
{
    const size_t size = TF_TString_GetSize(str);
    char *data = TF_TString_ResizeUninitialized(str, new_size);
    if (new_size > size)
        memset(data + size, c, new_size - size);
    return data;
}

static inline void TF_TString_AssignViewWithOwner(TF_TString *dst, const char *src, size_t size,
                                                  TStringOwnerCApi *owner_ref)
{
    if (owner_ref)
        owner_ref->ref(owner_ref);
    TF_TString_Dealloc(dst);
    dst->u.view.size = TF_TString_ToInternalSizeT(size, TF_TSTR_VIEW);
    dst->u.view.ptr = src;
    dst->u.view.owner_ref = owner_ref;
}

static inline void TF_TString_AssignView(TF_TString *dst, const char *src, size_t size)
{
    TF_TString_AssignViewWithOwner(dst, src, size, NULL);
}

static inline void TF_TString_AppendN(TF_TString *dst, const char *src, size_t size)
{
    const size_t old = TF_TString_GetSize(dst);
    if (!size)
        return;
    TF_TString_ReserveAmortized(dst, old + size);
    memcpy(TF_TString_ResizeUninitialized(dst, old + size) + old, src, size);
}

static inline void TF_TString_Append(TF_TString *dst, const TF_TString *src)
{
    TF_TString_AppendN(dst, TF_TString_GetDataPointer(src), TF_TString_GetSize(src));
}

static inline void TF_TString_Copy(TF_TString *dst, const char *src, size_t size)
{
    char *data = TF_TString_ResizeUninitialized(dst, size);
    if (size)
        memcpy(data, src, size);
}

/* Views stay views; every other form is copied. */
static inline void TF_TString_Assign(TF_TString *dst, const TF_TString *src)
{
    if (dst == src)
        return;
    if (TF_TString_GetType(src) == TF_TSTR_VIEW)
        TF_TString_AssignViewWithOwner(dst, src->u.view.ptr, TF_TString_GetSize(src),
                                       src->u.view.owner_ref);
    else
        TF_TString_Copy(dst, TF_TString_GetDataPointer(src), TF_TString_GetSize(src));
}

/* |src| is left empty. An offset string becomes a view, because it cannot leave its place. */
static inline void TF_TString_Move(TF_TString *dst, TF_TString *src)
{
    if (dst == src)
        return;
    TF_TString_Dealloc(dst);
    if (TF_TString_GetType(src) == TF_TSTR_OFFSET)
        TF_TString_AssignView(dst, TF_TString_GetDataPointer(src), TF_TString_GetSize(src));
    else
        *dst = *src;
    TF_TString_Init(src);
}

#endif
