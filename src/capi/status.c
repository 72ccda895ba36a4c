/* capi/status.c - TF_Status, also under its name TSL_Status. */
#include "capi/status.h"

#include "capi/capi_impl.h"
#include "io/file.h"

static void drop_payloads(TF_Status *status)
{
    for (size_t i = 0; i < status->payloads.count; i++) {
        weir_free(status->payloads.at[i].key);
        weir_free(status->payloads.at[i].value);
    }
    weir_vec_fini(&status->payloads);
}

/* Frees the old message last: the new one may be part of it. */
static void set(TF_Status *status, TF_Code code, const char *message)
{
    char *old = status->message;
    status->code = code;
    status->message = code != TF_OK && message && *message ? weir_strdup(message) : NULL;
    weir_free(old);
    drop_payloads(status);
}

bool weir_capi_end(TF_Status *out, weir_status status)
{
    bool ok = status == WEIR_OK;
    set(out, (TF_Code)weir_status_code(status), weir_status_message(status));
    weir_status_free(status);
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

void TF_DeleteStatus(TF_Status *status)
{
    if (!status)
        return;
    set(status, TF_OK, NULL);
    weir_free(status);
}

void TF_SetStatus(TF_Status *status, TF_Code code, const char *msg)
{
    set(status, code, msg);
}

void TF_SetPayload(TF_Status *status, const char *key, const char *value)
{
    if (status->code == TF_OK)
        return;
    for (size_t i = 0; i < status->payloads.count; i++) {
        weir_payload *payload = &status->payloads.at[i];
        if (strcmp(payload->key, key) == 0) {
            weir_free(payload->value);
            payload->value = weir_strdup(value);
            return;
        }
    }
    weir_vec_push(&status->payloads, (weir_payload){weir_strdup(key), weir_strdup(value)});
}

void TF_ForEachPayload(const TF_Status *status, TF_PayloadVisitor visitor, void *capture)
{
    for (size_t i = 0; i < status->payloads.count; i++)
        visitor(status->payloads.at[i].key, status->payloads.at[i].value, capture);
}

void TF_SetStatusFromIOError(TF_Status *status, int error_code, const char *context)
{
    weir_capi_end(status, weir_file_error(context, error_code));
}

TF_Code TF_GetCode(const TF_Status *status)
{
    return status->code;
}

const char *TF_Message(const TF_Status *status)
{
    return status->message ? status->message : "";
}

/* ---- the other name -------------------------------------------------------------------------- */

TSL_Status *TSL_NewStatus(void)
{
    return TF_NewStatus();
}

void TSL_DeleteStatus(TSL_Status *status)
{
    TF_DeleteStatus(status);
}

void TSL_SetStatus(TSL_Status *status, TSL_Code code, const char *msg)
{
    TF_SetStatus(status, code, msg);
}

void TSL_SetPayload(TSL_Status *status, const char *key, const char *value)
{
    TF_SetPayload(status, key, value);
}

void TSL_ForEachPayload(const TSL_Status *status, TSL_PayloadVisitor visitor, void *capture)
{
    TF_ForEachPayload(status, visitor, capture);
}

void TSL_SetStatusFromIOError(TSL_Status *status, int error_code, const char *context)
{
    TF_SetStatusFromIOError(status, error_code, context);
}

TSL_Code TSL_GetCode(const TSL_Status *status)
{
    return TF_GetCode(status);
}

const char *TSL_Message(const TSL_Status *status)
{
    return TF_Message(status);
}
