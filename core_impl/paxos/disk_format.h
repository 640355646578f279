// The file "paxos/<group>/format": which generation of its replica a disk is.
//
// An operator formats the disks of a new group before any of its replicas starts; this is the
// first generation. A replica that finds no such file has lost its disk, or replaces one that did.
// It formats the disk itself, with a generation that no disk of its slot ever had: the first one
// plus the number of its life. The file is written before anything else, and never again.
// Generations: generations.h.
// Assumption: the numbers of lives continue when a host is replaced; runtime/context.h says so of
// one host.
//
// SPEC B-18.
#pragma once

#include <optional>
#include <string_view>

#include "core_impl/paxos/types.h"
#include "core_impl/runtime/volume_retry.h"
#include "core_impl/trace/record.h"

namespace photon::paxos {

// "paxos/<group>/format".
FileName format_name(ShardId group);
// What the operator writes there for a new group.
Bytes format_of_new_group(ShardId group, ReplicaIndex replica);

// The facts of such a file, for the trace; none if `name` is not that of a format.
void format_facts(std::string_view name, std::span<const std::byte> file, trace::FactSink& sink);

enum class FormatProgress : std::uint8_t { waiting, known, damaged };

class DiskFormat {
 public:
  struct Options {
    VolumeId volume{};
    ShardId group{};
    ReplicaIndex replica = 0;
    Duration retry_delay{};
  };
  explicit DiskFormat(const Options& options) : options_(options), request_(options.retry_delay) {}

  void start(Context& context);
  // Formats a disk that has no format. `known` follows when it is durable.
  void format(Context& context);
  // None: the disk has no format (yet).
  std::optional<Generation> generation() const { return generation_; }

  bool owns(Ticket ticket) const { return request_.owns(ticket); }
  FormatProgress on_io(Context& context, const IoResult& result);
  MonotonicTime retry_due() const { return request_.retry_due(); }
  void on_timer(Context& context) { request_.on_timer(context); }

 private:
  Options options_;
  RetriedRequest request_;
  std::optional<Generation> generation_{};
  std::optional<Generation> writing_{};
};

}  // namespace photon::paxos
