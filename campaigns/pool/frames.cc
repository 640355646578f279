#include "campaigns/pool/frames.h"

#include <array>
#include <bit>
#include <cerrno>
#include <cstring>

#include <unistd.h>

#include "campaigns/pool/child_process.h"

namespace photonsim::campaigns {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 32;  // of a frame
using Length = std::array<char, sizeof(std::uint64_t)>;

}  // namespace

bool FrameReader::read_some(int channel) {
  std::array<char, 1 << 16> buffer{};
  const ssize_t got = ::read(channel, buffer.data(), buffer.size());
  if (got > 0) text_.append(buffer.data(), static_cast<std::size_t>(got));
  return !broken_ && (got > 0 || (got < 0 && errno == EINTR));
}

std::optional<photon::Bytes> FrameReader::take() {
  Length length{};
  if (text_.size() < length.size()) return std::nullopt;
  std::memcpy(length.data(), text_.data(), length.size());
  const auto size = std::bit_cast<std::uint64_t>(length);
  broken_ = size > kMostBytes;
  if (broken_ || text_.size() - length.size() < size) return std::nullopt;
  photon::Bytes bytes(size);
  std::memcpy(bytes.data(), text_.data() + length.size(), size);
  text_.erase(0, length.size() + size);
  return bytes;
}

bool send_frame(int channel, const photon::Bytes& bytes) {
  const auto length = std::bit_cast<Length>(std::uint64_t{bytes.size()});
  std::string text(length.data(), length.size());
  text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return write_all(channel, text);
}

}  // namespace photonsim::campaigns
