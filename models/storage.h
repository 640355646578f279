// Service times of volumes: lognormal, given by median and 99th percentile.
//
// Three classes: a host's own disk (an append that must be durable costs an fsync), a datacenter's
// shared cell (the paper's GFS: an append is acknowledged by its replicas), and the input logs
// (opening and seeking cost; sequential reading is cheap, which is why the EventStore has a cache).
// Paper: Photon section 3.4; SPEC Appendix 1 (seek cost, fsync, append latency).
#pragma once

#include "sim/ports.h"

namespace photon::models {

// A latency distribution, compiled once from median and p99.
class Latency {
 public:
  Latency() = default;
  Latency(Duration median, Duration p99);
  Duration draw(std::uint64_t word) const;

 private:
  Duration median_{0};
  double sigma_ = 0;
};

class StorageTimes final : public sim::StorageModel {
 public:
  struct Options {
    Latency disk_sync;
    Latency disk_read;
    std::uint64_t disk_write_rate = 0;  // bytes a second of a file that is replaced; 0: no time
    Latency cell_append;
    Latency cell_read;
    Latency cell_list;
    Duration log_seek{std::chrono::milliseconds(10)};       // Access::random: open and seek
    Duration log_sequential{std::chrono::milliseconds(1)};  // list, stat, next piece of a tail
  };

  explicit StorageTimes(const Options& options) : options_(options) {}

  Duration service(sim::VolumeClass volume, const VolumeRequest& request,
                   std::uint64_t word) const override;

 private:
  Duration of_disk(const VolumeRequest& request, std::uint64_t word) const;
  Duration transfer(std::size_t bytes) const;
  Duration of_cell(const VolumeRequest& request, std::uint64_t word) const;
  Duration of_logs(const VolumeRequest& request) const;

  Options options_;
};

}  // namespace photon::models
