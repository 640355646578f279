// A file with a name that needs no disk: for code that opens its input by name.
#pragma once

#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#include <sys/mman.h>
#include <unistd.h>

namespace photon::fuzz {

class MemoryFile {
 public:
  explicit MemoryFile(std::string_view content) : descriptor_(::memfd_create("fuzzed", 0)) {
    if (descriptor_ < 0) std::abort();
    while (!content.empty()) {
      const auto written = ::write(descriptor_, content.data(), content.size());
      if (written <= 0) std::abort();
      content.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { ::close(descriptor_); }

  std::string name() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

}  // namespace photon::fuzz
