/* capi/tstring.c - the exported forms of the functions that clients also compile in. */
#include "tensor/tstring.h"
#include "capi/capi_impl.h"

_Static_assert(sizeof(TF_TString) == sizeof(weir_tstring), "one layout for string elements");

void TF_StringInit(TF_TString *tstring)
{
    TF_TString_Init(tstring);
}

void TF_StringCopy(TF_TString *dst, const char *src, size_t size)
{
    weir_tstring_set((weir_tstring *)dst, src, size); /* retries when out of memory */
    weir_tstring_uncount((weir_tstring *)dst);
}

void TF_StringAssignView(TF_TString *dst, const char *src, size_t size)
{
    TF_TString_AssignView(dst, src, size);
}

const char *TF_StringGetDataPointer(const TF_TString *tstr)
{
    return TF_TString_GetDataPointer(tstr);
}

TF_TString_Type TF_StringGetType(const TF_TString *str)
{
    return TF_TString_GetType(str);
}

size_t TF_StringGetSize(const TF_TString *tstr)
{
    return TF_TString_GetSize(tstr);
}

size_t TF_StringGetCapacity(const TF_TString *str)
{
    return TF_TString_GetCapacity(str);
}

void TF_StringDealloc(TF_TString *tstr)
{
    TF_TString_Dealloc(tstr);
}
