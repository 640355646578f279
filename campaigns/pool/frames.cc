#include "campaigns/pool/frames.h"

#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <string_view>

#include <unistd.h>

#include "campaigns/pool/child_process.h"

namespace photonsim::campaigns {
namespace {

using Length = std::array<char, sizeof(std::uint64_t)>;

}  // namespace

bool FrameReader::read_some(int channel) {
  std::array<char, 1 << 16> buffer;  // not cleared: a result has many such pieces
  const ssize_t got = ::read(channel, buffer.data(), buffer.size());
  if (got > 0) text_.append(buffer.data(), static_cast<std::size_t>(got));
  return got > 0 || (got < 0 && errno == EINTR);
}

Arrival FrameReader::take(photon::Bytes& bytes) {
  Length length{};
  if (text_.size() < length.size()) return Arrival::none;
  std::memcpy(length.data(), text_.data(), length.size());
  const auto size = std::bit_cast<std::uint64_t>(length);
  if (size > most_bytes_) return Arrival::broken;
  if (text_.size() - length.size() < size) return Arrival::none;
  bytes.resize(size);
  // A sign of life is empty, and an empty vector may have no place to copy to.
  if (size > 0) std::memcpy(bytes.data(), text_.data() + length.size(), size);
  text_.erase(0, length.size() + size);
  return Arrival::frame;
}

bool send_frame(int channel, const photon::Bytes& bytes) {
  // Small ones are one packet; large ones are not copied.
  constexpr std::size_t kSmall = std::size_t{1} << 16;
  const auto length = std::bit_cast<Length>(std::uint64_t{bytes.size()});
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  std::string head(length.data(), length.size());
  if (text.size() > kSmall) return write_all(channel, head) && write_all(channel, text);
  return write_all(channel, head.append(text));
}

}  // namespace photonsim::campaigns
