#include "scenarios/world/importance.h"

#include <algorithm>

#include "analysis/judge/judge.h"

namespace photonsim::scenarios {

// Only the process that a record is about may have changed its window.
std::uint64_t ImportanceWatch::value_after(const photon::trace::Record& record) const {
  switch (importance_) {
    case Importance::kJoinerWindow:
      return judge_.evidence().join().node(record.header.node).window;
    case Importance::kOpenClicks:
      return judge_.open_clicks();
    case Importance::kOpenOperations:
      return judge_.open_operations();
  }
  return 0;
}

void ImportanceWatch::record(const photon::trace::Record& record) {
  most_ = std::max(most_, value_after(record));
  if (reached_ || !level_ || most_ < *level_) return;
  reached_ = true;
  on_reached_();
}

}  // namespace photonsim::scenarios
