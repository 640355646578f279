// Effects of faults of single volumes on requests and stored bytes: the fault model at the head
// of volumes.h.

#include <algorithm>
#include <utility>

#include "core_impl/base/check.h"
#include "sim/purposes.h"
#include "sim/volumes.h"

namespace photon::sim {
namespace {

using DiskKind = VolumeFault::Kind;

bool writes(VolumeOperation operation) {
  return operation != VolumeOperation::list && operation != VolumeOperation::stat &&
         operation != VolumeOperation::read;
}

// True if the answer promises that bytes are on the medium.
bool promises(const VolumeRequest& request) {
  return request.operation == VolumeOperation::sync ||
         request.operation == VolumeOperation::replace ||
         (request.operation == VolumeOperation::append && request.durability == Durability::synced);
}

bool same_durable_bytes(const StoredFile& one, const StoredFile& other) {
  const std::uint64_t first = std::max(one.bytes.first_kept(), other.bytes.first_kept());
  if (one.durable != other.durable || first > one.durable) return one.durable == other.durable;
  Bytes left;
  Bytes right;
  one.bytes.copy_out(first, one.durable - first, left);
  other.bytes.copy_out(first, other.durable - first, right);
  return left == right;
}

bool can_tear(const Operation& operation) {
  return operation.fate == Fate::open && !operation.done &&
         operation.request.operation == VolumeOperation::append &&
         operation.request.data.size() > 1;
}

}  // namespace

VolumeFaults::Request Volumes::seen(const Operation& operation) {
  const Requester& requester = operation.requester;
  return {operation.request.volume, requester.party.node, requester.party.incarnation.value(),
          requester.ticket.value()};
}

void Volumes::draw_fault(Operation& operation) {
  if (!writes(operation.request.operation)) return;
  if (const auto hit = volume_faults_.hit(DiskKind::write_error, seen(operation))) {
    operation.fate = Fate::in_doubt;
    operation.takes_effect = (hit.word & 1U) != 0;
    operation.fault = hit.fault;
  }
}

// For the bytes of a request, in addition to the `taken` ones.
bool Volumes::has_room(const Volume& volume, const Operation& operation, std::uint64_t taken) {
  PHOTON_CHECK(taken <= volume.info.capacity_bytes, "a volume holds no more than its capacity");
  if (operation.request.data.size() > volume.info.capacity_bytes - taken) return false;
  if (!volume_faults_.any()) return true;
  const auto hit = volume_faults_.hit(DiskKind::full, seen(operation));
  if (hit && operation.fate == Fate::open) effects_.took_effect(hit.fault);
  return !hit;
}

void Volumes::show_wrong(const StoredFile& file, std::uint64_t begin, Bytes& data) {
  const std::uint64_t end = begin + data.size();
  for (const StoredFile::Wrong& wrong : file.wrong) {
    const std::uint64_t from = std::max(begin, wrong.begin);
    const std::uint64_t to = std::min(end, wrong.begin + wrong.bytes.size());
    if (from >= to) continue;
    bool differs = false;
    for (std::uint64_t at = from; at < to; ++at) {
      differs = differs || data[at - begin] != wrong.bytes[at - wrong.begin];
      data[at - begin] = wrong.bytes[at - wrong.begin];
    }
    if (differs) effects_.took_effect(wrong.fault);
  }
}

// The append is done, as far as its process can see.
void Volumes::misdirect(Volume& volume, const Operation& operation, StoredFile& written) {
  const Bytes& data = operation.request.data;
  const auto hit = volume_faults_.hit(DiskKind::misdirected_write, seen(operation));
  if (!hit || data.empty()) return;
  const std::uint64_t begin = written.bytes.size() - data.size();
  std::uint64_t place = volume.files.bytes_used() - data.size();
  if (place > 0) place = uniform_below(hit.word, place);
  volume.files.for_each("", [&](const FileName&, StoredFile& file) {
    const std::uint64_t size = &file == &written ? begin : file.bytes.size();
    if (place < size) {
      const std::uint64_t fits = std::min<std::uint64_t>(data.size(), size - place);
      Bytes landed(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(fits));
      file.wrong.push_back({place, std::move(landed), hit.fault});
      place = ~std::uint64_t{0};  // found
    } else if (place != ~std::uint64_t{0}) {
      place -= size;
    }
  });
  written.wrong.push_back({begin, Bytes(data.size(), std::byte{0}), hit.fault});
}

// The content that a crash restores if this request is acknowledged and lost; nothing if it is
// not lost.
std::optional<Volumes::Volume::Claim> Volumes::claim(const Volume& volume,
                                                     const Operation& operation) const {
  if (!volume_faults_.any() || !promises(operation.request)) return {};
  const auto hit = volume_faults_.hit(DiskKind::lost_sync, seen(operation));
  if (!hit) return {};
  Volume::Claim claimed{hit.fault, {}};
  const FileName& name = operation.request.file;
  const StoredFile* file = volume.files.find(name);
  if (file != nullptr && !volume.claims.contains(name)) claimed.on_medium = *file;
  return claimed;
}

void Volumes::settle_claim(Volume& volume, const Operation& operation,
                           std::optional<Volume::Claim> claimed) {
  const VolumeRequest& request = operation.request;
  if (operation.result.status != IoStatus::ok) return;
  if (claimed) {
    const bool had_nothing_to_do = request.operation == VolumeOperation::sync &&
                                   claimed->on_medium && claimed->on_medium->unsynced.empty();
    if (!had_nothing_to_do) volume.claims.try_emplace(request.file, std::move(*claimed));
  } else if (!volume.claims.empty() &&
             (promises(request) || request.operation == VolumeOperation::remove)) {
    volume.claims.erase(request.file);
  }
}

void Volumes::keep_claims(std::uint32_t fault, VolumeId volume) {
  std::erase_if(volume_at(volume).claims,
                [fault](const auto& each) { return each.second.fault == fault; });
}

void Volumes::lose_claims(Volume& volume) {
  for (auto& [name, claim] : std::exchange(volume.claims, {})) {
    StoredFile* file = volume.files.find(name);
    PHOTON_CHECK(file != nullptr, "a file whose sync was lost has not been removed");
    if (!claim.on_medium || !same_durable_bytes(*claim.on_medium, *file)) {
      effects_.took_effect(claim.fault);
    }
    if (!claim.on_medium) {
      volume.files.remove(name);
      continue;
    }
    volume.files.account(static_cast<std::int64_t>(claim.on_medium->bytes.size()) -
                         static_cast<std::int64_t>(file->bytes.size()));
    const std::uint64_t epoch = file->epoch;
    *file = std::move(*claim.on_medium);
    file->epoch = epoch;
  }
}

std::uint64_t Volumes::durable_bytes(VolumeId volume) {
  std::uint64_t bytes = 0;
  volume_at(volume).files.for_each("", [&](const FileName&, const StoredFile& file) {
    if (file.durable > file.bytes.first_kept()) bytes += file.durable - file.bytes.first_kept();
  });
  return bytes;
}

void Volumes::rot(std::uint32_t fault, VolumeId volume) {
  Volume& place = volume_at(volume);
  const auto words = RandomStream(seed_, purpose::kVolumeFault, fault).block(0);
  std::uint64_t which = uniform_below(words[0], durable_bytes(volume));
  place.files.for_each("", [&](const FileName&, StoredFile& file) {
    const std::uint64_t first = file.bytes.first_kept();
    const std::uint64_t stored = file.durable > first ? file.durable - first : 0;
    if (which < stored) {
      Bytes byte;
      file.bytes.copy_out(first + which, 1, byte);
      byte[0] ^= std::byte{1} << static_cast<int>(words[1] % 8);
      file.wrong.push_back({first + which, std::move(byte), fault});
      which = ~std::uint64_t{0};  // found
    } else if (which != ~std::uint64_t{0}) {
      which -= stored;
    }
  });
}

NodeId Volumes::appending(VolumeId volume) {
  NodeId node = kNoNode;
  std::uint64_t oldest = 0;
  operations_.for_each([&](std::uint64_t, const Operation& operation) {
    if (operation.request.volume != volume || !can_tear(operation)) return;
    if (node != kNoNode && oldest < operation.sequence) return;
    node = operation.requester.party.node;
    oldest = operation.sequence;
  });
  return node;
}

void Volumes::tear(std::uint32_t fault, VolumeId volume, NodeId node) {
  operations_.for_each([&](std::uint64_t, Operation& operation) {
    const bool its = operation.request.volume == volume && operation.requester.party.node == node;
    if (its && can_tear(operation)) operation.fault = fault;
  });
}

void Volumes::set_streams(std::uint64_t seed) {
  // Streams of volumes and of processes share a purpose: entities of volumes count from the top.
  for (Volume& each : volumes_) {
    each.crash_stream = RandomStream(seed, purpose::kVolumeCrash, ~each.info.id.value());
  }
  for (std::uint32_t entity = 0; entity < streams_.size(); ++entity) {
    streams_[entity] = {RandomStream(seed, purpose::kVolumeService, entity),
                        RandomStream(seed, purpose::kVolumeCrash, entity)};
  }
}

void Volumes::renew(std::uint64_t seed) {
  set_streams(seed);
  volume_faults_.renew(seed);
}

}  // namespace photon::sim
