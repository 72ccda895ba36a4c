/* ops/device/device_impl.h - shared by the device kernels, for ops/device only. */
#ifndef WEIR_OPS_DEVICE_DEVICE_IMPL_H
#define WEIR_OPS_DEVICE_DEVICE_IMPL_H

#include "gpu/unit.h"
#include "op/device.h"
#include "ops/common/elem_of.h"
#include "ops/common/ndcopy.h"

static inline weir_gpu_unit *weir_unit_of(const weir_call *call)
{
    return (weir_gpu_unit *)call->site->memory;
}

/* Launches |kernel| of layers.cl for |elem| over |items| work items. */
#define WEIR_LAYER(call, elem, kernel, items, ...)                                                 \
    weir_device_layer(call, elem, kernel, items, (weir_gpu_arg[]){__VA_ARGS__},                    \
                      sizeof((weir_gpu_arg[]){__VA_ARGS__}) / sizeof(weir_gpu_arg))
WEIR_CHECKED weir_status weir_device_layer(const weir_call *call, weir_elem elem,
                                           const char *kernel, int64_t items,
                                           const weir_gpu_arg *args, size_t count);

/* Images with channels and sliding windows, as in layers.cl. */
typedef struct weir_patches {
    int64_t batch, channels, in[2], out[2], taps[2], stride[2], dilation[2], pad[2];
} weir_patches;

/* The code of an integer index type in kernels: its size in bytes, plus 16 if unsigned. */
enum { WEIR_DEVICE_INDEX64 = 8 };
int32_t weir_device_index_kind(weir_dtype dtype);

/* Arguments of a launch. */
#define AT(tensor) WEIR_GPU_AT((tensor)->data)
#define VALUE(variable) WEIR_GPU_VALUE(variable)

/* Memory for a few launches; weir_buffer_release may follow the launch immediately. */
WEIR_CHECKED weir_status weir_device_scratch(const weir_call *call, size_t bytes,
                                             weir_buffer **out_buffer);
/* Runs a unary loop over |count| elements. */
WEIR_CHECKED weir_status weir_device_unary(const weir_call *call, int op, weir_elem elem,
                                           int64_t count, const void *x, void *y);
/* Runs a binary loop; a step of 0 broadcasts one element. */
WEIR_CHECKED weir_status weir_device_binary(const weir_call *call, int op, weir_elem elem,
                                            int64_t count, const void *x, int64_t x_step,
                                            const void *y, int64_t y_step, void *z);
/* Reduces the middle one of three dimensions. */
WEIR_CHECKED weir_status weir_device_reduce(const weir_call *call, int op, weir_elem elem,
                                            int64_t outer, int64_t length, int64_t inner,
                                            const void *x, void *y);
/* Whether 32-bit indices suffice for all tensors of a call. */
bool weir_device_narrow(const weir_call *call, int64_t items);
/* |tensor| broadcast to |shape|: itself if it has that shape, or a copy. The caller releases it. */
WEIR_CHECKED weir_status weir_device_expand(const weir_call *call, const weir_tensor *tensor,
                                            const weir_shape *shape, weir_tensor *out_tensor);

/* ---- images with channels last (channels.cl) ---- */

typedef struct weir_images {
    weir_elem elem;
    int quad;             /* channels per work item: 1, 4 or 8 */
    int64_t count, width; /* number of elements or quads: in total, and per pixel */
    int64_t channels;
} weir_images;

/* Channels of a pixel per work item, given |bits|, the bitwise or of all addresses. */
int weir_device_quad(weir_elem elem, int64_t channels, uintptr_t bits);
/* |count| elements with |channels| per pixel, over the tensors of |call|. */
weir_images weir_device_images(const weir_call *call, weir_elem elem, int64_t count,
                               int64_t channels);
/* Launches a kernel of channels.cl. */
#define WEIR_CHANNELS(call, images, kernel, items, ...)                                            \
    weir_device_channels(call, images, kernel, items, (weir_gpu_arg[]){__VA_ARGS__},               \
                         sizeof((weir_gpu_arg[]){__VA_ARGS__}) / sizeof(weir_gpu_arg))
WEIR_CHECKED weir_status weir_device_channels(const weir_call *call, const weir_images *images,
                                              const char *kernel, int64_t items,
                                              const weir_gpu_arg *args, size_t count);

/* Partial sums, one row per group: the result of kernels that also sum channels. */
typedef struct weir_sums {
    weir_buffer *buffer; /* the caller releases it */
    int64_t groups;      /* of the launch; 0: no launch and no buffer */
    size_t bytes;        /* of one part */
} weir_sums;
#define WEIR_SUMS_AT(sums, part) ((char *)(sums)->buffer->data + (sums)->bytes * (size_t)(part))
WEIR_CHECKED weir_status weir_device_sums_begin(const weir_call *call, const weir_images *images,
                                                int parts, weir_sums *out_sums);
/* Adds up the partial sums, times |factor|; |wide|: the result has the accumulator type. */
WEIR_CHECKED weir_status weir_device_sums_join(const weir_call *call, const weir_images *images,
                                               const weir_sums *sums, int part, double factor,
                                               bool wide, void *result);
/* The sums over pixels of all channels; |wide| as above. */
WEIR_CHECKED weir_status weir_device_sum_channels(const weir_call *call, weir_elem elem,
                                                  int64_t count, int64_t channels, bool wide,
                                                  const void *x, void *result);
/* Converts |count| elements to another type. */
WEIR_CHECKED weir_status weir_device_convert(const weir_call *call, weir_elem from, weir_elem to,
                                             int64_t count, const void *x, void *y);

/* y = x + bias along the last dimension, with optional Relu; x may alias y. */
WEIR_CHECKED weir_status weir_device_add_bias(const weir_call *call, const weir_tensor *x,
                                              const weir_tensor *bias, const weir_tensor *y,
                                              bool relu);

bool weir_device_has_cell(const weir_site *site);     /* for _Cell: all of its loops */
bool weir_device_has_elements(const weir_site *site); /* for _Elements: its whole program */

/* Kernels. */
weir_status weir_device_unary_loop(weir_call *call);
weir_status weir_device_binary_loop(weir_call *call);
weir_status weir_device_scaled_loop(weir_call *call);
weir_status weir_device_unary_mode(weir_call *call); /* .mode selects the loop */
weir_status weir_device_binary_mode(weir_call *call);
weir_status weir_device_add(weir_call *call);
weir_status weir_device_add_n(weir_call *call);
weir_status weir_device_logical_not(weir_call *call);
weir_status weir_device_cast(weir_call *call);
weir_status weir_device_reduction(weir_call *call);
weir_status weir_device_select(weir_call *call);
weir_status weir_device_arg_max(weir_call *call);
weir_status weir_device_zeros(weir_call *call);
weir_status weir_device_ones(weir_call *call);
weir_status weir_device_fill(weir_call *call);
weir_status weir_device_pad(weir_call *call);
weir_status weir_device_gather(weir_call *call);
weir_status weir_device_one_hot(weir_call *call);
weir_status weir_device_gather_nd(weir_call *call);
weir_status weir_device_tensor_scatter(weir_call *call);
weir_status weir_device_scatter_nd(weir_call *call);
weir_status weir_device_scatter_nd_var(weir_call *call);
weir_status weir_device_segment_sum(weir_call *call);
weir_status weir_device_cumulate(weir_call *call);
weir_status weir_device_clip(weir_call *call);
weir_status weir_device_mat_mul(weir_call *call);
weir_status weir_device_batch_mat_mul(weir_call *call);
weir_status weir_device_conv(weir_call *call);
weir_status weir_device_conv_grad_x(weir_call *call);
weir_status weir_device_conv_grad_w(weir_call *call);
weir_status weir_device_max_pool(weir_call *call);
weir_status weir_device_max_pool_grad(weir_call *call);
weir_status weir_device_avg_pool(weir_call *call);
weir_status weir_device_avg_pool_grad(weir_call *call);
weir_status weir_device_bias_add(weir_call *call);
weir_status weir_device_bias_add_grad(weir_call *call);
weir_status weir_device_conv_bias(weir_call *call);
weir_status weir_device_relu_bias_grad(weir_call *call);
weir_status weir_device_slice_relu_bias_grad(weir_call *call);
weir_status weir_device_max_pool_relu_grad(weir_call *call);
weir_status weir_device_max_pool_places(weir_call *call);
weir_status weir_device_places_grad(weir_call *call);
weir_status weir_device_elements(weir_call *call);
weir_status weir_device_cell(weir_call *call);
weir_status weir_device_mat_mul_sum(weir_call *call);
weir_status weir_device_softmax(weir_call *call);
weir_status weir_device_cross_entropy(weir_call *call);
weir_status weir_device_sparse_cross_entropy(weir_call *call);
weir_status weir_device_batch_norm(weir_call *call);
weir_status weir_device_batch_norm_grad(weir_call *call);
weir_status weir_device_lrn(weir_call *call);
weir_status weir_device_lrn_grad(weir_call *call);
weir_status weir_device_leaky_relu(weir_call *call);
weir_status weir_device_leaky_relu_grad(weir_call *call);
weir_status weir_device_l2_loss(weir_call *call);
weir_status weir_device_assign_update(weir_call *call);
weir_status weir_device_scatter(weir_call *call);
weir_status weir_device_uniform(weir_call *call);
weir_status weir_device_apply(weir_call *call);
weir_status weir_device_apply_narrow(weir_call *call);
weir_status weir_device_apply_many(weir_call *call);
/* Runs a CPU kernel that only moves elements on the device; several moves of one kind are merged
 * into one launch if no two of them overlap. */
weir_status weir_device_moved(weir_call *call);
weir_status weir_device_moved_pieces(weir_call *call);

#endif
