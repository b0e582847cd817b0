// A parallel loop in an arena, which ThreadSanitizer can follow.
//
// oneTBB as packaged is not built with ThreadSanitizer, which therefore cannot see that a loop's
// body runs after what its caller did before, and before what the caller does after. Without being
// told it reports every key that a body reads as a race. So the caller and each run of the body say
// so here; what two runs of a body do to each other stays in its sight. (TBB's own headers are
// silenced by tools/tsan.supp.) In other builds nothing of this is left.
#ifndef TAMIS_TBB_LOOP_H_
#define TAMIS_TBB_LOOP_H_

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <cstdint>

#if defined(__SANITIZE_THREAD__)
#define TAMIS_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TAMIS_TSAN 1
#endif
#endif

#ifdef TAMIS_TSAN
#include <sanitizer/tsan_interface.h>
#define TAMIS_NO_TSAN __attribute__((noinline, no_sanitize("thread")))
#else
#define TAMIS_NO_TSAN
#endif

namespace tamis {

/// One loop: what happens before each run of its body, and after all of them.
template <typename F>
class Loop {
 public:
  explicit Loop(const F& body) : body_(body) {}

  void Run(uint64_t begin, uint64_t end) const {
    After(&fork_);
    body_(begin, end);
    Before(&join_);
  }

  void Fork() const { Before(&fork_); }
  void Join() const { After(&join_); }

 private:
#ifdef TAMIS_TSAN
  static void Before(char* point) { __tsan_release(point); }
  static void After(char* point) { __tsan_acquire(point); }
#else
  static void Before(char* /*point*/) {}
  static void After(char* /*point*/) {}
#endif

  const F& body_;
  mutable char fork_ = 0;
  mutable char join_ = 0;
};

/// Calls f(begin, end) in `arena`, in parallel, for ranges that make up 0 to n - 1.
template <typename F, typename Partitioner>
void ParallelFor(oneapi::tbb::task_arena& arena, uint64_t n, const F& f,
                 const Partitioner& partitioner) {
  using Range = oneapi::tbb::blocked_range<uint64_t>;
  // TBB copies these between threads; what they point to is looked at after Loop's word on order.
  struct Body {
    const Loop<F>* loop;
    TAMIS_NO_TSAN void operator()(const Range& range) const {
      loop->Run(range.begin(), range.end());
    }
  };
  struct Enter {
    Body body;
    uint64_t n;
    const Partitioner* partitioner;
    TAMIS_NO_TSAN void operator()() const {
      oneapi::tbb::parallel_for(Range(0, n, 1), body, *partitioner);
    }
  };

  const Loop<F> loop(f);
  const Enter enter{{&loop}, n, &partitioner};
  loop.Fork();
  arena.execute(enter);
  loop.Join();
}

}  // namespace tamis

#endif  // TAMIS_TBB_LOOP_H_
