// What a rule about the keys of a scenario sees, and where it reports a violation.
//
// The schema has already checked each value by itself: its kind, unit and range. A rule reports all
// violations it finds, at the key that the user would change. A violation that involves an
// unreadable value is dropped: it would only follow from that error.
#pragma once

#include <functional>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>

#include "scenarios/config/config.h"
#include "scenarios/schema/diagnostic.h"

namespace photonsim::scenarios {

// Paths of values that were refused: "registry.lease", "faults.outage.0.for".
using PathSet = std::set<std::string, std::less<>>;

// Context of the rules: the values, their places in the text, and the report.
class Validation {
 public:
  Validation(Config& config, const Places& places, const PathSet& broken, Report& report)
      : config_{config}, places_{places}, broken_{broken}, report_{report} {}

  // validate_workload writes the digests of trace files, everything else only reads.
  [[nodiscard]] Config& config() { return config_; }
  [[nodiscard]] const Config& config() const { return config_; }

  // Reports a violation of a rule about these keys, at the blamed one.
  void refuse(std::initializer_list<std::string_view> keys, std::string_view message,
              std::string_view hint = {});

  // False if the value of that path, or of a path inside or around it, was refused.
  [[nodiscard]] bool sound(std::string_view path) const;

 private:
  Config& config_;
  const Places& places_;
  const PathSet& broken_;
  Report& report_;
};

// The place to report a violation of a rule about these keys: the first that `--set` states, as the
// user's last change, or else the first.
[[nodiscard]] Place blamed(std::initializer_list<std::string_view> keys, const Places& places,
                           const Sources& sources);

}  // namespace photonsim::scenarios
