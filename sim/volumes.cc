#include "sim/volumes.h"

#include <algorithm>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/hash.h"
#include "sim/purposes.h"
#include "sim/use_meter.h"

namespace photon::sim {
namespace {

bool concerns_many_files(VolumeOperation operation) {
  return operation == VolumeOperation::list || operation == VolumeOperation::fence;
}

std::uint64_t digest_of(const Operation& operation) {
  std::uint64_t digest =
      combine(operation.requester.ticket.value(), operation.requester.party.node.value());
  digest = combine(digest, operation.request.volume.value());
  digest = combine(digest, static_cast<std::uint64_t>(operation.result.status));
  digest = combine(digest, operation.result.length);
  for (const FileInfo& file : operation.result.files) digest = combine(digest, file.length);
  // A range stands for bytes that are a function of the file and their place in it.
  const RecordRange& range = operation.result.range;
  if (range.log == nullptr) return combine(digest, hash_bytes(operation.result.data));
  const FileName& name = operation.request.file;
  digest = combine(digest, hash_bytes(std::as_bytes(std::span(name.data(), name.size()))));
  return combine(combine(digest, range.begin), range.end);
}

}  // namespace

Volumes::Volumes(Kernel& kernel, const Topology& topology, const Setup& setup)
    : kernel_(kernel),
      topology_(topology),
      model_(setup.model),
      tap_(setup.tap),
      effects_(setup.effects),
      sink_(setup.sink),
      slowness_(setup.slowness),
      meter_(setup.meter),
      effect_tracker_(setup.effects),
      volume_faults_(setup.seed),
      seed_(setup.seed),
      unavailable_after_(setup.unavailable_after),
      self_(kernel.add(*this)) {
  for (const VolumeInfo& info : topology.volumes()) {
    Volume volume;
    volume.info = info;
    volumes_.push_back(std::move(volume));
  }
  streams_.resize(topology.processes().size());
  set_streams(seed_);
}

void Volumes::attach(VolumeId volume, ExternalVolume& external) {
  Volume& place = volume_at(volume);
  PHOTON_CHECK(place.info.kind == VolumeClass::input_logs, "only input logs come from outside");
  place.external = &external;
}

void Volumes::provision(VolumeId volume, const FileName& name, std::span<const std::byte> content) {
  StoredFiles& files = volume_at(volume).files;
  PHOTON_CHECK(files.find(name) == nullptr, "a file is provisioned once");
  provisions_.push_back({volume, name, {content.begin(), content.end()}});
  store(files, provisions_.back());
}

void Volumes::store(StoredFiles& files, const Provision& provision) {
  StoredFile& file = files.find_or_create(provision.file);
  file.bytes.append(provision.content);
  file.durable = file.bytes.size();
  files.account(static_cast<std::int64_t>(provision.content.size()));
}

void Volumes::check_reachable(const Volume& volume, const Party& party) const {
  const bool near = volume.info.kind == VolumeClass::host_disk
                        ? volume.info.host == party.host
                        : volume.info.datacenter == party.datacenter;
  PHOTON_CHECK(near, "a process reaches the disks of its host and the cells of its datacenter");
}

// Keeps requests to one file in order, and requests to many files in order with all.
SimTime Volumes::completion_time(const Volume& volume, const VolumeRequest& request,
                                 SimTime earliest) const {
  const Duration apart = kernel_.apart();
  const SimTime at = std::max(earliest, volume.barrier + apart);
  if (concerns_many_files(request.operation)) return std::max(at, volume.latest + apart);
  const auto latest = volume.latest_by_file.find(request.file);
  return latest == volume.latest_by_file.end() ? at : std::max(at, latest->second + apart);
}

void Volumes::note_completion(Volume& volume, const VolumeRequest& request, SimTime at) {
  if (concerns_many_files(request.operation)) {
    PHOTON_CHECK(at >= volume.barrier, "barriers of a volume grow");
    volume.barrier = at;
    volume.latest_by_file.clear();  // the barrier covers them all
  } else if (volume.info.kind != VolumeClass::input_logs) {
    volume.latest_by_file[request.file] = at;
  }
  volume.latest = std::max(volume.latest, at);
}

void Volumes::submit(const Requester& requester, SimTime departure, VolumeRequest request) {
  PHOTON_CHECK(request.volume.value() < volumes_.size(), "a request names a volume that exists");
  Volume& volume = volumes_[request.volume.value()];
  check_reachable(volume, requester.party);
  ++counters_.requests;
  PHOTON_CHECK(requester.party.node.value() < streams_.size(),
               "a request comes from a process that exists");
  const auto life = requester.party.incarnation.value();
  const RandomStream& stream = streams_[requester.party.node.value()].service;
  const Fate fate = volume.outages.empty() ? Fate::open : Fate::refused;
  for (const std::uint32_t fault : volume.outages) effects_.took_effect(fault);
  const Duration usual =
      fate == Fate::refused
          ? unavailable_after_
          : model_.service(volume.info.kind, request, stream.word(requester.ticket.value(), life));
  Slowness::Stretched here{usual};
  if (fate != Fate::refused) here = slowness_.stretch(volume.info.datacenter, usual);
  const std::uint64_t handle = operations_.emplace();
  Operation& operation = *operations_.find(handle);
  operation.request = std::move(request);
  operation.requester = requester;
  operation.sequence = sequence_++;
  operation.fate = fate;
  Slowness::Stretched service{here.takes};
  if (volume_faults_.any() && fate == Fate::open) {
    service = volume_faults_.stretch(seen(operation), here.takes);
    draw_fault(operation);
  }
  const SimTime at = completion_time(volume, operation.request, departure + service.takes);
  PHOTON_CHECK(at >= departure, "a request completes after it is sent");
  const auto follow = [&](std::uint32_t fault, Duration without) {
    if (fault == kNoFault) return;
    const SimTime due = completion_time(volume, operation.request, departure + without);
    if (due < at) effect_tracker_.late(handle, fault, due);
  };
  follow(service.fault, here.takes);
  if (here.fault != kNoFault) {
    follow(here.fault, volume_faults_.any() && fate == Fate::open
                           ? volume_faults_.stretch(seen(operation), usual).takes
                           : usual);
  }
  note_completion(volume, operation.request, at);
  meter_.requests(volume.info.id, ++volume.under_way);
  tap_issued(volume, operation);
  kernel_.schedule(at, volume.info.datacenter, self_, make_tag(EventKind::storage), handle);
}

void Volumes::tap_issued(const Volume& volume, const Operation& operation) {
  StorageFact fact;
  switch (operation.request.operation) {
    case VolumeOperation::append:
      fact.change = StorageChange::appended;
      break;
    case VolumeOperation::replace:
      fact.change = StorageChange::replaced;
      break;
    case VolumeOperation::remove:
      fact.change = StorageChange::removed;
      break;
    default:
      return;
  }
  fact.source = trace::Source::issued;
  fact.file = &operation.request.file;
  fact.offset = fact.change == StorageChange::appended ? operation.request.expected_length : 0;
  fact.bytes = operation.request.data;
  tap_.storage(operation.requester.party, volume.info, fact);
}

void Volumes::on_event(Kernel& kernel, const Event& event) {
  Operation* operation = operations_.find(event.payload);
  if (operation == nullptr || operation->done) {  // settled at a crash
    kernel.witness(kernel.environment(), 0, 0);
    return;
  }
  Volume& volume = volume_of(*operation);
  execute(volume, *operation);
  kernel.witness(volume.info.datacenter, operation->requester.party.incarnation.value(),
                 digest_of(*operation));
  finish(event.payload, *operation);
}

void Volumes::finish(std::uint64_t handle, Operation& operation) {
  PHOTON_CHECK(!operation.done, "a request completes once");
  operation.done = true;
  Volume& volume = volume_of(operation);
  meter_.requests(volume.info.id, --volume.under_way);
  if (operation.fate == Fate::abandoned) {
    if (effect_tracker_.any()) effect_tracker_.forget(handle);
    release(handle);
    return;
  }
  if (operation.result.status == IoStatus::unavailable) ++counters_.unavailable;
  sink_.io_completed(handle, operation);
}

void Volumes::execute(Volume& volume, Operation& operation) {
  IoResult& result = operation.result;
  const bool silent = operation.fate == Fate::refused || operation.fate == Fate::in_doubt;
  if (operation.fate != Fate::refused && operation.takes_effect) {
    const VolumeRequest& request = operation.request;
    if (volume.info.kind == VolumeClass::input_logs) {
      PHOTON_CHECK(volume.external != nullptr, "an input log volume has its content attached");
      const Party& reader = operation.requester.party;
      volume.external->serve({reader.node, reader.incarnation}, request, result);
    } else {
      switch (request.operation) {
        case VolumeOperation::append:
        case VolumeOperation::sync:
        case VolumeOperation::replace:
        case VolumeOperation::remove:
        case VolumeOperation::fence:
          write(volume, operation);
          break;
        case VolumeOperation::list:
        case VolumeOperation::stat:
        case VolumeOperation::read:
          read(volume, request, result);
          break;
      }
    }
  }
  if (!silent) return;
  effects_.took_effect(operation.fault);
  result.status = IoStatus::unavailable;
  result.length = 0;
  result.data.clear();
  result.files.clear();
  result.range = {};
}

void Volumes::write(Volume& volume, Operation& operation) {
  IoResult& result = operation.result;
  std::optional<Volume::Claim> claimed = claim(volume, operation);
  switch (operation.request.operation) {
    case VolumeOperation::append:
      append(volume, operation, result);
      break;
    case VolumeOperation::sync:
      sync(volume, operation, result);
      break;
    case VolumeOperation::replace:
      replace(volume, operation, result);
      break;
    case VolumeOperation::remove:
      remove(volume, operation, result);
      break;
    case VolumeOperation::fence:
      fence(volume, operation);
      break;
    default:
      break;
  }
  settle_claim(volume, operation, std::move(claimed));
}

void Volumes::read(Volume& volume, const VolumeRequest& request, IoResult& result) {
  if (request.operation == VolumeOperation::list) {
    volume.files.for_each(view_of(request.file),
                          [&result](const FileName& name, const StoredFile& file) {
                            result.files.push_back({name, file.bytes.size()});
                          });
    return;
  }
  const StoredFile* file = volume.files.find(request.file);
  if (file == nullptr) {
    result.status = IoStatus::missing;
    return;
  }
  result.length = file->bytes.size();
  if (request.operation == VolumeOperation::stat) return;
  const std::uint64_t begin = std::min(request.offset, result.length);
  const std::uint64_t length = std::min<std::uint64_t>(request.length, result.length - begin);
  if (file->damaged(begin, begin + length) || begin < file->bytes.first_kept()) {
    result.status = IoStatus::torn;
    return;
  }
  result.data.reserve(length);
  file->bytes.copy_out(begin, length, result.data);
  for (const StoredFile::Range& lost : file->lost) {
    for (std::uint64_t at = std::max(begin, lost.begin); at < std::min(begin + length, lost.end);
         ++at) {
      result.data[at - begin] = std::byte{0};
    }
  }
  if (!file->wrong.empty()) show_wrong(*file, begin, result.data);
  for (const StoredFile::Torn& each : file->torn) {
    if (begin < each.end && each.end <= begin + length) effects_.took_effect(each.fault);
  }
}

void Volumes::append(Volume& volume, const Operation& operation, IoResult& result) {
  const VolumeRequest& request = operation.request;
  if (request.epoch < volume.files.epoch_of(request.file)) {
    result.status = IoStatus::fenced;
    return;
  }
  const StoredFile* existing = volume.files.find(request.file);
  result.length = existing == nullptr ? 0 : existing->bytes.size();
  if (result.length != request.expected_length) {
    result.status = IoStatus::conflict;
    return;
  }
  if (!has_room(volume, operation, volume.files.bytes_used())) {
    result.status = IoStatus::full;
    return;
  }
  StoredFile& file = volume.files.find_or_create(request.file);
  file.epoch = std::max(file.epoch, request.epoch);
  file.bytes.append(request.data);
  volume.files.account(static_cast<std::int64_t>(request.data.size()));
  result.length = file.bytes.size();
  PHOTON_CHECK(file.durable <= result.length, "no more is durable than is stored");
  if (volume_faults_.any()) misdirect(volume, operation, file);
  if (operation.fate == Fate::abandoned && operation.fault != kNoFault) {
    file.torn.push_back({result.length, operation.fault});
  }
  if (request.durability == Durability::synced && file.unsynced.empty()) {
    file.durable = result.length;
    StorageFact fact;
    fact.source = trace::Source::durable;
    fact.file = &request.file;
    fact.offset = request.expected_length;
    fact.bytes = request.data;
    tap_.storage(operation.requester.party, volume.info, fact);
    return;
  }
  file.unsynced.push_back({result.length, operation.requester.party});
  if (request.durability == Durability::synced) {
    make_durable(volume, request.file, file, result.length);
  }
}

void Volumes::fence(Volume& volume, const Operation& operation) {
  const VolumeRequest& request = operation.request;
  volume.files.fence(request.file, request.epoch);
  StorageFact fact;
  fact.source = trace::Source::durable;
  fact.change = StorageChange::fenced;
  fact.file = &request.file;
  fact.epoch = request.epoch;
  tap_.storage(operation.requester.party, volume.info, fact);
}

void Volumes::sync(Volume& volume, const Operation& operation, IoResult& result) {
  StoredFile* file = volume.files.find(operation.request.file);
  if (file == nullptr) {
    result.status = IoStatus::missing;
    return;
  }
  result.length = file->bytes.size();
  make_durable(volume, operation.request.file, *file, result.length);
}

void Volumes::replace(Volume& volume, const Operation& operation, IoResult& result) {
  const VolumeRequest& request = operation.request;
  if (request.epoch < volume.files.epoch_of(request.file)) {
    result.status = IoStatus::fenced;
    return;
  }
  const StoredFile* existing = volume.files.find(request.file);
  const std::uint64_t before = existing == nullptr ? 0 : existing->bytes.size();
  if (!has_room(volume, operation, volume.files.bytes_used() - before)) {
    result.status = IoStatus::full;
    return;
  }
  StoredFile& file = volume.files.find_or_create(request.file);
  file.epoch = std::max(file.epoch, request.epoch);
  volume.files.account(static_cast<std::int64_t>(request.data.size()) -
                       static_cast<std::int64_t>(before));
  file.bytes.truncate(0);
  file.bytes.append(request.data);
  file.durable = file.bytes.size();
  file.unsynced.clear();
  file.damage.clear();
  file.lost.clear();
  file.wrong.clear();
  file.torn.clear();
  result.length = file.durable;
  StorageFact fact;
  fact.source = trace::Source::durable;
  fact.change = StorageChange::replaced;
  fact.file = &request.file;
  fact.bytes = request.data;
  tap_.storage(operation.requester.party, volume.info, fact);
}

void Volumes::remove(Volume& volume, const Operation& operation, IoResult& result) {
  if (volume.files.find(operation.request.file) == nullptr) {
    result.status = IoStatus::missing;
    return;
  }
  volume.files.remove(operation.request.file);
  StorageFact fact;
  fact.source = trace::Source::durable;
  fact.change = StorageChange::removed;
  fact.file = &operation.request.file;
  tap_.storage(operation.requester.party, volume.info, fact);
}

// Reports each unsynced segment as its writer's when it becomes durable.
void Volumes::make_durable(Volume& volume, const FileName& name, StoredFile& file,
                           std::uint64_t length) {
  PHOTON_CHECK(length <= file.bytes.size(), "only stored bytes become durable");
  std::size_t settled = 0;
  for (; settled < file.unsynced.size() && file.durable < length; ++settled) {
    const UnsyncedSegment& segment = file.unsynced[settled];
    const std::uint64_t end = std::min(segment.end, length);
    if (tap_.active()) {
      scratch_.clear();
      file.bytes.copy_out(file.durable, end - file.durable, scratch_);
      StorageFact fact;
      fact.source = trace::Source::durable;
      fact.file = &name;
      fact.offset = file.durable;
      fact.bytes = scratch_;
      tap_.storage(segment.writer, volume.info, fact);
    }
    file.durable = end;
    if (end < segment.end) break;
  }
  file.unsynced.erase(file.unsynced.begin(),
                      file.unsynced.begin() + static_cast<std::ptrdiff_t>(settled));
}

bool Volumes::damage(VolumeId volume, const FileName& file, std::uint64_t offset,
                     std::uint64_t length) {
  StoredFile* place = volume_at(volume).files.find(file);
  if (place == nullptr || offset + length > place->bytes.size()) return false;
  place->damage.push_back({offset, offset + length});
  return true;
}

bool Volumes::lose(VolumeId volume, const FileName& file, std::uint64_t offset,
                   std::uint64_t length) {
  StoredFile* place = volume_at(volume).files.find(file);
  if (place == nullptr || offset + length > place->bytes.size()) return false;
  place->lost.push_back({offset, offset + length});
  return true;
}

bool Volumes::give_back(VolumeId volume, const FileName& file, std::uint64_t offset,
                        std::uint64_t length) {
  Volume& where = volume_at(volume);
  StoredFile* place = where.files.find(file);
  if (place == nullptr) return false;
  const auto loss = std::ranges::find_if(place->lost, [&](const StoredFile::Range& each) {
    return each.begin == offset && each.end == offset + length;
  });
  const bool there = loss != place->lost.end() && offset >= place->bytes.first_kept();
  if (!there) return false;
  place->lost.erase(loss);
  Bytes bytes;
  place->bytes.copy_out(offset, length, bytes);
  StorageFact fact;
  fact.source = trace::Source::durable;
  fact.file = &file;
  fact.offset = offset;
  fact.bytes = bytes;
  tap_.storage(Party{}, where.info, fact);
  return true;
}

std::uint64_t Volumes::bytes_kept(VolumeClass kind) {
  std::uint64_t bytes = 0;
  for (Volume& volume : volumes_) {
    if (volume.info.kind != kind) continue;
    volume.files.for_each(
        "", [&](const FileName&, const StoredFile& file) { bytes += file.bytes.kept(); });
  }
  return bytes;
}

void Volumes::forget_before(VolumeId volume, const FileName& file, std::uint64_t offset) {
  StoredFile* place = volume_at(volume).files.find(file);
  if (place != nullptr) place->bytes.forget_before(std::min(offset, place->durable));
}

std::vector<FileInfo> Volumes::durable_files(VolumeId volume, std::string_view prefix) {
  std::vector<FileInfo> found;
  volume_at(volume).files.for_each(prefix, [&](const FileName& name, const StoredFile& file) {
    found.push_back({name, file.durable});
  });
  return found;
}

void Volumes::read_durable(VolumeId volume, const FileName& file, std::uint64_t& offset,
                           Bytes& out) const {
  const StoredFile* place = volume_at(volume).files.find(file);
  if (place == nullptr) return;
  offset = std::max(offset, place->bytes.first_kept());
  if (offset < place->durable) place->bytes.copy_out(offset, place->durable - offset, out);
}

}  // namespace photon::sim
