#include "models/truncations.h"

#include <algorithm>
#include <tuple>

#include "core_impl/base/check.h"

namespace photon::models {
namespace {

// Steps 1 to kInstalments divide the second half of the time.
SimTime time_of(const PlannedTruncation& planned, std::uint32_t step) {
  if (step == 0) return planned.at;
  const Duration half = (planned.until - planned.at) / 2;
  return planned.until - half / Truncations::kInstalments * (Truncations::kInstalments - step);
}

}  // namespace

Truncations::Truncations(const std::vector<PlannedTruncation>& plan, std::uint32_t place,
                         const std::vector<logs::LogFile>& files) {
  for (const PlannedTruncation& planned : plan) {
    if (planned.place != place || planned.at >= planned.until) continue;
    const auto number = static_cast<std::uint32_t>(plan_.size());
    plan_.push_back(planned);
    for (std::uint32_t log = 0; log < files.size(); ++log) {
      const logs::LogFile& file = files[log];
      if (file.type != planned.type || planned.server.value_or(file.server) != file.server)
        continue;
      for (std::uint32_t step = 0; step <= kInstalments; ++step) {
        moments_.push_back({time_of(planned, step), number, log, step});
      }
    }
  }
  std::ranges::sort(moments_, [](const Moment& left, const Moment& right) {
    return std::tie(left.at, left.order, left.log, left.step) <
           std::tie(right.at, right.order, right.log, right.step);
  });
}

std::optional<SimTime> Truncations::next() const {
  if (taken_ == moments_.size()) return std::nullopt;
  return moments_[taken_].at;
}

void Truncations::advance(std::uint64_t shipped, bool is_newest) {
  PHOTON_CHECK(taken_ < moments_.size(), "there is a moment to take");
  const Moment& moment = moments_[taken_++];
  if (moment.step == 0) {
    const std::uint64_t length = shown(moment.log, shipped);
    if (!is_newest || length == 0) return;
    const std::uint64_t bytes = std::min(plan_[moment.order].bytes, length);
    cuts_.push_back({moment.order, moment.log, length - bytes});
    return;
  }
  const auto cut = std::ranges::find_if(
      cuts_, [&](const Cut& each) { return each.order == moment.order && each.log == moment.log; });
  if (cut == cuts_.end()) return;
  if (moment.step == kInstalments) {
    cuts_.erase(cut);
  } else {
    PHOTON_CHECK(shipped >= cut->length, "a cut shows no more than has arrived");
    cut->length += (shipped - cut->length) / (kInstalments + 1 - moment.step);
  }
}

const Truncations::Cut* Truncations::shortest(std::uint32_t log) const {
  const Cut* found = nullptr;
  for (const Cut& cut : cuts_) {
    if (cut.log == log && (found == nullptr || cut.length < found->length)) found = &cut;
  }
  return found;
}

std::uint64_t Truncations::shown(std::uint32_t log, std::uint64_t shipped) const {
  const Cut* const cut = shortest(log);
  return cut == nullptr ? shipped : std::min(shipped, cut->length);
}

std::uint32_t Truncations::cut_by(std::uint32_t log, std::uint64_t shipped) const {
  const Cut* const cut = shortest(log);
  return cut == nullptr || cut->length >= shipped ? kNone : plan_[cut->order].fault;
}

}  // namespace photon::models
