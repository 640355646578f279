// The numbers of the requests of one process that are under way, and which call each belongs to.
//
// A number is never given out twice by the lives of one process: the life stands in its upper bits,
// a count of the life in the lower ones. So a reply to an earlier life, or to a request that is
// closed, finds nothing (SPEC BC-28), and a server may take the same number from the same process
// for the same request.
#pragma once

#include <cstdint>

#include "core_impl/base/check.h"
#include "core_impl/base/flat_map.h"
#include "core_impl/runtime/context.h"

namespace photon::rpc {

inline constexpr unsigned kRequestCountBits = 40;

// The number of request `count` of a life; counts from one. Never 0.
constexpr std::uint64_t request_number(Incarnation life, std::uint64_t count) {
  PHOTON_CHECK(life.value() < (1U << (64U - kRequestCountBits)), "a life fits into 24 bits");
  PHOTON_CHECK(count > 0 && count < (std::uint64_t{1} << kRequestCountBits),
               "a life makes fewer than 2^40 requests");
  return (std::uint64_t{life.value()} << kRequestCountBits) | count;
}

class OpenRequests {
 public:
  using Handle = std::uint64_t;  // of the owner's table of calls; never 0

  std::uint64_t open(const Context& context, Handle call) {
    const std::uint64_t number = request_number(context.incarnation(), ++count_);
    calls_.emplace(number, call);
    return number;
  }
  // 0 if no such request is open.
  Handle find(std::uint64_t number) const {
    const auto found = calls_.find(number);
    return found == calls_.end() ? 0 : found->second;
  }
  // Requires find(number) != 0.
  void close(std::uint64_t number) {
    const bool was_open = calls_.erase(number) == 1;
    PHOTON_CHECK(was_open, "a request is closed once");
  }
  std::size_t size() const { return calls_.size(); }

 private:
  FlatMap<std::uint64_t, Handle> calls_;
  std::uint64_t count_ = 0;
};

}  // namespace photon::rpc
