/* cli/demo_model.c - the demo's network. */
#include "cli/demo_model.h"

#include <string.h>

enum { CLASSES = 10, VARIABLES = 4 };

static bool ok(const weir_model *m)
{
    return TF_GetCode(m->status) == TF_OK;
}

/* ---- nodes --------------------------------------------------------------------------------------
 */

static TF_Tensor *tensor(TF_DataType type, int rank, const int64_t *dims, const void *values)
{
    size_t bytes = TF_DataTypeSize(type);
    for (int i = 0; i < rank; i++)
        bytes *= (size_t)dims[i];
    TF_Tensor *t = TF_AllocateTensor(type, dims, rank, bytes);
    memcpy(TF_TensorData(t), values, bytes);
    return t;
}

static TF_Output finish(weir_model *m, TF_OperationDescription *d)
{
    TF_Status *own = TF_NewStatus(); /* the first failure is the one worth telling */
    TF_Operation *op = TF_FinishOperation(d, own);
    if (ok(m) && TF_GetCode(own) != TF_OK)
        TF_SetStatus(m->status, TF_GetCode(own), TF_Message(own));
    TF_DeleteStatus(own);
    return (TF_Output){op, 0};
}

/* A node with up to three inputs; the rest of its attrs have defaults. */
static TF_Output node(weir_model *m, const char *type, const char *name, int count,
                      const TF_Output *inputs)
{
    TF_OperationDescription *d = TF_NewOperation(m->graph, type, name);
    for (int i = 0; i < count; i++) {
        if (!inputs[i].oper) /* an input failed, and its status tells more */
            return finish(m, d);
        TF_AddInput(d, inputs[i]);
    }
    return finish(m, d);
}
#define NODE(m, type, name, ...)                                                                   \
    node(m, type, name, sizeof((TF_Output[]){__VA_ARGS__}) / sizeof(TF_Output),                    \
         (TF_Output[]){__VA_ARGS__})

static TF_Output constant(weir_model *m, const char *name, TF_DataType type, int rank,
                          const int64_t *dims, const void *values)
{
    TF_OperationDescription *d = TF_NewOperation(m->graph, "Const", name);
    TF_Tensor *t = tensor(type, rank, dims, values);
    TF_SetAttrType(d, "dtype", type);
    TF_SetAttrTensor(d, "value", t, m->status);
    TF_DeleteTensor(t);
    return finish(m, d);
}

static TF_Output placeholder(weir_model *m, const char *name, TF_DataType type, int rank,
                             const int64_t *dims)
{
    TF_OperationDescription *d = TF_NewOperation(m->graph, "Placeholder", name);
    TF_SetAttrType(d, "dtype", type);
    TF_SetAttrShape(d, "shape", dims, rank);
    return finish(m, d);
}

/* ---- variables ----------------------------------------------------------------------------------
 */

typedef struct variable {
    TF_Output ref;   /* what updates take */
    TF_Output value; /* as it was when the step read it, whenever it is updated */
    TF_Operation *init;
} variable;

static TF_Output random_start(weir_model *m, const char *name, int64_t rows, int64_t columns,
                              float spread)
{
    const int64_t pair = 2;
    int32_t shape[] = {(int32_t)rows, (int32_t)columns};
    char label[64];
    strcat(strcpy(label, name), "/shape");
    TF_Output dims = constant(m, label, TF_INT32, 1, &pair, shape);
    strcat(strcpy(label, name), "/spread");
    TF_Output scale = constant(m, label, TF_FLOAT, 0, NULL, &spread);
    strcat(strcpy(label, name), "/random");
    TF_OperationDescription *d = TF_NewOperation(m->graph, "TruncatedNormal", label);
    TF_AddInput(d, dims);
    TF_SetAttrType(d, "dtype", TF_FLOAT);
    TF_SetAttrInt(d, "seed", 7);
    TF_SetAttrInt(d, "seed2", rows);
    TF_Output random = finish(m, d);
    strcat(strcpy(label, name), "/start");
    return NODE(m, "Mul", label, random, scale);
}

static TF_Output zero_start(weir_model *m, const char *name, int64_t count)
{
    static const float zeros[1024];
    char label[64];
    strcat(strcpy(label, name), "/start");
    return constant(m, label, TF_FLOAT, 1, &count, zeros);
}

static variable make_variable(weir_model *m, const char *name, int rank, const int64_t *dims,
                              TF_Output start)
{
    TF_OperationDescription *d = TF_NewOperation(m->graph, "VariableV2", name);
    TF_SetAttrType(d, "dtype", TF_FLOAT);
    TF_SetAttrShape(d, "shape", dims, rank);
    variable v = {.ref = finish(m, d)};
    char label[64];
    strcat(strcpy(label, name), "/set");
    v.init = NODE(m, "Assign", label, v.ref, start).oper;
    strcat(strcpy(label, name), "/read");
    v.value = NODE(m, "Identity", label, v.ref);
    return v;
}

static void make_variables(weir_model *m, int hidden, variable v[VARIABLES])
{
    const int64_t w1[] = {m->pixel_count, hidden}, w2[] = {hidden, CLASSES};
    v[0] = make_variable(m, "w1", 2, w1, random_start(m, "w1", w1[0], w1[1], 0.1f));
    v[1] = make_variable(m, "b1", 1, &w1[1], zero_start(m, "b1", w1[1]));
    v[2] = make_variable(m, "w2", 2, w2, random_start(m, "w2", w2[0], w2[1], 0.1f));
    v[3] = make_variable(m, "b2", 1, &w2[1], zero_start(m, "b2", w2[1]));
}

/* ---- the network --------------------------------------------------------------------------------
 */

static TF_Output mean(weir_model *m, const char *name, TF_Output values)
{
    const int64_t one = 1;
    const int32_t axis = 0;
    char label[64];
    strcat(strcpy(label, name), "/axis");
    return NODE(m, "Mean", name, values, constant(m, label, TF_INT32, 1, &one, &axis));
}

/* Labels as rows of probabilities. */
static TF_Output one_hot(weir_model *m)
{
    const int32_t classes = CLASSES;
    const float on = 1, off = 0;
    TF_Output parts[] = {m->labels, constant(m, "one_hot/classes", TF_INT32, 0, NULL, &classes),
                         constant(m, "one_hot/on", TF_FLOAT, 0, NULL, &on),
                         constant(m, "one_hot/off", TF_FLOAT, 0, NULL, &off)};
    TF_OperationDescription *d = TF_NewOperation(m->graph, "OneHot", "one_hot");
    for (int i = 0; i < 4; i++)
        TF_AddInput(d, parts[i]);
    return finish(m, d);
}

static void forward(weir_model *m, const variable v[VARIABLES])
{
    const int64_t dims[] = {-1, m->pixel_count};
    const int32_t last = 1;
    m->pixels = placeholder(m, "pixels", TF_FLOAT, 2, dims);
    m->labels = placeholder(m, "labels", TF_INT32, 1, dims);

    TF_Output h = NODE(m, "MatMul", "hidden/product", m->pixels, v[0].value);
    h = NODE(m, "Relu", "hidden", NODE(m, "BiasAdd", "hidden/sum", h, v[1].value));
    TF_Output logits = NODE(m, "MatMul", "logits/product", h, v[2].value);
    logits = NODE(m, "BiasAdd", "logits", logits, v[3].value);
    m->loss =
        mean(m, "loss", NODE(m, "SoftmaxCrossEntropyWithLogits", "losses", logits, one_hot(m)));

    TF_Output axis = constant(m, "guesses/axis", TF_INT32, 0, NULL, &last);
    m->guesses = NODE(m, "ArgMax", "guesses", logits, axis);
    TF_OperationDescription *d = TF_NewOperation(m->graph, "Cast", "labels/wide");
    TF_AddInput(d, m->labels);
    TF_SetAttrType(d, "DstT", TF_INT64);
    TF_Output right = NODE(m, "Equal", "right", m->guesses, finish(m, d));
    d = TF_NewOperation(m->graph, "Cast", "right/number");
    TF_AddInput(d, right);
    TF_SetAttrType(d, "DstT", TF_FLOAT);
    m->accuracy = mean(m, "accuracy", finish(m, d));
}

static int count_nodes(const weir_model *m)
{
    int count = 0;
    for (size_t at = 0; TF_GraphNextOperation(m->graph, &at);)
        count++;
    return count;
}

/* Adds gradients of the loss, an update of every variable, and a node that stands for all. */
static void backward(weir_model *m, const variable v[VARIABLES], float rate)
{
    TF_Output values[VARIABLES], gradients[VARIABLES];
    for (int i = 0; i < VARIABLES; i++)
        values[i] = v[i].value;
    int before = count_nodes(m);
    TF_AddGradients(m->graph, &m->loss, 1, values, VARIABLES, NULL, m->status, gradients);
    if (!ok(m))
        return;
    m->gradient_count = count_nodes(m) - before;

    TF_Output step = constant(m, "rate", TF_FLOAT, 0, NULL, &rate);
    TF_OperationDescription *train = TF_NewOperation(m->graph, "NoOp", "train");
    TF_OperationDescription *init = TF_NewOperation(m->graph, "NoOp", "init");
    static const char *const names[VARIABLES] = {"w1/update", "b1/update", "w2/update",
                                                 "b2/update"};
    for (int i = 0; i < VARIABLES; i++) {
        TF_Output update = NODE(m, "ApplyGradientDescent", names[i], v[i].ref, step, gradients[i]);
        if (update.oper)
            TF_AddControlInput(train, update.oper);
        if (v[i].init)
            TF_AddControlInput(init, v[i].init);
    }
    m->train = finish(m, train).oper;
    m->init = finish(m, init).oper;
    m->node_count = count_nodes(m);
}

static void open_session(weir_model *m)
{
    TF_SessionOptions *options = TF_NewSessionOptions();
    m->session = TF_NewSession(m->graph, options, m->status);
    TF_DeleteSessionOptions(options);
    if (ok(m))
        TF_SessionRun(m->session, NULL, NULL, NULL, 0, NULL, NULL, 0,
                      (const TF_Operation *const *)&m->init, 1, NULL, m->status);
}

void weir_model_init(weir_model *m, int pixel_count, int hidden, float rate)
{
    variable v[VARIABLES];
    *m = (weir_model){.pixel_count = pixel_count};
    m->status = TF_NewStatus();
    m->graph = TF_NewGraph();
    make_variables(m, hidden, v);
    forward(m, v);
    if (ok(m))
        backward(m, v, rate);
    if (ok(m))
        open_session(m);
}

void weir_model_fini(weir_model *m)
{
    TF_Status *s = TF_NewStatus();
    if (m->session)
        TF_DeleteSession(m->session, s);
    TF_DeleteGraph(m->graph);
    TF_DeleteStatus(m->status);
    TF_DeleteStatus(s);
}

/* ---- steps --------------------------------------------------------------------------------------
 */

weir_score weir_model_step(weir_model *m, int count, const float *pixels, const int32_t *labels,
                           bool learn)
{
    weir_score score = {0};
    if (!ok(m))
        return score;
    const int64_t dims[] = {count, m->pixel_count};
    TF_Output feeds[] = {m->pixels, m->labels}, fetches[] = {m->loss, m->accuracy};
    TF_Tensor *in[] = {tensor(TF_FLOAT, 2, dims, pixels), tensor(TF_INT32, 1, dims, labels)};
    TF_Tensor *out[2] = {0};
    TF_SessionRun(m->session, NULL, feeds, in, 2, fetches, out, 2,
                  (const TF_Operation *const *)&m->train, learn, NULL, m->status);
    if (ok(m)) {
        score.loss = *(float *)TF_TensorData(out[0]);
        score.accuracy = *(float *)TF_TensorData(out[1]);
        TF_DeleteTensor(out[0]);
        TF_DeleteTensor(out[1]);
    }
    TF_DeleteTensor(in[0]);
    TF_DeleteTensor(in[1]);
    return score;
}

void weir_model_guess(weir_model *m, int count, const float *pixels, int64_t *out_digits)
{
    if (!ok(m))
        return;
    const int64_t dims[] = {count, m->pixel_count};
    TF_Tensor *in = tensor(TF_FLOAT, 2, dims, pixels), *out = NULL;
    TF_SessionRun(m->session, NULL, &m->pixels, &in, 1, &m->guesses, &out, 1, NULL, 0, NULL,
                  m->status);
    if (ok(m)) {
        memcpy(out_digits, TF_TensorData(out), (size_t)count * sizeof *out_digits);
        TF_DeleteTensor(out);
    }
    TF_DeleteTensor(in);
}
