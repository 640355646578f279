// Rules that join several keys of a scenario, or a key and a file.
#pragma once

#include "scenarios/schema/validation.h"

namespace photonsim::scenarios {

// All of the rules below.
void validate(Validation& validation);

void validate_topology(Validation& validation);  // datacenters, replicas (SPEC B-05, L-08), links
void validate_timing(Validation& validation);    // clocks (SPEC A-32), leases, time-outs, latencies
void validate_joining(Validation& validation);   // adapters, tokens
void validate_workload(Validation& validation);  // sizes, trace files
void validate_faults(Validation& validation);    // by kind: scenarios/faults/all_faults.h
void validate_operations(Validation& validation);  // times of operations
void validate_rare(Validation& validation);        // crashes that are forced, levels, lineages

}  // namespace photonsim::scenarios
