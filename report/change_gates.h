// How much a figure may change between two results files (photonsim diff --gate).
//
//   [more]                     # accepted above the value before
//   "latency.own.p99" = "5%"   # of that value
//   "lost" = 0                 # or in the unit of the figure
//   [less]                     # accepted below it
//   "capacity.served_per_second" = "2%"
#pragma once

#include <string>
#include <vector>

#include "scenarios/schema/diagnostic.h"

namespace photonsim::report {

struct ChangeGate {
  std::string metric{};
  double accepted = 0;    // at least 0
  bool relative = false;  // to the value before
  bool more = true;       // above it; else below it
  std::string text{};     // "at most 5% more of latency.own.p99"
};

struct ChangeGates {
  std::vector<ChangeGate> list{};
  std::vector<scenarios::Diagnostic> problems{};  // empty: the file is valid
};
ChangeGates load_change_gates(const std::string& file);

}  // namespace photonsim::report
