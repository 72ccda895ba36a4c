/* net/source_impl.h - an event source, referenced by an epoll event's data. */
#ifndef WEIR_NET_SOURCE_IMPL_H
#define WEIR_NET_SOURCE_IMPL_H

typedef struct weir_source {
    void (*ready)(struct weir_source *self, unsigned events); /* on the I/O thread */
} weir_source;

#define WEIR_SOURCE_OWNER(self, type, field) ((type *)((char *)(self)-offsetof(type, field)))

#endif
