// One scheduled event: 32 bytes, trivially copyable, its key inline.
//
// The key is (time, origin datacenter, counter of that origin): a total order that does not depend
// on the schedule of execution, so a later execution with one core per datacenter can reproduce it
// exactly (DESIGN 4). `tag` holds the kind in its low 8 bits and 24 bits of small argument.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "core_impl/base/strong_id.h"
#include "core_impl/base/time.h"

namespace photon::sim {

using ActorId = StrongId<struct ActorTag, std::uint32_t>;

inline constexpr ActorId kNoActor{0xffffffffU};

struct Event {
  std::int64_t time = 0;  // nanoseconds of virtual time, >= 0
  // origin datacenter (16 bits) | counter of that origin (48 bits), as the kernel's `ties` turn it
  std::uint64_t order = 0;
  std::uint32_t target = 0;
  std::uint32_t tag = 0;
  std::uint64_t payload = 0;
};
static_assert(sizeof(Event) == 32 && std::is_trivially_copyable_v<Event>);

inline constexpr unsigned kCounterBits = 48;

// Strict total order of events: keys are unique. One 128-bit comparison, without branches.
inline bool earlier(const Event& left, const Event& right) {
  __extension__ using Wide = unsigned __int128;
  const auto key = [](const Event& event) {
    return (Wide{static_cast<std::uint64_t>(event.time)} << 64U) | event.order;
  };
  return key(left) < key(right);
}

// The kind of an event; the low 8 bits of its tag.
enum class EventKind : std::uint8_t {
  message = 1,      // argument: sender; payload: the body
  timer = 2,        // argument: timer kind; payload: incarnation
  wake_up = 3,      // the end of busy time; payload: incarnation
  storage = 4,      // a volume request takes effect; payload: its handle
  fault_begin = 5,  // payload: index in the fault list
  fault_end = 6,
  environment = 7,  // payload: the actor's own argument
};

constexpr std::string_view name_of(EventKind kind) {
  constexpr std::array<std::string_view, 8> kNames{"nothing",   "message",    "timer",
                                                   "wake_up",   "storage",    "fault_begin",
                                                   "fault_end", "environment"};
  return kNames[static_cast<std::size_t>(kind)];
}

constexpr std::uint32_t make_tag(EventKind kind, std::uint32_t argument = 0) {
  return (argument << 8U) | static_cast<std::uint32_t>(kind);
}
constexpr EventKind kind_of(std::uint32_t tag) { return static_cast<EventKind>(tag & 0xffU); }
constexpr std::uint32_t argument_of(std::uint32_t tag) { return tag >> 8U; }
inline constexpr std::uint32_t kMaxArgument = 0xffffffU;

}  // namespace photon::sim
