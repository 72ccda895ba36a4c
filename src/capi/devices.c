/* capi/devices.c - TF_DeviceList: a copy of a session's device list. */
#include "capi/capi_impl.h"

weir_status weir_capi_list_devices(const TF_Session *session, TF_DeviceList **out_list)
{
    weir_devices devices;
    WEIR_TRY(weir_session_list_devices(session->session, &devices));
    TF_DeviceList *list = WEIR_NEW(TF_DeviceList);
    list->devices = devices;
    *out_list = list;
    return WEIR_OK;
}

void TF_DeleteDeviceList(TF_DeviceList *list)
{
    if (!list)
        return;
    weir_devices_fini(&list->devices);
    weir_free(list);
}

int TF_DeviceListCount(const TF_DeviceList *list)
{
    return list->devices.count;
}

/* The device, or null and an error. */
static const weir_device_info *at(const TF_DeviceList *list, int index, TF_Status *status)
{
    bool inside = index >= 0 && index < list->devices.count;
    weir_capi_end(status,
                  inside ? WEIR_OK : weir_error(WEIR_INVALID_ARGUMENT, "index out of bounds"));
    return inside ? &list->devices.at[index] : NULL;
}

const char *TF_DeviceListName(const TF_DeviceList *list, int index, TF_Status *status)
{
    const weir_device_info *info = at(list, index, status);
    return info ? info->name : NULL;
}

const char *TF_DeviceListType(const TF_DeviceList *list, int index, TF_Status *status)
{
    const weir_device_info *info = at(list, index, status);
    return info ? info->type : NULL;
}

int64_t TF_DeviceListMemoryBytes(const TF_DeviceList *list, int index, TF_Status *status)
{
    const weir_device_info *info = at(list, index, status);
    return info ? info->memory_bytes : -1;
}

uint64_t TF_DeviceListIncarnation(const TF_DeviceList *list, int index, TF_Status *status)
{
    const weir_device_info *info = at(list, index, status);
    return info ? info->incarnation : 0;
}
