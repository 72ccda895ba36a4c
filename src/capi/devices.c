/* capi/devices.c - TF_DeviceList: what a session knows of its devices, copied. */
#include "capi/capi_impl.h"

TF_DeviceList *weir_capi_devices(const weir_session *s)
{
    TF_DeviceList *list = WEIR_NEW(TF_DeviceList);
    list->count = weir_session_device_count(s);
    list->at = WEIR_NEW_ARRAY(weir_device_info, list->count);
    for (int i = 0; i < list->count; i++) {
        list->at[i] = weir_session_device(s, i);
        list->at[i].name = weir_strdup(list->at[i].name);
        list->at[i].type = weir_strdup(list->at[i].type);
    }
    return list;
}

weir_status weir_capi_remote_devices(weir_grpc_session *c, TF_DeviceList **out_list)
{
    weir_device_info *devices;
    int count;
    WEIR_TRY(weir_grpc_session_devices(c, &devices, &count));
    TF_DeviceList *list = WEIR_NEW(TF_DeviceList);
    *list = (TF_DeviceList){count, devices};
    *out_list = list;
    return WEIR_OK;
}

void TF_DeleteDeviceList(TF_DeviceList *list)
{
    if (!list)
        return;
    for (int i = 0; i < list->count; i++) {
        weir_free((char *)list->at[i].name);
        weir_free((char *)list->at[i].type);
    }
    weir_free(list->at);
    weir_free(list);
}

int TF_DeviceListCount(const TF_DeviceList *list)
{
    return list->count;
}

/* The device, or null and an error. */
static const weir_device_info *at(const TF_DeviceList *list, int index, TF_Status *status)
{
    bool inside = index >= 0 && index < list->count;
    weir_capi_end(status,
                  inside ? WEIR_OK : weir_error(WEIR_INVALID_ARGUMENT, "index out of bounds"));
    return inside ? &list->at[index] : NULL;
}

const char *TF_DeviceListName(const TF_DeviceList *list, int index, TF_Status *status)
{
    const weir_device_info *d = at(list, index, status);
    return d ? d->name : NULL;
}

const char *TF_DeviceListType(const TF_DeviceList *list, int index, TF_Status *status)
{
    const weir_device_info *d = at(list, index, status);
    return d ? d->type : NULL;
}

int64_t TF_DeviceListMemoryBytes(const TF_DeviceList *list, int index, TF_Status *status)
{
    const weir_device_info *d = at(list, index, status);
    return d ? d->memory_bytes : -1;
}

uint64_t TF_DeviceListIncarnation(const TF_DeviceList *list, int index, TF_Status *status)
{
    const weir_device_info *d = at(list, index, status);
    return d ? d->incarnation : 0;
}
