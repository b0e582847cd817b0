// The finaliser of MurmurHash3 (Austin Appleby; public domain), a bijection that mixes well.
// Several schemes use it.
template <class U>
TAMIS_HOST_DEVICE constexpr U Murmur3Finish(U x) {
  x = (x ^ ShiftRight<33>(x)) * U(0xff51afd7ed558ccd);
  x = (x ^ ShiftRight<33>(x)) * U(0xc4ceb9fe1a85ec53);
  return x ^ ShiftRight<33>(x);
}
