#include "trace_views/divergence.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "analysis/reports/event_names.h"
#include "core_impl/base/hash.h"
#include "core_impl/base/time_text.h"
#include "trace_views/record_text.h"

namespace photonsim::trace_views {
namespace {

namespace analysis = photon::analysis;
namespace trace = photon::trace;
using photon::Result;
using trace::Record;

constexpr std::uint64_t kBlock = 4'096;  // records
constexpr std::size_t kCommon = 4;

bool same(const Record& one, const Record& other) {
  return std::memcmp(&one, &other, sizeof(Record)) == 0;
}

// The hash of each block of records, chained: an unequal block makes all later ones unequal.
class BlockHashes final : public trace::Sink {
 public:
  void record(const Record& record) override {
    const auto bytes = std::as_bytes(std::span(&record, 1));
    hash_ = photon::hash_bytes(bytes, hash_);
    if (++count_ % kBlock == 0) hashes.push_back(hash_);
  }
  void finish() {
    if (count_ % kBlock != 0) hashes.push_back(hash_);
  }
  std::vector<std::uint64_t> hashes{};

 private:
  std::uint64_t hash_ = 0;
  std::uint64_t count_ = 0;
};

// The records from `from` up to `until`.
class RecordRange final : public trace::Sink {
 public:
  RecordRange(std::uint64_t from, std::uint64_t until) : from_(from), until_(until) {}
  void record(const Record& record) override {
    if (number_ >= from_ && number_ < until_) records.push_back(record);
    ++number_;
  }
  std::vector<Record> records{};

 private:
  std::uint64_t from_;
  std::uint64_t until_;
  std::uint64_t number_ = 0;
};

Result<std::vector<std::uint64_t>, analysis::FileError> hashes_of(analysis::TraceReader& reader) {
  BlockHashes sink;
  const auto read = reader.replay(sink);
  if (!read) return read.assume_error();
  sink.finish();
  return std::move(sink.hashes);
}

std::string record_line(const Record& record, const analysis::TracePlaces& places) {
  const trace::Header& header = record.header;
  const std::string process = header.node == photon::kNoNode
                                  ? std::string("the environment")
                                  : analysis::process_name(places, header.node);
  return fmt::format("{} {}: {}", photon::in_seconds(header.at - photon::SimTime{}), process,
                     title_of(header.kind));
}

std::string value_of(const Field& field) {
  if (field.type == Field::Type::number) return std::to_string(field.count);
  if (field.type == Field::Type::event) return analysis::spoken(field.id, nullptr);
  return field.text;
}

// Of two records of one kind whose fields say the same.
std::string header_differences(const Record& one, const Record& other) {
  std::string text;
  const auto put = [&](std::string_view name, const auto& mine, const auto& theirs) {
    if (mine == theirs) return;
    text += fmt::format("    {}: {} in the first, {} in the second\n", name, mine, theirs);
  };
  const trace::Header& mine = one.header;
  const trace::Header& theirs = other.header;
  put("calendar clock of the host", photon::in_seconds(mine.local - photon::LocalTime{}),
      photon::in_seconds(theirs.local - photon::LocalTime{}));
  put("life of the process", mine.incarnation.value(), theirs.incarnation.value());
  put("number of the message", mine.message, theirs.message);
  put("other process", mine.peer.value(), theirs.peer.value());
  return text.empty() ? "    a field that is not shown\n" : text;
}

}  // namespace

Result<std::optional<Divergence>, analysis::FileError> first_divergence(
    analysis::TraceReader& first, analysis::TraceReader& second) {
  auto mine = hashes_of(first);
  if (!mine) return std::move(mine).assume_error();
  auto theirs = hashes_of(second);
  if (!theirs) return std::move(theirs).assume_error();
  const auto [one, other] = std::ranges::mismatch(mine.assume_value(), theirs.assume_value());
  if (one == mine.assume_value().end() && other == theirs.assume_value().end()) {
    return std::optional<Divergence>();
  }
  const auto block = static_cast<std::uint64_t>(one - mine.assume_value().begin());
  const std::uint64_t from = block * kBlock - std::min<std::uint64_t>(block * kBlock, kCommon);
  RecordRange left(from, (block + 1) * kBlock);
  RecordRange right(from, (block + 1) * kBlock);
  for (const auto& [reader, slice] : {std::pair(&first, &left), std::pair(&second, &right)}) {
    const auto read = reader->replay(*slice);
    if (!read) return read.assume_error();
  }
  const auto [mine_at, theirs_at] = std::ranges::mismatch(left.records, right.records, same);
  Divergence found;
  const auto place = mine_at - left.records.begin();
  found.number = from + static_cast<std::uint64_t>(place) + 1;
  const auto common = std::min<std::ptrdiff_t>(place, kCommon);
  found.common.assign(mine_at - common, mine_at);
  if (mine_at != left.records.end()) found.first = *mine_at;
  if (theirs_at != right.records.end()) found.second = *theirs_at;
  return std::optional(std::move(found));
}

std::string divergence_text(const Divergence& divergence, const analysis::TraceReader& first,
                            const analysis::TraceReader& second) {
  std::string text = fmt::format("the traces part at record {}\n", divergence.number);
  for (const Record& each : divergence.common) {
    text += "  both    " + record_line(each, first.head().places) + "\n";
  }
  const auto line = [&](std::string_view who, const std::optional<Record>& record,
                        const analysis::TraceReader& of) {
    text += fmt::format("  {:<7} {}\n", who,
                        record ? record_line(*record, of.head().places) : "has ended");
  };
  line("first", divergence.first, first);
  line("second", divergence.second, second);
  const bool comparable = divergence.first && divergence.second &&
                          divergence.first->header.kind == divergence.second->header.kind;
  if (!comparable) return text;
  const std::size_t before = text.size();
  const Fields mine = fields_of(*divergence.first, first.head().places);
  const Fields theirs = fields_of(*divergence.second, second.head().places);
  for (std::size_t i = 0; i < std::min(mine.list().size(), theirs.list().size()); ++i) {
    const std::string one = value_of(mine.list()[i]), other = value_of(theirs.list()[i]);
    if (one == other) continue;
    text +=
        fmt::format("    {}: {} in the first, {} in the second\n", mine.list()[i].name, one, other);
  }
  return text.size() > before ? text
                              : text + header_differences(*divergence.first, *divergence.second);
}

}  // namespace photonsim::trace_views
