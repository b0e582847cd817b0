// Lanes of a GPU, played by threads of the host: a kernel's body that is written for lanes
// (cuda/lanes.cuh) runs here unchanged. Lanes go on freely between the points where they meet, as
// they may on a device, and meet in barriers, so that ThreadSanitizer sees every access on which
// two lanes do not agree by a meeting or an atomic.
#ifndef TAMIS_TESTS_HOST_LANES_H_
#define TAMIS_TESTS_HOST_LANES_H_

#include <array>
#include <barrier>
#include <cstdint>
#include <thread>
#include <vector>

namespace tamis::gpu {

/// What `lanes` lanes share.
class HostGroup {
 public:
  explicit HostGroup(uint32_t lanes) : lanes_(lanes), barrier_(lanes), values_(lanes) {}

  /// Runs body(lane's number) on every lane, and waits.
  template <typename Body>
  void Run(Body&& body) {
    std::vector<std::jthread> threads;
    for (uint32_t lane = 0; lane < lanes_; ++lane) threads.emplace_back([&, lane] { body(lane); });
  }

  uint32_t size() const { return lanes_; }
  void Meet() { barrier_.arrive_and_wait(); }
  uint32_t& ValueOf(uint32_t lane) { return values_[lane]; }

 private:
  uint32_t lanes_;
  std::barrier<> barrier_;
  std::vector<uint32_t> values_;
};

/// One of 32 lanes of a warp.
class HostWarp {
 public:
  HostWarp(HostGroup& group, uint32_t lane) : group_(group), lane_(lane) {}

  int lane() const { return static_cast<int>(lane_); }

  uint32_t Ballot(bool yes) const {
    return Exchange(yes ? 1 : 0, [&] {
      uint32_t ballot = 0;
      for (uint32_t lane = 0; lane < group_.size(); ++lane) ballot |= group_.ValueOf(lane) << lane;
      return ballot;
    });
  }
  uint32_t Shuffle(uint32_t value, int from) const {
    return Exchange(value, [&] { return group_.ValueOf(static_cast<uint32_t>(from)); });
  }

 private:
  // Everybody writes, meets, reads, and meets again before anybody writes the next.
  template <typename Read>
  uint32_t Exchange(uint32_t value, Read&& read) const {
    group_.ValueOf(lane_) = value;
    group_.Meet();
    const uint32_t result = read();
    group_.Meet();
    return result;
  }

  HostGroup& group_;
  uint32_t lane_;
};

/// One of the lanes of a thread block.
class HostBlock {
 public:
  HostBlock(HostGroup& group, uint32_t lane) : group_(group), lane_(lane) {}

  uint32_t lane() const { return lane_; }
  uint32_t size() const { return group_.size(); }
  void Sync() const { group_.Meet(); }

 private:
  HostGroup& group_;
  uint32_t lane_;
};

}  // namespace tamis::gpu

#endif  // TAMIS_TESTS_HOST_LANES_H_
