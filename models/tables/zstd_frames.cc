#include "models/tables/zstd_frames.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <sys/stat.h>
#include <unistd.h>

namespace photon::models {
namespace {

class Walk {
 public:
  explicit Walk(int file) : file_(file) {
    struct stat status {};
    if (::fstat(file, &status) == 0) size_ = static_cast<std::uint64_t>(status.st_size);
  }

  bool run() {
    while (at_ < size_) {
      const auto magic = number(4);
      if (!magic) return false;
      constexpr std::uint64_t kFrame = 0xFD2FB528;
      constexpr std::uint64_t kSkippable = 0x184D2A50;  // to ...5F
      const bool skipped = (*magic & ~std::uint64_t{0xF}) == kSkippable;
      if (!skipped && *magic != kFrame) return true;  // the decompressor refuses it
      if (skipped ? !skip_content() : !walk_frame()) return false;
    }
    return at_ == size_;
  }

 private:
  // Little-endian; nothing if the file ends before.
  std::optional<std::uint64_t> number(std::size_t bytes) {
    std::array<unsigned char, 8> read{};
    const auto count = ::pread(file_, read.data(), bytes, static_cast<::off_t>(at_));
    if (count != static_cast<::ssize_t>(bytes)) return std::nullopt;
    at_ += bytes;
    std::uint64_t value = 0;
    for (std::size_t i = bytes; i-- > 0;) value = value << 8U | read.at(i);
    return value;
  }

  bool skip_content() {
    const auto length = number(4);
    if (!length) return false;
    at_ += *length;
    return at_ <= size_;
  }

  bool walk_frame() {
    const auto descriptor = number(1);
    if (!descriptor) return false;
    const bool one_segment = (*descriptor >> 5U & 1U) != 0;
    constexpr std::array<std::uint64_t, 4> kDictionary{0, 1, 2, 4};
    constexpr std::array<std::uint64_t, 4> kContentSize{0, 2, 4, 8};
    const std::uint64_t content_size = *descriptor >> 6U;
    at_ += (one_segment ? 0 : 1) + kDictionary.at(*descriptor & 3U);
    at_ += content_size == 0 && one_segment ? 1 : kContentSize.at(content_size);
    for (;;) {
      const auto block = number(3);
      if (!block) return false;
      constexpr std::uint64_t kRepeatedByte = 1;
      at_ += (*block >> 1U & 3U) == kRepeatedByte ? 1 : *block >> 3U;
      if ((*block & 1U) != 0) break;  // the last one
    }
    constexpr std::uint64_t kChecksum = 4;
    at_ += (*descriptor >> 2U & 1U) * kChecksum;
    return at_ <= size_;
  }

  int file_;
  std::uint64_t size_ = 0;
  std::uint64_t at_ = 0;
};

}  // namespace

bool has_whole_frames(int file) { return Walk(file).run(); }

}  // namespace photon::models
