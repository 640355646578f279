#include "sim/stored_files.h"

#include <algorithm>

#include "core_impl/base/check.h"

namespace photon::sim {

void ChunkedBytes::append(std::span<const std::byte> bytes) {
  size_ += bytes.size();
  while (!bytes.empty()) {
    if (chunks_.empty() || chunks_.back().size() == kChunk) chunks_.emplace_back();
    Bytes& chunk = chunks_.back();
    const std::size_t part = std::min(bytes.size(), kChunk - chunk.size());
    append_bytes(bytes.first(part), chunk);
    bytes = bytes.subspan(part);
  }
}

void ChunkedBytes::forget_before(std::uint64_t offset) {
  const std::size_t whole = std::min(offset, size_) / kChunk;
  for (; forgotten_ < whole; ++forgotten_) chunks_[forgotten_] = Bytes();
}

void ChunkedBytes::truncate(std::uint64_t size) {
  PHOTON_CHECK(size <= size_, "truncation does not grow a file");
  if (size == 0) forgotten_ = 0;
  PHOTON_CHECK(size >= first_kept(), "what was forgotten stays as it was");
  chunks_.resize((size + kChunk - 1) / kChunk);
  if (size % kChunk != 0) chunks_.back().resize(size % kChunk);
  size_ = size;
}

void ChunkedBytes::copy_out(std::uint64_t offset, std::uint64_t length, Bytes& out) const {
  PHOTON_CHECK(offset + length <= size_, "a read stays inside the file");
  PHOTON_CHECK(length == 0 || offset >= first_kept(), "what is read has not been forgotten");
  while (length > 0) {
    const std::span<const std::byte> rest =
        std::span<const std::byte>(chunks_[offset / kChunk]).subspan(offset % kChunk);
    const std::uint64_t part = std::min<std::uint64_t>(length, rest.size());
    append_bytes(rest.first(part), out);
    offset += part;
    length -= part;
  }
}

bool StoredFile::damaged(std::uint64_t begin, std::uint64_t end) const {
  return std::ranges::any_of(
      damage, [begin, end](const Range& range) { return range.begin < end && begin < range.end; });
}

void StoredFile::cut_faults(std::uint64_t size) {
  std::erase_if(torn, [size](const Torn& each) { return each.end > size; });
  std::erase_if(wrong, [size](const Wrong& each) { return each.begin >= size; });
  for (Wrong& each : wrong) {
    if (each.begin + each.bytes.size() > size) each.bytes.resize(size - each.begin);
  }
}

StoredFile* StoredFiles::find(const FileName& name) {
  const auto place = files_.find(name);
  return place == files_.end() ? nullptr : &place->second;
}

const StoredFile* StoredFiles::find(const FileName& name) const {
  const auto place = files_.find(name);
  return place == files_.end() ? nullptr : &place->second;
}

StoredFile& StoredFiles::find_or_create(const FileName& name) {
  if (StoredFile* file = find(name)) return *file;
  const std::uint64_t epoch = epoch_of(name);
  removed_.erase(name);
  StoredFile& file = files_[name];
  file.epoch = epoch;
  return file;
}

void StoredFiles::remove(const FileName& name) {
  const auto place = files_.find(name);
  PHOTON_CHECK(place != files_.end(), "only an existing file is removed");
  const std::uint64_t epoch = place->second.epoch;
  PHOTON_CHECK(used_ >= place->second.bytes.size(), "a volume counts the bytes of its files");
  used_ -= place->second.bytes.size();
  files_.erase(place);
  if (epoch > epoch_of(name)) removed_[name] = epoch;
}

std::uint64_t StoredFiles::epoch_of(const FileName& name) const {
  if (const StoredFile* file = find(name)) return file->epoch;
  std::uint64_t epoch = 0;
  for (const auto& [prefix, fenced] : fences_) {
    if (starts_with(name, view_of(prefix))) epoch = std::max(epoch, fenced);
  }
  const auto removed = removed_.find(name);
  return removed == removed_.end() ? epoch : std::max(epoch, removed->second);
}

void StoredFiles::fence(const FileName& prefix, std::uint64_t epoch) {
  std::uint64_t& fenced = fences_[prefix];
  fenced = std::max(fenced, epoch);
  for_each(view_of(prefix), [epoch](const FileName&, StoredFile& file) {
    file.epoch = std::max(file.epoch, epoch);
  });
}

}  // namespace photon::sim
