#include "models/storage.h"

#include <algorithm>
#include <vector>

#include "core_impl/base/hash.h"
#include "tests/support/catch.h"

namespace photon::models {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

StorageTimes::Options options() {
  StorageTimes::Options out;
  out.disk_sync = Latency(milliseconds(2), milliseconds(20));
  out.disk_read = Latency(microseconds(200), milliseconds(3));
  out.cell_append = Latency(milliseconds(12), milliseconds(60));
  out.cell_read = Latency(milliseconds(6), milliseconds(40));
  out.cell_list = Latency(milliseconds(4), milliseconds(4));
  return out;
}

VolumeRequest request(VolumeOperation operation) {
  VolumeRequest out;
  out.operation = operation;
  return out;
}

void check_latency(sim::VolumeClass volume, VolumeOperation operation, Duration median,
                   Duration p99) {
  const StorageTimes times(options());
  std::vector<Duration> draws;
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    draws.push_back(times.service(volume, request(operation), mix(i)));
  }
  std::ranges::sort(draws);
  const auto at = [&](double p) {
    return static_cast<double>(draws[static_cast<std::size_t>(p * 100'000)].count());
  };
  CAPTURE(static_cast<int>(volume), static_cast<int>(operation));
  CHECK(at(0.5) == Approx(static_cast<double>(median.count())).epsilon(0.03));
  CHECK(at(0.99) == Approx(static_cast<double>(p99.count())).epsilon(0.05));
}

TEST_CASE("Appendix-1 service times have the median and the 99th percentile configured") {
  using enum VolumeOperation;
  check_latency(sim::VolumeClass::host_disk, append, milliseconds(2), milliseconds(20));
  check_latency(sim::VolumeClass::host_disk, replace, milliseconds(2), milliseconds(20));
  check_latency(sim::VolumeClass::host_disk, read, microseconds(200), milliseconds(3));
  check_latency(sim::VolumeClass::shared_cell, append, milliseconds(12), milliseconds(60));
  check_latency(sim::VolumeClass::shared_cell, read, milliseconds(6), milliseconds(40));
  check_latency(sim::VolumeClass::shared_cell, list, milliseconds(4), milliseconds(4));
}

TEST_CASE(
    "E-10 a seek into an input log has its configured cost, the next piece of a tail a small one") {
  const StorageTimes times(options());
  VolumeRequest tail = request(VolumeOperation::read);
  VolumeRequest seek = tail;
  seek.access = Access::random;
  CHECK(times.service(sim::VolumeClass::input_logs, seek, 1) == Duration(milliseconds(10)));
  CHECK(times.service(sim::VolumeClass::input_logs, tail, 1) == Duration(milliseconds(1)));
  CHECK(times.service(sim::VolumeClass::input_logs, request(VolumeOperation::list), 1) ==
        Duration(milliseconds(1)));
}

TEST_CASE("a file that is replaced is written at the rate of its disk, beside the fsync") {
  StorageTimes::Options with = options();
  with.disk_write_rate = 100'000'000;
  VolumeRequest snapshot = request(VolumeOperation::replace);
  snapshot.data.resize(50'000'000);
  const auto time = [&](const StorageTimes::Options& options, const VolumeRequest& of) {
    return StorageTimes(options).service(sim::VolumeClass::host_disk, of, 7);
  };
  CHECK(time(with, snapshot) - time(options(), snapshot) == milliseconds(500));
  const VolumeRequest append = request(VolumeOperation::append);
  CHECK(time(with, append) == time(options(), append));
}

TEST_CASE("a list or stat of a disk costs no seek, that of a cell is a request to its server") {
  const StorageTimes times(options());
  for (const auto operation : {VolumeOperation::list, VolumeOperation::stat}) {
    CHECK(times.service(sim::VolumeClass::host_disk, request(operation), 7) < microseconds(200));
    CHECK(times.service(sim::VolumeClass::shared_cell, request(operation), 7) == milliseconds(4));
  }
}

TEST_CASE("a buffered append to a disk costs far less than a durable one") {
  const StorageTimes times(options());
  VolumeRequest buffered = request(VolumeOperation::append);
  buffered.durability = Durability::buffered;
  const auto disk = sim::VolumeClass::host_disk;
  CHECK(times.service(disk, buffered, 7) * 10 <
        times.service(disk, request(VolumeOperation::append), std::uint64_t{1} << 63U));
}

}  // namespace
}  // namespace photon::models
