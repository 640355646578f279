// Facts that the oracles receive about bytes that storage damaged before they arrived.

#include "scenarios/world/storage_facts.h"

#include <algorithm>
#include <vector>

#include "core_impl/base/record_codec.h"
#include "core_impl/photon/cell_log/cell_files.h"
#include "core_impl/photon/joiner/joined_record.h"
#include "core_impl/trace/pipeline.h"
#include "tests/support/catch.h"

using namespace photon;

namespace {

constexpr std::uint32_t kRecords = 5;

class Sequences final : public trace::FactSink {
 public:
  std::vector<std::uint64_t> numbers{};

 private:
  void raw_fact(trace::Kind kind, const void* payload, std::size_t /*size*/) override {
    REQUIRE(kind == trace::Kind::output_record);
    numbers.push_back(static_cast<const trace::OutputRecord*>(payload)->token.sequence);
  }
};

struct File {
  Bytes bytes{};
  std::vector<std::size_t> begins{};  // of the records
};

// Records of several sizes, with sequences from 1.
File output() {
  File file;
  for (std::uint32_t i = 1; i <= kRecords; ++i) {
    file.begins.push_back(file.bytes.size());
    JoinedRecord record{{1, i}, {2, i}, {7, 1, i}};
    record.payload.assign(std::size_t{40} * i, std::byte{0x5A});
    append_encoded(record, file.bytes);
  }
  return file;
}

// Of a copy that becomes durable in pieces of that size.
std::vector<std::uint64_t> numbers_in(const Bytes& bytes, std::size_t piece) {
  photonsim::scenarios::StorageFacts facts;
  const FileName name = copied_output_file(NodeId(7), Incarnation(1));
  Sequences seen;
  sim::StorageFact fact;
  fact.source = trace::Source::durable;
  fact.volume = VolumeId(3);
  fact.kind = sim::VolumeClass::shared_cell;
  fact.file = &name;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    fact.offset = at;
    fact.bytes = std::span(bytes).subspan(at, std::min(piece, bytes.size() - at));
    facts.project(fact, seen);
  }
  return std::move(seen.numbers);
}

}  // namespace

TEST_CASE("D-08 F-14 a copied record that storage had lost hides none of those after it") {
  const File sound = output();
  // In whole, in halves, byte by byte, and with ends inside the frames of records.
  for (const std::size_t piece : {sound.bytes.size(), sound.bytes.size() / 2, std::size_t{1},
                                  std::size_t{7}, sound.begins[1] + 3}) {
    CAPTURE(piece);
    CHECK(numbers_in(sound.bytes, piece) == std::vector<std::uint64_t>{1, 2, 3, 4, 5});
    Bytes lost = sound.bytes;
    for (std::size_t at = sound.begins[1]; at < sound.begins[2]; ++at) lost[at] = std::byte{0};
    CHECK(numbers_in(lost, piece) == std::vector<std::uint64_t>{1, 3, 4, 5});
    Bytes torn = sound.bytes;  // the first half had been shipped before
    for (std::size_t at = sound.begins[3] + 60; at < sound.begins[4]; ++at) torn[at] = std::byte{0};
    CHECK(numbers_in(torn, piece) == std::vector<std::uint64_t>{1, 2, 3, 5});
  }
}
