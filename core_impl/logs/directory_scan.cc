#include "core_impl/logs/directory_scan.h"

#include <algorithm>

#include "core_impl/base/check.h"

namespace photon::logs {

FileName DirectoryScan::prefix() const {
  const std::string_view text = type_ == LogType::primary ? kPrimaryPrefix : kForeignPrefix;
  return FileName(text.data(), text.size());
}

std::uint32_t DirectoryScan::insert_at(std::size_t place, LogFile file) {
  const std::uint32_t index = size();
  entries_.push_back(Entry{file, 0, 0});
  in_order_.insert(in_order_.begin() + static_cast<std::ptrdiff_t>(place), index);
  return index;
}

void DirectoryScan::observe(std::span<const FileInfo> listing) {
  std::size_t place = 0;  // in in_order_: both lists are walked once
  for (const FileInfo& info : listing) {
    const std::optional<LogFile> file = LogFile::parse({info.name.data(), info.name.size()});
    if (!file || file->type != type_) {
      ++unknown_names_;
      continue;
    }
    while (place < in_order_.size() && entries_[in_order_[place]].file < *file) ++place;
    PHOTON_CHECK(place == 0 || entries_[in_order_[place - 1]].file < *file,
                 "a listing is in the order of names");
    if (place == in_order_.size() || entries_[in_order_[place]].file != *file) {
      insert_at(place, *file);
    }
    Entry& entry = entries_[in_order_[place]];
    entry.length = std::max(entry.length, info.length);
  }
}

std::uint32_t DirectoryScan::add(LogFile file) {
  PHOTON_CHECK(file.type == type_, "a scan is about one type of log");
  const auto place = std::ranges::lower_bound(
      in_order_, file, {}, [this](std::uint32_t index) { return entries_[index].file; });
  if (place != in_order_.end() && entries_[*place].file == file) return *place;
  return insert_at(static_cast<std::size_t>(place - in_order_.begin()), file);
}

void DirectoryScan::examined(std::uint32_t index, std::uint64_t end) {
  Entry& entry = entries_[index];
  entry.examined = std::max(entry.examined, end);
}

void DirectoryScan::append_grown(PooledVector<std::uint32_t>& out) const {
  for (const std::uint32_t index : in_order_) {
    if (entries_[index].length > entries_[index].examined) out.push_back(index);
  }
}

}  // namespace photon::logs
