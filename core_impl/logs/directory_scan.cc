#include "core_impl/logs/directory_scan.h"

#include <algorithm>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"

namespace photon::logs {

bool DirectoryScan::is_one(const FileName& name) const {
  const std::string_view text(name.data(), name.size());
  return text.starts_with(std::string_view(prefix_.data(), prefix_.size())) && accepts_(text);
}

std::uint32_t DirectoryScan::insert_at(std::size_t place, const FileName& name) {
  const std::uint32_t index = size();
  entries_.push_back(Entry{name, 0, 0});
  in_order_.insert(in_order_.begin() + static_cast<std::ptrdiff_t>(place), index);
  PHOTON_CHECK(in_order_.size() == entries_.size(), "every file has its place in the order");
  return index;
}

void DirectoryScan::observe(std::span<const FileInfo> listing) {
  std::size_t place = 0;  // in in_order_: both lists are walked once
  const auto is_known = [&](const FileName& name) {
    return place < in_order_.size() && entries_[in_order_[place]].name == name;
  };
  for (const FileInfo& info : listing) {
    while (place < in_order_.size() && entries_[in_order_[place]].name < info.name) ++place;
    if (!is_known(info.name) && !is_one(info.name)) {
      PHOTON_MARK("logs.scan.unknown_name");
      ++unknown_names_;
      continue;
    }
    if (share_.parts > 1 && !share_.holds(log_file_of(info.name))) continue;
    PHOTON_CHECK(place == 0 || entries_[in_order_[place - 1]].name < info.name,
                 "a listing is in the order of names");
    if (!is_known(info.name)) insert_at(place, info.name);
    Entry& entry = entries_[in_order_[place]];
    if (info.length < entry.length) PHOTON_MARK("logs.scan.outdated_length");
    entry.length = std::max(entry.length, info.length);
  }
}

std::uint32_t DirectoryScan::add(const FileName& name) {
  PHOTON_CHECK(is_one(name), "a scan is about the files of one directory");
  const auto place = std::ranges::lower_bound(
      in_order_, name, {}, [this](std::uint32_t index) { return entries_[index].name; });
  if (place != in_order_.end() && entries_[*place].name == name) return *place;
  return insert_at(static_cast<std::size_t>(place - in_order_.begin()), name);
}

void DirectoryScan::examined(std::uint32_t index, std::uint64_t end) {
  Entry& entry = entries_[index];
  entry.examined = std::max(entry.examined, end);
}

void DirectoryScan::look_again(std::uint32_t index, std::uint64_t from) {
  PHOTON_CHECK(index < entries_.size(), "only a known file is read again");
  Entry& entry = entries_[index];
  entry.examined = std::min(entry.examined, from);
}

void DirectoryScan::append_grown(PooledVector<std::uint32_t>& out) const {
  for (const std::uint32_t index : in_order_) {
    if (entries_[index].length > entries_[index].examined) out.push_back(index);
  }
}

}  // namespace photon::logs
