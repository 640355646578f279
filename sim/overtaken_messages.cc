#include "sim/overtaken_messages.h"

#include <algorithm>
#include <utility>

namespace photon::sim {

bool OvertakenMessages::note(const Statement& statement) {
  Changes& changes = changes_[subject_of(statement)];
  if (!statement.version || (changes.newest && *changes.newest >= *statement.version)) return false;
  const bool changed = changes.newest.has_value();
  changes.newest = statement.version;
  changes.count += changed ? 1 : 0;
  return changed;
}

void OvertakenMessages::hold(Held message, const Statement& statement, std::uint64_t changes) {
  const std::uint64_t subject = subject_of(statement);
  const std::uint64_t now = changes_[subject].count;
  waiting_.push_back({std::move(message), subject, now, now + changes});
}

std::vector<OvertakenMessages::Released> OvertakenMessages::release(
    std::optional<std::uint32_t> ended) {
  std::vector<Released> released;
  std::vector<Waiting> left;
  for (Waiting& each : waiting_) {
    const std::uint64_t now = changes_[each.subject].count;
    if (now >= each.until || each.message.fault == ended) {
      released.push_back({std::move(each.message), now > each.since});
    } else {
      left.push_back(std::move(each));
    }
  }
  waiting_ = std::move(left);
  return released;
}

}  // namespace photon::sim
