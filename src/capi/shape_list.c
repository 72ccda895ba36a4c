/* capi/shape_list.c - TF_ShapeAndTypeList, and TFE_InferShapes over it. */
#include <stdio.h>

#include "capi/eager_impl.h"
#include "tensorflow/c/c_api_experimental.h"

/* ---- lists ----------------------------------------------------------------------------------- */

TF_ShapeAndTypeList *TF_NewShapeAndTypeList(int num_shapes)
{
    TF_ShapeAndTypeList *list = WEIR_NEW(TF_ShapeAndTypeList);
    list->num_items = num_shapes;
    list->items = WEIR_NEW_ARRAY(TF_ShapeAndType, num_shapes);
    return list;
}

void TF_ShapeAndTypeListSetShape(TF_ShapeAndTypeList *list, int index, const int64_t *dims,
                                 int num_dims)
{
    TF_ShapeAndType *item = &list->items[index];
    weir_free(item->dims);
    item->num_dims = num_dims;
    item->dims = WEIR_NEW_ARRAY(int64_t, num_dims);
    if (num_dims)
        memcpy(item->dims, dims, sizeof *dims * (size_t)num_dims);
}

void TF_ShapeAndTypeListSetUnknownShape(TF_ShapeAndTypeList *list, int index)
{
    TF_ShapeAndType *item = &list->items[index];
    weir_free(item->dims);
    item->num_dims = -1;
    item->dims = NULL;
}

void TF_ShapeAndTypeListSetDtype(TF_ShapeAndTypeList *list, int index, TF_DataType dtype)
{
    list->items[index].dtype = dtype;
}

void TF_DeleteShapeAndTypeList(TF_ShapeAndTypeList *list)
{
    if (!list)
        return;
    for (int i = 0; i < list->num_items; i++)
        weir_free(list->items[i].dims);
    weir_free(list->items);
    weir_free(list);
}

void TF_DeleteShapeAndTypeListArray(TF_ShapeAndTypeList **array, int num_items)
{
    if (!array)
        return;
    for (int i = 0; i < num_items; i++)
        TF_DeleteShapeAndTypeList(array[i]);
    weir_free(array);
}

/* ---- inference ------------------------------------------------------------------------------- */

/* Adds an input to a separate graph: as a constant if its value is known, else as a placeholder of
 * the given shape. */
static weir_status add_input(weir_graph *graph, int i, const TF_ShapeAndType *what,
                             const TF_Tensor *value, weir_edge *out)
{
    char name[24];
    weir_shape shape;
    weir_node *node;
    snprintf(name, sizeof name, "in_%d", i);
    int type = value ? (int)value->t.dtype : (int)what->dtype;
    WEIR_TRY(weir_shape_make(what->dims, what->num_dims < 0 ? -1 : what->num_dims, &shape));
    weir_named_attr constant[] = {weir_a_type("dtype", type),
                                  weir_a_tensor("value", value ? &value->t : NULL)};
    weir_named_attr open[] = {weir_a_type("dtype", type), weir_a_shape("shape", &shape)};
    WEIR_TRY(weir_graph_add(graph,
                            &(weir_node_spec){.name = name,
                                              .op = value ? "Const" : "Placeholder",
                                              .attrs = value ? constant : open,
                                              .attr_count = 2},
                            &node));
    *out = (weir_edge){node, 0};
    return WEIR_OK;
}

static weir_status infer(TFE_Op *op, const TF_ShapeAndTypeList *inputs, TF_Tensor **values,
                         weir_graph *graph, weir_edge *edges, weir_node **out)
{
    for (int i = 0; i < inputs->num_items; i++)
        WEIR_TRY(add_input(graph, i, &inputs->items[i], values ? values[i] : NULL, &edges[i]));
    weir_node_spec spec = {.name = "op",
                           .op = op->name,
                           .in = edges,
                           .in_count = inputs->num_items,
                           .attrs = op->set.attrs.at,
                           .attr_count = (int)op->set.attrs.count};
    return weir_graph_add(graph, &spec, out);
}

static TF_ShapeAndTypeList *shapes_of(const weir_node *node)
{
    TF_ShapeAndTypeList *list = TF_NewShapeAndTypeList(node->site.out_count);
    for (int i = 0; i < node->site.out_count; i++) {
        const weir_shape *shape = &node->out_shapes[i];
        if (shape->rank < 0)
            TF_ShapeAndTypeListSetUnknownShape(list, i);
        else
            TF_ShapeAndTypeListSetShape(list, i, shape->dims, shape->rank);
        TF_ShapeAndTypeListSetDtype(list, i, (TF_DataType)node->site.out_types[i]);
    }
    return list;
}

void TFE_InferShapes(TFE_Op *op, TF_ShapeAndTypeList *input_shapes, TF_Tensor **input_tensors,
                     TF_ShapeAndTypeList *input_tensor_as_shapes,
                     TF_ShapeAndTypeList **input_resource_shapes_and_types,
                     TF_ShapeAndTypeList **output_shapes,
                     TF_ShapeAndTypeList ***output_resource_shapes_and_types, TF_Status *status)
{
    weir_graph *graph = weir_graph_create(weir_catalogue());
    weir_edge *edges = WEIR_NEW_ARRAY(weir_edge, input_shapes->num_items);
    weir_node *node = NULL;
    if (weir_capi_end(status, infer(op, input_shapes, input_tensors, graph, edges, &node)))
        *output_shapes = shapes_of(node);
    weir_free(edges);
    weir_graph_destroy(graph);
}
