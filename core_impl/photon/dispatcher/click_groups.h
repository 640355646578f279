// Clicks that are sent to a joiner together and answered together. Photon does not do this; it is
// here to study what it would cost (SPEC G-24; the paper's reason to send each click alone, C-14).
//
// A group is formed of the clicks of one partition in the order in which they are read. Then two
// phases alternate until it is empty. In the first its members are looked up, and the remaining
// ones are sent together. In the second they are answered, and those that failed wait for the same
// moment. A phase is over when no member awaits anything, so each waits for the slowest. A finished
// member leaves.
//
// This file only keeps the members of groups; the owner decides what a phase means. Groups are not
// durable: clicks that another life finds in the retry store continue alone.
//
// Paper: Photon section 5; SPEC C-14, G-24.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core_impl/base/check.h"
#include "core_impl/base/narrow.h"
#include "core_impl/base/recycling_allocator.h"
#include "core_impl/base/slab.h"
#include "core_impl/base/time.h"

namespace photon {

struct ClickGroup {
  enum class Phase : std::uint8_t { looked_up, sent };
  using Member = std::uint64_t;

  std::uint32_t partition = 0;
  MonotonicTime since{};  // when its first member came
  Phase phase = Phase::looked_up;
  bool forming = true;  // takes more members
  bool failed = false;  // a look-up without an answer: none is sent this time
  std::uint32_t taken = 0;
  std::uint32_t awaited = 0;
  PooledVector<Member> members{};  // not finished, in order

  bool is_complete() const { return !forming && awaited == 0; }
  void take(Member member) {
    PHOTON_CHECK(forming, "only a forming group takes members");
    members.push_back(member);
    ++taken;
    ++awaited;
  }
  void leave(Member member) {
    const auto place = std::find(members.begin(), members.end(), member);
    PHOTON_CHECK(place != members.end(), "a member that leaves a group is in it");
    members.erase(place);
  }
  void begin(Phase next) {
    PHOTON_CHECK(!forming, "a phase begins when all members are known");
    phase = next;
    failed = false;
    awaited = narrow<std::uint32_t>(members.size());
  }
};

using ClickGroups = Slab<ClickGroup>;

}  // namespace photon
