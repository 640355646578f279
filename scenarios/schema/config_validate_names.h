// Checks of the names in faults and operations: each reports names that do not exist.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "scenarios/schema/validation.h"

namespace photonsim::scenarios {

// True if the datacenter exists.
bool check_datacenter(Validation& v, const std::string& path, const std::string& name);
// The datacenters of the name: one, or those of a region.
std::vector<std::string> check_place(Validation& v, const std::string& path,
                                     const std::string& name);
// Requires a process of that role in the datacenter.
void check_inhabited(Validation& v, const std::string& path, const std::string& datacenter,
                     bool needs_pipeline, bool needs_replica);
void check_process(Validation& v, const std::string& path, const std::string& text);
// One end of a [[faults.link]].
void check_party(Validation& v, const std::string& path, const std::string& text);
// The datacenters on one side of a partition.
std::set<std::string> check_side(Validation& v, const std::string& path,
                                 const std::vector<std::string>& names);

}  // namespace photonsim::scenarios
