// The known files of one directory, and which of them have unread bytes.
//
// The owner lists the directory periodically and passes the result on. The scan discovers new files
// (a rotation is a new name, C-07), notes growth, and names the files that are longer than what
// their reader has examined. Files keep their index for ever. A file that disappears from the
// listing is kept as it was. A listed length below the known one is ignored: copies of a log are
// prefixes of it. A shorter listing is therefore an old one, or comes from a copy that lost
// its end and will be filled again with the same bytes. What was read stays read; what was not is
// still named, and reading it returns nothing until it is back.
//
// Paper: Photon section 3.2; SPEC A-22, C-02, C-07, C-09.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core_impl/base/narrow.h"
#include "core_impl/base/recycling_allocator.h"
#include "core_impl/logs/log_file.h"
#include "core_impl/runtime/volume.h"

namespace photon::logs {

// Part of the files of a directory: those of the servers with `server modulo parts == part`.
struct ServerShare {
  std::uint32_t part = 0;
  std::uint32_t parts = 1;
  bool holds(const LogFile& file) const { return file.server % parts == part; }
};

class DirectoryScan {
 public:
  struct Entry {
    FileName name{};
    std::uint64_t length = 0;    // as listed
    std::uint64_t examined = 0;  // bytes that the owner has examined
  };

  // `accepts`: is a name that starts with `prefix` that of a file to be read? Names sort as the
  // files do.
  using Accepts = bool (*)(std::string_view name);
  DirectoryScan(FileName prefix, Accepts accepts) : prefix_(prefix), accepts_(accepts) {}
  explicit DirectoryScan(LogType type, ServerShare share = {})
      : DirectoryScan(prefix_name(type), is_log_file) {
    share_ = share;
  }

  // Prefix to list.
  const FileName& prefix() const { return prefix_; }
  // Merges a listing: names in ascending order, as VolumeOperation::list gives them. Names that are
  // not accepted are counted and ignored, those of other shares ignored.
  void observe(std::span<const FileInfo> listing);
  // Makes a file known before it was listed: restored state. Returns its index.
  std::uint32_t add(const FileName& name);
  // The owner has examined the file up to here. Never decreases.
  void examined(std::uint32_t index, std::uint64_t end);
  // The owner wants to read again from here on.
  void look_again(std::uint32_t index, std::uint64_t from);

  // Indices of all files with listed bytes that were not examined, in name order, appended
  // to `out`.
  void append_grown(PooledVector<std::uint32_t>& out) const;

  std::uint32_t size() const { return narrow<std::uint32_t>(entries_.size()); }
  const Entry& operator[](std::uint32_t index) const { return entries_[index]; }
  std::uint64_t unknown_names() const { return unknown_names_; }

 private:
  bool is_one(const FileName& name) const;
  std::uint32_t insert_at(std::size_t place, const FileName& name);

  FileName prefix_;
  Accepts accepts_;
  ServerShare share_{};
  PooledVector<Entry> entries_;           // by index: order of discovery
  PooledVector<std::uint32_t> in_order_;  // indices by name
  std::uint64_t unknown_names_ = 0;
};

}  // namespace photon::logs
