// Shrinks a failing scenario to a small one that fails in the same way: fewer faults, a smaller
// topology and load, fewer settings that differ from the defaults.
//
// Every step is a run of its own, judged by the same oracles; each accepted candidate fails like
// the original. Several candidates may run at once: the result is as if they ran one by one.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/config/config.h"

namespace photonsim::scenarios::shrink {

struct Shrunk {
  Config config{};
  std::uint64_t runs = 0;  // that a sequential shrink takes
  bool exhausted = false;  // nothing more can be removed; false: `enough` ended it
};

// Runs the candidates.
struct Trials {
  std::size_t at_once = 1;
  // Whether each of these, at most `at_once`, fails in the same way. Fewer answers than candidates:
  // the time is over.
  std::function<std::vector<bool>(const std::vector<Config>& candidates)> fail{};
};

// Requires that `config` fails in the same way under its seed. `enough` is called before runs.
Shrunk shrink(const Config& config, const Trials& trials, const std::function<bool()>& enough);

// A minimized repro as a scenario file. At its head how it fails and the command that shows it,
// then values that differ from the defaults. The defaults of this version follow, so that the file
// keeps its meaning when they change.
struct ReproHead {
  std::string fails{};
  std::string command{};  // that reproduces it
  std::string origin{};   // its source; may be empty
  // The time limit that ended the minimization early, if one did.
  std::optional<std::chrono::nanoseconds> cut_short{};
};
std::string repro_text(const Config& config, const ReproHead& head);

// The line of its head that names its source.
std::string origin_line(std::string_view origin);
// The line of a repro that was cut short, and the time in it; nothing for any other line.
std::string cut_short_line(std::chrono::nanoseconds had);
std::optional<std::chrono::nanoseconds> cut_short_in(std::string_view line);

}  // namespace photonsim::scenarios::shrink
