/* op/rendezvous.h - hands sent tensors to their receivers, by key, within one step.
 *
 * A shared object with a table of functions, so that distributed steps can supply their own
 * implementation. Thread-safe.
 */
#ifndef WEIR_OP_RENDEZVOUS_H
#define WEIR_OP_RENDEZVOUS_H

#include "base/ref.h"
#include "tensor/tensor.h"

typedef struct weir_rendezvous weir_rendezvous;
/* Takes over the reference in |tensor| (empty when dead or failed) and the status. */
typedef void (*weir_received)(void *arg, weir_status status, weir_tensor tensor, bool dead);

struct weir_rendezvous {
    weir_ref ref;
    /* Takes over |tensor|. */
    weir_status (*send)(weir_rendezvous *rendezvous, weir_str key, weir_tensor tensor, bool dead);
    /* Calls |done| once: at once if the tensor has been sent, else when it is sent or on abort. */
    void (*recv)(weir_rendezvous *rendezvous, weir_str key, weir_received done, void *arg);
    /* Every pending and later recv and send fails with a copy of |why|, which is taken over. */
    void (*abort)(weir_rendezvous *rendezvous, weir_status why);
};

weir_rendezvous *weir_rendezvous_create(void); /* within this process */
static inline void weir_rendezvous_release(weir_rendezvous *rendezvous)
{
    weir_ref_release((weir_ref *)rendezvous);
}
/* For rendezvous of weir_rendezvous_create: removes the receiver of |key| with this |arg|. True
 * when it was pending: its done is not called. */
bool weir_rendezvous_forget(weir_rendezvous *rendezvous, weir_str key, void *arg);
bool weir_rendezvous_idle(weir_rendezvous *rendezvous); /* likewise: no value, no receiver */
bool weir_rendezvous_awaits(weir_rendezvous *rendezvous,
                            weir_str key); /* likewise: a receiver is pending */

/* TensorFlow's key is "src_device;incarnation;dst_device;edge;frame:iteration". Appends it up to
 * the frame: the part that is the same in every run ... */
void weir_rendezvous_key(weir_buf *out, weir_str src_device, uint64_t incarnation,
                         weir_str dst_device, weir_str edge);
/* ... and the rest. */
void weir_rendezvous_frame(weir_buf *out, uint64_t frame, int64_t iteration);

/* The parts of a key; views of it. */
typedef struct weir_parsed_key {
    weir_str src_device, dst_device, edge, frame;
    uint64_t incarnation;
} weir_parsed_key;
/* INVALID_ARGUMENT "Invalid  rendezvous key: ..." */
WEIR_CHECKED weir_status weir_rendezvous_parse(weir_str key, weir_parsed_key *out_key);

#endif
