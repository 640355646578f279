#include "campaigns/guided/time_compression.h"

#include <algorithm>

#include "campaigns/guided/script.h"
#include "scenarios/language/loader.h"

namespace photonsim::scenarios::guided {
namespace {

constexpr Duration kShortest = 5s;
constexpr std::uint64_t kFewestClicks = 12;

}  // namespace

Config compressed(const Config& config, unsigned halvings) {
  const Duration whole = *config.run.duration;
  const std::int64_t parts = std::int64_t{1} << halvings;
  const Duration length = std::max<Duration>(whole / parts / 1ms * 1ms, kShortest);
  if (length >= whole) return config;
  const double share = static_cast<double>(length.count()) / static_cast<double>(whole.count());
  const auto shorter = [&](Duration time) {
    const auto scaled = static_cast<std::int64_t>(static_cast<double>(time.count()) * share);
    return std::max<Duration>(Duration(scaled) / 1ms * 1ms, 10ms);
  };
  Config copy = config;
  copy.run.duration = length;
  copy.run.warm_up = shorter(config.run.warm_up);
  auto& clicks = copy.workload.synthetic.clicks;
  const auto fewer = static_cast<std::uint64_t>(static_cast<double>(clicks) * share);
  clicks = std::min(clicks, std::max(fewer, kFewestClicks));
  each_place(copy, [&](const PlaceInTime& place) {
    *place.at = std::min<Duration>(shorter(*place.at), length - 100ms);
  });
  LoadResult loaded = load_text(to_toml(copy), copy.scenario.name);
  return loaded ? loaded.config() : config;
}

}  // namespace photonsim::scenarios::guided
