// The schemes there are. See tamis/schemes.h, which includes this, and what it takes to add one.

#include "tamis/schemes/dcso-inl.h"
#include "tamis/schemes/double-inl.h"
#include "tamis/schemes/enhanced_double-inl.h"
#include "tamis/schemes/finish-inl.h"
#include "tamis/schemes/fnv1a-inl.h"
#include "tamis/schemes/murmur3_x64_128-inl.h"
#include "tamis/schemes/murmur3_x64_256-inl.h"
#include "tamis/schemes/pair32-inl.h"
#include "tamis/schemes/prehashed-inl.h"
#include "tamis/schemes/redis-inl.h"
#include "tamis/schemes/siphash-inl.h"
#include "tamis/schemes/spark_murmur3-inl.h"
#include "tamis/schemes/xxh3-inl.h"
#include "tamis/schemes/xxh64-inl.h"

using HashSchemes = Types<Xxh64Hash, Xxh3Hash, Murmur3X64Hash, Fnv1aHash, SipHash24, PrehashedHash,
                          Fnv1Dcso, SparkMurmur3, RedisMurmur2, BitsAndBloomsHash>;
using ProbeSchemes =
    Types<EnhancedDouble, DcsoProbe, Pair32, SparkV2, GuavaProbe, RedisProbe, BitsAndBloomsProbe>;
