// The framing of records, and the readers of growing files. The first byte says what is done with
// the rest: read as a file, in pieces of any length; or framed first, then cut and damaged.
#include <algorithm>
#include <vector>

#include "core_impl/base/record_codec.h"
#include "core_impl/logs/log_reader.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/targets.h"

namespace photon::fuzz {
namespace {

using Span = std::span<const std::byte>;

// The offsets at which sound records of a file end, for a reader that gets all of it at once.
Outcome read_whole(Span file) {
  std::size_t records = 0;
  const std::size_t left = for_each_record(file, [&](Span body) {
    Bytes framed;
    append_record(body, framed);
    require(file.size() >= framed.size(), "a record lies inside its file");
    ++records;
    return true;
  });
  require(left <= file.size(), "what is left of a file is a part of it");
  return records > 0 ? Outcome::accepted : Outcome::refused;
}

// A file that grows, read in pieces. Items follow each other without a gap; sound ones are sound.
std::vector<std::uint64_t> read_pieces(Span file, Input& sizes, logs::Tail last) {
  logs::LogReader reader;
  std::vector<std::uint64_t> sound;
  std::size_t shown = 0;
  for (int step = 0; step < 64; ++step) {
    const bool all = step == 63 || sizes.is_empty();
    shown = all ? file.size() : std::min(file.size(), shown + sizes.byte());
    const auto from = static_cast<std::size_t>(reader.offset());
    require(from <= file.size(), "a reader stays inside its file");
    reader.supply(from,
                  Bytes(file.begin() + static_cast<std::ptrdiff_t>(std::min(from, shown)),
                        file.begin() + static_cast<std::ptrdiff_t>(std::max(from, shown))),
                  all ? last : logs::Tail::growing);
    std::uint64_t at = from;
    while (const auto item = reader.next()) {
      require(item->offset == at && item->end > at, "items follow each other without gaps");
      require(reader.offset() == item->end && item->end <= shown,
              "no item ends after the end of the file");
      at = item->end;
      if (item->kind != logs::LogItemKind::record) continue;
      require(view_record(item->record.framed()).status == RecordStatus::complete,
              "a record is sound");
      sound.push_back(item->end);
    }
    if (all) break;
  }
  return sound;
}

// Records framed here are read as they were written, up to the cut, and again after the damage.
Outcome frame_and_damage(Input& input) {
  constexpr std::size_t kMostRecords = 32;
  Bytes file;
  std::vector<std::uint64_t> ends;
  const std::size_t count = 1 + input.below(kMostRecords);
  const std::uint64_t cut_at = input.number();
  const std::uint64_t damage_at = input.number();
  const std::uint8_t damage = input.byte();
  for (std::size_t i = 0; i < count; ++i) {
    append_record(input.bytes(), file);
    ends.push_back(file.size());
  }
  const auto cut = static_cast<std::size_t>(cut_at % (file.size() + 1));
  const auto whole = static_cast<std::size_t>(std::ranges::upper_bound(ends, cut) - ends.begin());
  std::size_t seen = 0;
  for_each_record(Span(file).first(cut), [&](Span) { return ++seen > 0; });
  require(seen == whole, "a cut removes the records after it, and no other");
  const auto place = static_cast<std::size_t>(damage_at % file.size());
  file[place] ^= static_cast<std::byte>(damage);
  const std::vector<std::uint64_t> sound = read_pieces(file, input, logs::Tail::stalled);
  require(std::ranges::is_sorted(sound), "records are returned once");
  if (damage == 0) require(sound == ends, "nothing is lost of a file without damage");
  return Outcome::accepted;
}

}  // namespace

Outcome record_codec(std::span<const std::byte> bytes) {
  Input input(bytes);
  const std::uint8_t mode = input.byte();
  if (mode % 2 == 1) return frame_and_damage(input);
  Input sizes(input.take(mode / 2));
  const auto file = input.rest();
  read_pieces(file, sizes, mode % 4 == 0 ? logs::Tail::growing : logs::Tail::stalled);
  return read_whole(file);
}

}  // namespace photon::fuzz
