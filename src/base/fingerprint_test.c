/* base/fingerprint_test.c - hashes of strings of every length class, as TensorFlow computes them.
 */
#include "base/fingerprint.h"

#include "base/test.h"

static weir_str repeat(char *room, char c, size_t n)
{
    memset(room, c, n);
    return (weir_str){room, n};
}

TEST(as_tensorflow)
{
    static const uint64_t buckets = 1ull << 40;
    char x[17], y[33], z[65], w[200];
    weir_str strings[] = {WEIR_STR(""),       WEIR_STR("a"),        WEIR_STR("ab"),
                          WEIR_STR("abcd"),   WEIR_STR("abcdefgh"), repeat(x, 'x', 17),
                          repeat(y, 'y', 33), repeat(z, 'z', 65),   repeat(w, 'w', 200)};
    static const int64_t murmur[] = {142163811899, 825286642172, 265970285603,
                                     849642289285, 519226784850, 522267767094,
                                     434597400394, 48639762694,  637175156208};
    static const int64_t farm[] = {254201053263, 436859794915, 353305994526,
                                   954726318337, 178522695945, 695575064485,
                                   984302882558, 273332821813, 31020218240};
    static const int64_t sip[] = {336760406889, 612973522111, 17467921663,
                                  550686800291, 248964897938, 1004757969397,
                                  207979193100, 82950276989,  515433519979};
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) {
        CHECK_EQ(weir_murmur64(strings[i]) % buckets, murmur[i]);
        CHECK_EQ(weir_fingerprint64(strings[i]) % buckets, farm[i]);
        CHECK_EQ(weir_siphash64(3, 5, strings[i]) % buckets, sip[i]);
    }
}

TEST_MAIN()
