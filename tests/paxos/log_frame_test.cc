// Frames of the log: which end of a file a crash can leave.
#include "core_impl/paxos/log_frame.h"

#include <array>
#include <vector>

#include "tests/support/catch.h"

namespace photon::paxos {
namespace {

struct Note {
  Bytes text{};

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.text);
  }
};

constexpr LogPlace kPlace{ShardId(5), 3, 700};

Bytes framed(std::size_t bytes, const LogPlace& place) {
  Bytes out;
  append_framed(Note{Bytes(bytes, std::byte{6})}, out);
  seal_frames(out, place);
  return out;
}

RecordStatus status(std::span<const std::byte> bytes, const LogPlace& place = kPlace) {
  return view_frame(bytes, place).status;
}

TEST_CASE("A-23 B-18 a prefix of a frame is torn, and any wrong byte of a frame is damage") {
  const Bytes record = framed(9, kPlace);
  REQUIRE(status(record) == RecordStatus::complete);
  REQUIRE(view_frame(record, kPlace).size == record.size());
  for (std::size_t kept = 0; kept < record.size(); ++kept) {
    CHECK(status(std::span(record).first(kept)) == RecordStatus::incomplete);
  }
  for (std::size_t bit = 0; bit < 8 * record.size(); ++bit) {
    CAPTURE(bit);
    Bytes wrong = record;
    wrong[bit / 8] ^= std::byte{1} << static_cast<int>(bit % 8);
    CHECK(status(wrong) == RecordStatus::corrupt);
    // Also if a crash then tore what followed it, and the frame alone is left.
    if (bit / 8 < kFrameBytes) {
      CHECK(status(std::span(wrong).first(kFrameBytes)) == RecordStatus::corrupt);
    }
  }
}

TEST_CASE("B-18 a frame is sound in its own place only, whole or cut") {
  const Bytes record = framed(40, kPlace);
  const std::array elsewhere{LogPlace{ShardId(4), 3, 700}, LogPlace{ShardId(5), 2, 700},
                             LogPlace{ShardId(5), 3, 701}};
  for (const LogPlace& place : elsewhere) {
    CHECK(status(record, place) == RecordStatus::corrupt);
    CHECK(status(std::span(record).first(20), place) == RecordStatus::corrupt);
  }
}

TEST_CASE("several frames are sealed for one place, and read until one is refused") {
  Bytes bytes;
  for (const std::size_t size : {0U, 1U, 30U})
    append_framed(Note{Bytes(size, std::byte{7})}, bytes);
  seal_frames(bytes, kPlace);
  std::vector<std::size_t> sizes;
  const auto note = [&](std::span<const std::byte> body) {
    Note read;
    REQUIRE(decode_record(body, read));
    sizes.push_back(read.text.size());
    return read.text.size() != 1 || sizes.size() > 4;
  };
  const std::size_t first = view_frame(bytes, kPlace).size;
  CHECK(for_each_frame(bytes, kPlace, note) == bytes.size() - first);
  CHECK(for_each_frame(bytes, kPlace, note) == bytes.size() - first);
  CHECK(for_each_frame(bytes, kPlace, note) == 0);
  CHECK(sizes == std::vector<std::size_t>{0, 1, 0, 1, 0, 1, 30});
}

}  // namespace
}  // namespace photon::paxos
