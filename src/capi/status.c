/* capi/status.c - TF_Status, also under its name TSL_Status. */
#include "capi/status.h"

#include "capi/capi_impl.h"
#include "io/file.h"

static void drop_payloads(TF_Status *s)
{
    for (size_t i = 0; i < s->payloads.count; i++) {
        weir_free(s->payloads.at[i].key);
        weir_free(s->payloads.at[i].value);
    }
    weir_vec_fini(&s->payloads);
}

/* The old message goes last: the new one may be part of it. */
static void set(TF_Status *s, TF_Code code, const char *message)
{
    char *old = s->message;
    s->code = code;
    s->message = code != TF_OK && message && *message ? weir_strdup(message) : NULL;
    weir_free(old);
    drop_payloads(s);
}

bool weir_capi_end(TF_Status *out, weir_status s)
{
    bool ok = s == WEIR_OK;
    set(out, (TF_Code)weir_status_code(s), weir_status_message(s));
    weir_status_free(s);
    return ok;
}

weir_status weir_capi_status(const TF_Status *status)
{
    if (status->code == TF_OK)
        return WEIR_OK;
    const char *text = TF_Message(status);
    return weir_error_text((weir_code)status->code, text, strlen(text));
}

TF_Status *TF_NewStatus(void)
{
    return WEIR_NEW(TF_Status);
}

void TF_DeleteStatus(TF_Status *s)
{
    if (!s)
        return;
    set(s, TF_OK, NULL);
    weir_free(s);
}

void TF_SetStatus(TF_Status *s, TF_Code code, const char *msg)
{
    set(s, code, msg);
}

void TF_SetPayload(TF_Status *s, const char *key, const char *value)
{
    if (s->code == TF_OK)
        return;
    for (size_t i = 0; i < s->payloads.count; i++) {
        weir_payload *p = &s->payloads.at[i];
        if (strcmp(p->key, key) == 0) {
            weir_free(p->value);
            p->value = weir_strdup(value);
            return;
        }
    }
    weir_vec_push(&s->payloads, (weir_payload){weir_strdup(key), weir_strdup(value)});
}

void TF_ForEachPayload(const TF_Status *s, TF_PayloadVisitor visitor, void *capture)
{
    for (size_t i = 0; i < s->payloads.count; i++)
        visitor(s->payloads.at[i].key, s->payloads.at[i].value, capture);
}

void TF_SetStatusFromIOError(TF_Status *s, int error_code, const char *context)
{
    weir_capi_end(s, weir_file_error(context, error_code));
}

TF_Code TF_GetCode(const TF_Status *s)
{
    return s->code;
}

const char *TF_Message(const TF_Status *s)
{
    return s->message ? s->message : "";
}

/* ---- the other name -------------------------------------------------------------------------- */

TSL_Status *TSL_NewStatus(void)
{
    return TF_NewStatus();
}

void TSL_DeleteStatus(TSL_Status *s)
{
    TF_DeleteStatus(s);
}

void TSL_SetStatus(TSL_Status *s, TSL_Code code, const char *msg)
{
    TF_SetStatus(s, code, msg);
}

void TSL_SetPayload(TSL_Status *s, const char *key, const char *value)
{
    TF_SetPayload(s, key, value);
}

void TSL_ForEachPayload(const TSL_Status *s, TSL_PayloadVisitor visitor, void *capture)
{
    TF_ForEachPayload(s, visitor, capture);
}

void TSL_SetStatusFromIOError(TSL_Status *s, int error_code, const char *context)
{
    TF_SetStatusFromIOError(s, error_code, context);
}

TSL_Code TSL_GetCode(const TSL_Status *s)
{
    return TF_GetCode(s);
}

const char *TSL_Message(const TSL_Status *s)
{
    return TF_Message(s);
}
