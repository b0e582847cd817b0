// What a batch on a filter of several layers works in: the keys that are still in the running, and
// the pool that lends it to one call after the other, so that a call allocates nothing once as many
// exist as run at once.
#ifndef TAMIS_CORE_CANDIDATES_H_
#define TAMIS_CORE_CANDIDATES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <numeric>
#include <utility>
#include <vector>

#include "tamis/answers.h"
#include "tamis/engine.h"

namespace tamis {

// Keys by hash and by index in their piece.
struct Candidates {
  size_t words = 1;              // of a hash
  std::vector<uint64_t> hashes;  // as many a key
  std::vector<uint32_t> indices;
  std::vector<uint8_t> answers;

  void Start(const Engine& engine, const Spec& spec, const Keys& keys) {
    words = static_cast<size_t>(spec.hash_words());
    hashes.resize(keys.size() * words);
    indices.resize(keys.size());
    answers.resize(AnswerBytes(keys.size()));
    engine.Hash(spec, keys, hashes);
    std::iota(indices.begin(), indices.end(), 0U);
  }
  uint64_t size() const { return indices.size(); }
  Keys All() const { return Keys::Hashes(hashes, static_cast<int>(words)); }
  Keys First(uint64_t count) const { return All().Slice(0, count); }

  // Drops those from `first` on that `layer` has.
  void DropPresent(const Engine& engine, const Filter& layer, uint64_t first) {
    const uint64_t asked = size() - first;
    if (first == 0 && layer.inserted() == 0) return;
    engine.Contains(layer, All().Slice(first, asked), answers);
    uint64_t kept = 0;
    for (uint64_t i = 0; i < asked; ++i) {
      for (size_t word = 0; word < words; ++word) {
        hashes[kept * words + word] = hashes[(first + i) * words + word];
      }
      indices[kept] = indices[first + i];
      kept += AnswerAt(answers.data(), i) ? 0 : 1;
    }
    hashes.resize(kept * words);
    indices.resize(kept);
  }
};

// Lends objects; safe from many threads. It outlives what it lends.
template <class T>
class Pool {
 public:
  class Return {
   public:
    explicit Return(Pool* pool) : pool_(pool) {}
    void operator()(T* object) const { pool_->TakeBack(std::unique_ptr<T>(object)); }

   private:
    Pool* pool_;
  };
  using Lease = std::unique_ptr<T, Return>;

  Lease Borrow() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) {
      free_.reserve(++made_);  // so that taking back never fails
      return Lease(std::make_unique<T>().release(), Return(this));
    }
    Lease lease(free_.back().release(), Return(this));
    free_.pop_back();
    return lease;
  }

 private:
  void TakeBack(std::unique_ptr<T> object) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(object));
  }

  std::mutex mutex_;
  size_t made_ = 0;
  std::vector<std::unique_ptr<T>> free_;
};

}  // namespace tamis

#endif  // TAMIS_CORE_CANDIDATES_H_
