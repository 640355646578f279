// How near a run is to a rare event: a number that a splitting cuts into levels.
//
// Read from the judge's evidence after each record, so it is a function of the trace alone. The run
// remembers the first event after which it reached the level, and stops there if it is asked to.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "core_impl/trace/record.h"
#include "scenarios/config/config_kinds.h"

namespace photon::analysis {
class Judge;
}

namespace photonsim::scenarios {

class ImportanceWatch final : public photon::trace::Sink {
 public:
  // `judge` gets each record before this object, and outlives it. `on_reached` is called once.
  ImportanceWatch(const photon::analysis::Judge& judge, Importance importance,
                  std::optional<std::uint64_t> level, std::function<void()> on_reached)
      : judge_(judge), importance_(importance), level_(level), on_reached_(std::move(on_reached)) {}

  void record(const photon::trace::Record& record) override;

  bool reached() const { return reached_; }
  std::uint64_t most() const { return most_; }

 private:
  std::uint64_t value_after(const photon::trace::Record& record) const;

  const photon::analysis::Judge& judge_;
  Importance importance_;
  std::optional<std::uint64_t> level_;
  std::function<void()> on_reached_;
  std::uint64_t most_ = 0;
  bool reached_ = false;
};

}  // namespace photonsim::scenarios
