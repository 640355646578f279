// Effects of crashes and outages on volumes: the fault model at the head of volumes.h.

#include <algorithm>

#include "core_impl/base/check.h"
#include "core_impl/base/hash.h"
#include "sim/use_meter.h"
#include "sim/volumes.h"

namespace photon::sim {

namespace {

constexpr std::uint64_t kTears = 2;  // of the three ways

}  // namespace

// Decides about a request whose process died: true if it takes (some) effect.
bool Volumes::decide_abandoned(Operation& operation) {
  PHOTON_CHECK(!operation.done, "only a request under way is abandoned");
  ++counters_.abandoned;
  VolumeRequest& request = operation.request;
  const Requester& requester = operation.requester;
  const bool refused = operation.fate == Fate::refused ||
                       (operation.fate == Fate::in_doubt && !operation.takes_effect);
  const VolumeOperation kind = request.operation;
  if (refused || kind == VolumeOperation::list || kind == VolumeOperation::stat ||
      kind == VolumeOperation::read) {
    return false;
  }
  const bool tears = operation.fate == Fate::open && operation.fault != kNoFault;
  if (!tears) operation.fault = kNoFault;  // a write error that is never answered
  operation.fate = Fate::abandoned;
  const auto words = streams_[requester.party.node.value()].crash.block(
      requester.ticket.value(), requester.party.incarnation.value());
  switch (tears ? kTears : uniform_below(words[0], 3)) {
    case 0:
      return true;
    case 1:
      return false;
    default:
      break;
  }
  if (kind != VolumeOperation::append || request.data.size() < 2) return false;
  ++counters_.torn_appends;
  request.data.resize(1 + uniform_below(words[1], request.data.size() - 1));
  return true;
}

void Volumes::process_crashed(NodeId node) {
  PooledVector<std::uint64_t> dropped;
  operations_.for_each([&](std::uint64_t handle, Operation& operation) {
    const bool its = operation.requester.party.node == node;
    if (!its || operation.fate == Fate::abandoned || operation.done) return;
    if (!decide_abandoned(operation)) dropped.push_back(handle);
  });
  for (const std::uint64_t handle : dropped) {
    effect_tracker_.forget(handle);
    Volume& volume = volume_of(*operations_.find(handle));
    meter_.requests(volume.info.id, --volume.under_way);
    operations_.erase(handle);
  }
  for (Volume& volume : volumes_) {
    if (volume.info.kind == VolumeClass::shared_cell) lose_unsynced(volume, node);
  }
}

void Volumes::host_crashed(HostId host) {
  // A dead host's disk finishes nothing later: settle at once, in the order of submission.
  PooledVector<std::pair<std::uint64_t, std::uint64_t>> in_flight;  // (sequence, handle)
  operations_.for_each([&](std::uint64_t handle, Operation& operation) {
    const VolumeInfo& info = volume_of(operation).info;
    if (info.kind == VolumeClass::host_disk && info.host == host &&
        operation.fate == Fate::abandoned) {
      in_flight.emplace_back(operation.sequence, handle);
    }
  });
  std::ranges::sort(in_flight);
  for (const auto& [sequence, handle] : in_flight) {
    Operation& operation = *operations_.find(handle);
    execute(volume_of(operation), operation);
    finish(handle, operation);
  }
  for (Volume& volume : volumes_) {
    if (volume.info.kind == VolumeClass::host_disk && volume.info.host == host) {
      lose_claims(volume);
      lose_unsynced(volume, kNoNode);
    }
  }
}

bool Volumes::lose_disks(HostId host, NewDisks instead) {
  bool lost = false;
  for (Volume& volume : volumes_) {
    if (volume.info.kind != VolumeClass::host_disk || volume.info.host != host) continue;
    lost = lost || volume.files.bytes_used() > 0;
    volume.files = {};
    volume.claims.clear();
    if (instead == NewDisks::empty) continue;
    for (const Provision& each : provisions_) {
      if (&volumes_[each.volume.value()] == &volume) store(volume.files, each);
    }
  }
  return lost;
}

// The unsynced bytes at the end of each file: all of them (writer == kNoNode), or those that
// `writer` wrote after the bytes of all others.
void Volumes::lose_unsynced(Volume& volume, NodeId writer) {
  volume.files.for_each("", [&](const FileName& name, StoredFile& file) {
    std::uint64_t begin = file.durable;
    for (const UnsyncedSegment& segment : file.unsynced) {
      if (writer != kNoNode && segment.writer.node != writer) begin = segment.end;
    }
    if (begin < file.bytes.size()) lose_suffix(volume, name, file, begin);
  });
}

// Drops or tears [begin, end of file). What survives a tear is on the medium, hence durable.
void Volumes::lose_suffix(Volume& volume, const FileName& name, StoredFile& file,
                          std::uint64_t begin) {
  ++counters_.lost_suffixes;
  const std::uint64_t name_hash = hash_bytes(std::as_bytes(std::span(name.data(), name.size())));
  const auto words = volume.crash_stream.block(name_hash, volume.losses++);
  const std::uint64_t length = file.bytes.size();
  PHOTON_CHECK(begin < length, "a lost suffix has bytes");
  const bool torn = (words[0] & 1U) != 0;
  const std::uint64_t keep = torn ? begin + uniform_below(words[1], length - begin) : begin;
  if (torn) make_durable(volume, name, file, keep);
  PHOTON_CHECK(keep >= file.durable, "durable bytes are not lost in a crash");
  file.bytes.truncate(keep);
  file.cut_faults(keep);
  volume.files.account(-static_cast<std::int64_t>(length - keep));
  while (!file.unsynced.empty() && file.unsynced.back().end > keep) {
    UnsyncedSegment& last = file.unsynced.back();
    const std::uint64_t start =
        file.unsynced.size() > 1 ? file.unsynced[file.unsynced.size() - 2].end : file.durable;
    if (start < keep) {
      last.end = keep;
    } else {
      file.unsynced.pop_back();
    }
  }
}

void Volumes::begin_outage(std::uint32_t fault, VolumeId volume) {
  Volume& place = volume_at(volume);
  place.outages.push_back(fault);
  operations_.for_each([&](std::uint64_t, Operation& operation) {
    if (operation.request.volume != volume || operation.fate != Fate::open || operation.done) {
      return;
    }
    const Requester& requester = operation.requester;
    const auto words = streams_[requester.party.node.value()].crash.block(
        requester.ticket.value(), requester.party.incarnation.value());
    operation.fate = Fate::in_doubt;
    operation.takes_effect = (words[1] & 1U) != 0;
    effects_.took_effect(fault);
  });
}

void Volumes::end_outage(std::uint32_t fault, VolumeId volume) {
  std::erase(volume_at(volume).outages, fault);
}

}  // namespace photon::sim
