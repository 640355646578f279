// What every benchmark states: processor time, medians, peak memory, and the load of the machine.
#pragma once

#include <cstdint>
#include <vector>

#include <sys/resource.h>

namespace photon::bench {

// User processor seconds of this process so far: other jobs of the machine change them least.
double user_seconds();
double user_seconds(const rusage& usage);

// Of at least one value; the upper one of the two in the middle.
double median(std::vector<double> values);

// The most memory this process has had, in bytes.
std::uint64_t peak_bytes();

// "machine load before: 1.02 0.80 0.75 on 2 processors"
void print_load(const char* when);

}  // namespace photon::bench
