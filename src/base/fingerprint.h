/* base/fingerprint.h - stable hashes: other programs depend on their values.
 *
 * (weir_hash_bytes of base/str.h is for tables inside the process and may change.)
 */
#ifndef WEIR_BASE_FINGERPRINT_H
#define WEIR_BASE_FINGERPRINT_H

#include "base/str.h"

/* FarmHash's 64-bit fingerprint: StringToHashBucketFast, Fingerprint. */
uint64_t weir_fingerprint64(weir_str str);
/* Combines two fingerprints; (a, b) and (b, a) differ: the hashes of SparseCross. */
uint64_t weir_fingerprint64_join(uint64_t a, uint64_t b);
/* MurmurHash64A with TensorFlow's seed: StringToHashBucket. */
uint64_t weir_murmur64(weir_str str);
/* SipHash-2-4: StringToHashBucketStrong. */
uint64_t weir_siphash64(uint64_t key0, uint64_t key1, weir_str str);

#endif
