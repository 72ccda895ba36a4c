/* session/catalogue.c - the process's ops: built-in ones, and those of libraries. */
#include "session/session.h"

#define WEIR_OP(name) extern const weir_op weir_op_##name;
#include "ops/ops.inc"
#undef WEIR_OP

static const weir_op *const ops[] = {
#define WEIR_OP(name) &weir_op_##name,
#include "ops/ops.inc"
#undef WEIR_OP
};

static weir_registry *registry;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make(void)
{
    registry = weir_registry_create(ops, sizeof ops / sizeof *ops);
}

const weir_registry *weir_catalogue(void)
{
    pthread_once(&once, make);
    return registry;
}

weir_status weir_catalogue_add(const weir_op *op)
{
    pthread_once(&once, make);
    return weir_registry_add(registry, op);
}
