// What may run out in a deployment: the name of each resource, and its place on the path of a
// click.
#pragma once

#include <string_view>

#include "core_impl/trace/environment.h"

namespace photon::analysis {

struct ResourceRow {
  trace::Resource resource{};
  std::string_view name;     // of the scenario key that sets the limit; "processor", "volume"
  std::string_view meaning;  // what is used
  // How far down the path of a click. Work that waits for a resource holds what lies above it, so
  // that several are used up at once: the deepest is the cause. 0: no cause of waiting.
  int depth = 0;
};

// Null for a number that this program does not know.
const ResourceRow* resource_row(trace::Resource resource);
std::string_view resource_name(trace::Resource resource);  // "unknown" for such a number

// The depth of a process by its path ("us-east1/joiner/3"); 0: it is not on the path of a click.
int processor_depth(std::string_view path);

}  // namespace photon::analysis
