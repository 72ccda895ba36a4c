/* op/rendezvous.h - where a sent tensor meets its receiver, by key, within one step.
 *
 * A shared object with a table of functions, so that a step over several processes can put its own
 * behind the same contract. Thread-safe.
 */
#ifndef WEIR_OP_RENDEZVOUS_H
#define WEIR_OP_RENDEZVOUS_H

#include "base/ref.h"
#include "tensor/tensor.h"

typedef struct weir_rendezvous weir_rendezvous;
/* Takes over the reference in |t| (empty when dead or failed) and the status. */
typedef void (*weir_received)(void *arg, weir_status s, weir_tensor t, bool dead);

struct weir_rendezvous {
    weir_ref ref;
    /* Takes over |t|. */
    weir_status (*send)(weir_rendezvous *r, weir_str key, weir_tensor t, bool dead);
    /* Calls |done| once: at once when the tensor is there, else when it comes or on abort. */
    void (*recv)(weir_rendezvous *r, weir_str key, weir_received done, void *arg);
    /* Every waiting and later recv and send fails with a copy of |why|, which is taken. */
    void (*abort)(weir_rendezvous *r, weir_status why);
};

weir_rendezvous *weir_rendezvous_create(void); /* within this process */
static inline void weir_rendezvous_release(weir_rendezvous *r)
{
    weir_ref_release((weir_ref *)r);
}
/* TensorFlow's key: "src_device;incarnation;dst_device;edge;frame:iteration". */
void weir_rendezvous_key(weir_buf *out, const char *src_device, uint64_t incarnation,
                         const char *dst_device, const char *edge, uint64_t frame,
                         int64_t iteration);

#endif
