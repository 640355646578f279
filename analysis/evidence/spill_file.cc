#include "analysis/evidence/spill_file.h"

#include <fcntl.h>
#include <unistd.h>

#include "core_impl/base/check.h"

namespace photon::analysis {

std::unique_ptr<SpillFile> SpillFile::open() { return open("/var/tmp"); }

std::unique_ptr<SpillFile> SpillFile::open(const char* folder) {
  const int file = ::open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  return file < 0 ? nullptr : std::unique_ptr<SpillFile>(new SpillFile(file));
}

SpillFile::SpillFile(int file) : file_(file), owner_(::getpid()) {}

SpillFile::~SpillFile() { ::close(file_); }

std::optional<std::uint64_t> SpillFile::append(std::span<const std::byte> bytes) {
  if (::getpid() != owner_) return std::nullopt;
  const std::uint64_t place = length_;
  while (!bytes.empty()) {
    const ssize_t wrote = ::pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(length_));
    if (wrote <= 0) return std::nullopt;
    length_ += static_cast<std::uint64_t>(wrote);
    bytes = bytes.subspan(static_cast<std::size_t>(wrote));
  }
  return place;
}

void SpillFile::read(std::uint64_t place, std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t got = ::pread(file_, bytes.data(), bytes.size(), static_cast<off_t>(place));
    PHOTON_CHECK(got > 0, "what was put into a temporary file can be read");
    place += static_cast<std::uint64_t>(got);
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
}

}  // namespace photon::analysis
