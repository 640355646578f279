// From a scenario that fails to a small one that fails in the same way: fewer faults, a smaller
// world, fewer settings that are not the usual ones.
//
// Every step is a run of its own, judged by the same oracles; what is kept fails like the original.
// Several candidates may run at once: the result is as if they had run one after the other.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/language/config.h"

namespace photonsim::scenarios::shrink {

struct Shrunk {
  Config config{};
  std::uint64_t runs = 0;  // that it takes one after the other
  bool exhausted = false;  // nothing more can be taken away; false: it was enough before
};

// How candidates are run.
struct Trials {
  std::size_t at_once = 1;
  // Whether each of these, at most `at_once`, fails in the wanted way. Fewer answers than
  // candidates: there was no time for the rest.
  std::function<std::vector<bool>(const std::vector<Config>& candidates)> fail{};
};

// `config` must fail in the wanted way under its seed. `enough`: asked before runs.
Shrunk shrink(const Config& config, const Trials& trials, const std::function<bool()>& enough);

// A minimized repro as a scenario file: at its head how it fails and the command that shows it,
// then what is not as by default, and last these defaults, so that it means the same when the
// program has others.
struct ReproHead {
  std::string fails{};
  std::string command{};  // that shows it
  std::string origin{};   // what it was made from; may be empty
  // The time that it was to be made in, if that was over before nothing more could be taken away.
  std::optional<std::chrono::nanoseconds> cut_short{};
};
std::string repro_text(const Config& config, const ReproHead& head);

// The line of its head that says what it was made from.
std::string origin_line(std::string_view origin);
// The line of one that was cut short, and the time in it; nothing for any other line.
std::string cut_short_line(std::chrono::nanoseconds had);
std::optional<std::chrono::nanoseconds> cut_short_in(std::string_view line);

}  // namespace photonsim::scenarios::shrink
