#include "scenarios/config/load_over_time.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace photonsim::scenarios {
namespace {

using photon::SimTime;
using photon::models::LoadShape;

// The cosine of a whole turn times `turns`, by its series: the same bits on every machine.
double cosine_of_turns(double turns) {
  const double part = turns - static_cast<double>(static_cast<std::int64_t>(turns));
  constexpr double kTurn = 6.283185307179586;
  const double x = (part > 0.5 ? part - 1 : part < -0.5 ? part + 1 : part) * kTurn;
  double term = 1;
  double sum = 1;
  constexpr int kTerms = 14;  // error below 1e-15 up to half a turn
  for (int i = 1; i <= kTerms; ++i) {
    term *= -x * x / ((2.0 * i - 1) * (2.0 * i));
    sum += term;
  }
  return sum;
}

// The parts of a load, and their product as one piecewise linear shape.
class Parts {
 public:
  explicit Parts(const SyntheticWorkload& load, Duration duration)
      : load_(load), duration_(duration), rates_(load.rates) {
    if (!rates_.empty()) rate_shape_.emplace(rates_);
  }

  bool change() const {
    const bool ramp = load_.ramp.from != 1 || load_.ramp.to != 1;
    return ramp || !load_.bursts.empty() || load_.daily.amplitude > 0 || !load_.rates.empty();
  }

  LoadShape product() const {
    std::vector<LoadShape::Knot> knots;
    for (const Duration at : bends()) {
      const double before = factor(at, Side::before);
      const double after = factor(at, Side::after);
      if (before != after) knots.push_back({SimTime(at), before});
      knots.push_back({SimTime(at), after});
    }
    return LoadShape(std::move(knots));
  }

 private:
  enum class Side : std::uint8_t { before, after };

  // Where the product bends or jumps, ascending. Between two of them a product of straight lines
  // is drawn as a straight line: what bends is cut into short pieces.
  std::vector<Duration> bends() const {
    std::vector<Duration> bends{Duration{0}, duration_};
    const auto pieces = [&](Duration from, Duration length, std::int64_t count) {
      for (std::int64_t i = 0; i <= count; ++i) bends.push_back(from + length / count * i);
      bends.push_back(from + length);
    };
    constexpr std::int64_t kPieces = 96;  // of a day: a quarter of an hour each
    if (load_.ramp.from != load_.ramp.to) pieces(load_.ramp.at, load_.ramp.over, kPieces);
    for (const LoadBurst& each : load_.bursts) pieces(each.at, each.length, 1);
    for (const LoadShape::Knot& each : load_.rates) bends.push_back(each.at.time_since_epoch());
    if (load_.daily.amplitude > 0) {
      const Duration piece = std::max(load_.daily.period / kPieces, Duration{1});
      const Duration step = std::max(piece, duration_ / 100'000);
      for (Duration at{0}; at < duration_; at += step) bends.push_back(at);
    }
    std::erase_if(bends, [&](Duration at) { return at > duration_; });
    std::ranges::sort(bends);
    bends.erase(std::unique(bends.begin(), bends.end()), bends.end());
    return bends;
  }

  double factor(Duration at, Side side) const {
    const auto begun = [&](Duration when) { return side == Side::after ? at >= when : at > when; };
    double factor = 1;
    const LoadRamp& ramp = load_.ramp;
    if (!begun(ramp.at)) {
      factor *= ramp.from;
    } else if (begun(ramp.at + ramp.over)) {
      factor *= ramp.to;
    } else {
      const double share =
          static_cast<double>((at - ramp.at).count()) / static_cast<double>(ramp.over.count());
      factor *= ramp.from + share * (ramp.to - ramp.from);
    }
    for (const LoadBurst& each : load_.bursts) {
      if (begun(each.at) && !begun(each.at + each.length)) factor *= each.factor;
    }
    if (load_.daily.amplitude > 0) {
      const auto since = static_cast<double>((at - load_.daily.peak_at).count());
      const double turns = since / static_cast<double>(load_.daily.period.count());
      factor *= 1 + load_.daily.amplitude * cosine_of_turns(turns);
    }
    return load_.rates.empty() ? factor : factor * rate(at, side);
  }

  double rate(Duration at, Side side) const {
    const SimTime moment(at);
    if (side == Side::after) return rate_shape_->factor(moment);
    // The first row of that time; else as after it.
    const auto found = std::ranges::lower_bound(rates_, moment, {}, &LoadShape::Knot::at);
    if (found != rates_.end() && found->at == moment) return found->factor;
    return rate_shape_->factor(moment);
  }

  const SyntheticWorkload& load_;
  Duration duration_;
  const std::vector<LoadShape::Knot>& rates_;
  std::optional<LoadShape> rate_shape_{};  // of these
};

SimTime start_of(const Config& config) { return SimTime(config.run.warm_up); }
SimTime end_of(const Config& config) { return SimTime(config.run.duration.value_or(Duration{0})); }

}  // namespace

std::shared_ptr<const LoadShape> load_shape_of(const Config& config) {
  const Duration duration = config.run.duration.value_or(Duration{0});
  const Parts parts(config.workload.synthetic, duration);
  if (!parts.change() || duration <= Duration{0}) return nullptr;
  return std::make_shared<LoadShape>(parts.product());
}

double clicks_of_rate(const Config& config) {
  const SyntheticWorkload& load = config.workload.synthetic;
  const double rate = load.rates.empty() ? load.rate : 1;
  const Duration length = end_of(config) - start_of(config);
  if (rate <= 0 || length <= Duration{0}) return 0;
  const auto shape = load_shape_of(config);
  if (shape == nullptr) return rate * static_cast<double>(length.count()) * 1e-9;
  return rate * shape->integral(start_of(config), end_of(config));
}

double peak_factor(const Config& config) {
  const auto shape = load_shape_of(config);
  const Duration length = end_of(config) - start_of(config);
  if (shape == nullptr || length <= Duration{0}) return 1;
  const double sum = shape->integral(start_of(config), end_of(config));
  const double mean = sum / (static_cast<double>(length.count()) * 1e-9);
  return mean > 0 ? std::max(1.0, shape->peak(start_of(config), end_of(config)) / mean) : 1;
}

}  // namespace photonsim::scenarios
