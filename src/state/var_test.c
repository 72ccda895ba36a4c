/* state/var_test.c - values that were read never change; locks are acquired in one order. */
#include "base/test.h"
#include "state/var.h"

static weir_tensor vector(float a, float b)
{
    weir_shape shape = weir_shape_vector(2);
    return weir_tensor_from(WEIR_FLOAT, &shape, (float[]){a, b});
}

static weir_var *make(void)
{
    weir_shape shape = weir_shape_vector(2);
    return weir_var_create(&weir_var_type, WEIR_FLOAT, &shape);
}

TEST(nothing_before_the_first_value)
{
    weir_var *v = make();
    weir_tensor t, *value;
    CHECK(!weir_var_initialized(v));
    CHECK(!weir_var_read(v, &t));
    CHECK_OK(weir_var_begin(v, &value));
    CHECK(!value);
    weir_var_end(v);
    weir_var_release(v);
}

TEST(a_writer_leaves_readers_alone)
{
    weir_var *v = make();
    weir_var_assign(v, vector(1, 2));
    weir_tensor before, *value, after;
    CHECK(weir_var_read(v, &before));
    CHECK_OK(weir_var_begin(v, &value));
    ((float *)value->data)[0] = 7;
    weir_var_end(v);
    CHECK(weir_var_read(v, &after));
    CHECK_NEAR(((float *)before.data)[0], 1, 0);
    CHECK_NEAR(((float *)after.data)[0], 7, 0);
    weir_tensor_release(&before);
    weir_tensor_release(&after);
    weir_var_release(v);
}

TEST(a_lone_value_is_changed_in_place)
{
    weir_var *v = make();
    weir_var_assign(v, vector(1, 2));
    weir_tensor *value;
    CHECK_OK(weir_var_begin(v, &value));
    void *place = value->data;
    weir_var_end(v);
    CHECK_OK(weir_var_begin(v, &value));
    CHECK(value->data == place);
    weir_var_end(v);
    weir_var_release(v);
}

TEST(several_at_once_may_repeat)
{
    weir_var *a = make(), *b = make();
    weir_var *one[] = {a, b, a}, *other[] = {b, a};
    weir_vars_lock(one, 3);
    weir_vars_unlock(one, 3);
    weir_vars_lock(other, 2);
    weir_vars_unlock(other, 2);
    weir_var_release(a);
    weir_var_release(b);
}

TEST_MAIN()
