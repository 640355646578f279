// J-S4 of the explorer: a search over the orders in which the operations may have taken effect.
#include "tests/photon/registry_explorer/shard_verdict.h"

namespace photon::testing {
namespace {

struct Interval {
  const RegistryItem* item = nullptr;
  std::optional<RegistryCode> code{};  // definitive
  std::uint32_t request = 0;
  std::uint32_t answered_before = 0;
};

using Owners = std::map<EventId, Token>;

// The registry in one line each. Ids here are never cleared, removed or too old.
RegistryCode take_effect(const RegistryItem& item, Owners& owners) {
  if (item.operation == RegistryOperation::lookup) {
    return owners.contains(item.id) ? RegistryCode::exists : RegistryCode::not_found;
  }
  const Token& owner = owners.emplace(item.id, item.token).first->second;
  return owner == item.token ? RegistryCode::inserted : RegistryCode::already_exists;
}

class OrderSearch {
 public:
  explicit OrderSearch(std::vector<Interval> intervals) : intervals_(std::move(intervals)) {}

  bool finds(std::uint32_t done, const Owners& owners) const {
    bool complete = true;
    for (std::size_t i = 0; i < intervals_.size(); ++i) {
      if (((done >> i) & 1U) == 0 && intervals_[i].code) complete = false;
    }
    if (complete) return true;
    for (std::size_t i = 0; i < intervals_.size(); ++i) {
      if (((done >> i) & 1U) != 0 || must_wait(i, done)) continue;
      Owners next = owners;
      const RegistryCode code = take_effect(*intervals_[i].item, next);
      if (intervals_[i].code && code != *intervals_[i].code) continue;
      if (finds(done | (1U << i), next)) return true;
    }
    return false;
  }

 private:
  // An operation that was answered before this one was asked took effect before it.
  bool must_wait(std::size_t index, std::uint32_t done) const {
    for (std::size_t i = 0; i < intervals_.size(); ++i) {
      const bool before = ((intervals_[index].answered_before >> intervals_[i].request) & 1U) != 0;
      if (before && intervals_[i].code && ((done >> i) & 1U) == 0) return true;
    }
    return false;
  }

  std::vector<Interval> intervals_;
};

}  // namespace

bool is_linearizable(const ShardBounds& bounds, std::span<const Asked> requests) {
  std::vector<Interval> intervals;
  for (std::uint32_t request = 0; request < bounds.script.size(); ++request) {
    const Asked& asked = requests[request];
    if (!asked.asked) continue;
    const auto& items = bounds.script[request].items;
    for (std::size_t i = 0; i < items.size(); ++i) {
      Interval interval{&items[i], {}, request, asked.answered_before};
      if (asked.reply != nullptr && trace::is_definitive(asked.reply->results[i].code)) {
        interval.code = asked.reply->results[i].code;
      }
      intervals.push_back(interval);
    }
  }
  return OrderSearch(std::move(intervals)).finds(0, {});
}

}  // namespace photon::testing
