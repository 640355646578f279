// A file without a name that holds bytes which are hardly ever needed again, so that they take no
// memory. The operating system deletes it when it is closed, however the program ends.
//
// It lies in /var/tmp, which is on a disk where /tmp may be in memory. Bytes are only appended:
// what is replaced stays as a gap. After a fork only the process that opened it appends; both read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace photon::analysis {

class SpillFile {
 public:
  // Null if the folder cannot hold such a file.
  static std::unique_ptr<SpillFile> open();
  // The same in that folder.
  static std::unique_ptr<SpillFile> open(const char* folder);

  ~SpillFile();
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;

  // Where they begin. Nothing if they could not be written: the disk is full, or this process has
  // the file from the one that forked it.
  std::optional<std::uint64_t> append(std::span<const std::byte> bytes);
  // Bytes that were appended. A check fails if they cannot be read.
  void read(std::uint64_t place, std::span<std::byte> bytes) const;

 private:
  explicit SpillFile(int file);

  int file_;
  int owner_;  // the process that opened it
  std::uint64_t length_ = 0;
};

}  // namespace photon::analysis
