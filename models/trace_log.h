// A user's log, read whole and compactly: the rows of its primaries and foreigns.
//
// An empty foreign key is a valid click that can never be joined; an unknown or malformed one is an
// error unless Dangling::allowed. Ids are unique among the primaries and among the foreigns.
//
// Memory: 40 bytes and the text of each row (at most kMostRowText), and an index of the ids while
// it is read.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core_impl/base/result.h"
#include "models/tables/input_fault.h"
#include "models/tables/time_text.h"

namespace photon::models {

// The rows of one table, or of several with the same columns. A row is named by its index.
class TraceRows {
 public:
  static constexpr std::uint32_t kNoKey = 0xffffffffU;
  static constexpr std::uint32_t kUnknownKey = 0xfffffffeU;
  static constexpr std::size_t kMostRowText = 256;  // of a row's text; the rest is cut off
  static constexpr std::size_t kMostId = 1000;      // of an id or a key

  struct Row {
    std::int64_t time = 0;           // ns in the table's own epoch
    std::int64_t stamp = 0;          // of its event id; set by the workload
    std::uint32_t text = 0;          // place in the store, in words
    std::uint32_t line = 0;          // 1-based
    std::uint32_t primary = kNoKey;  // foreigns: index of the primary, or none of them.
                                     // Primaries: index in the log of their server
    std::uint16_t file = 0;          // which of the table's files
    std::uint16_t server = 0;
  };

  // A row on its way in. `text`: its fields with commas between them; the id begins at `id_at`.
  struct Fields {
    std::string_view text;
    std::size_t id_at = 0;
    std::string_view id;
    std::string_view key;  // kept if it is unknown
  };
  // Requires an id and a key of at most kMostId bytes. Fails if there is no space for more rows.
  bool add(Row row, const Fields& fields);

  std::uint32_t size() const { return static_cast<std::uint32_t>(rows_.size()); }
  Row& operator[](std::uint32_t i) { return rows_[i]; }
  const Row& operator[](std::uint32_t i) const { return rows_[i]; }
  std::string_view text(std::uint32_t i) const;  // its first kMostRowText bytes
  std::string_view id(std::uint32_t i) const;
  std::string_view unknown_key(std::uint32_t i) const;  // of a row with kUnknownKey
  // Indices in order of time; rows with one time in the order of the files.
  std::vector<std::uint32_t> in_order() const;

 private:
  struct Head {
    std::uint16_t text = 0;   // length
    std::uint16_t id_at = 0;  // after the head
    std::uint16_t id = 0;     // length
    std::uint16_t key = 0;    // length
  };
  const char* place_of(std::uint32_t text) const;
  Head head_of(std::uint32_t i) const;
  char* take_space(std::size_t bytes, std::uint32_t& place);

  std::deque<Row> rows_;
  std::vector<std::unique_ptr<char[]>> blocks_;
  std::size_t used_ = 0;  // bytes of the last block
};

struct TraceTable {
  std::vector<std::string> files;  // read one after another
  std::string id;                  // column names
  std::string primary_id;          // foreigns only
  std::string time;
  std::optional<TimeForm> form{};  // nothing: that of the first row, which must leave no doubt
};

enum class Dangling : std::uint8_t { error, allowed };

struct TraceLog {
  TraceRows primaries;
  TraceRows foreigns;
  TimeForm primary_form = TimeForm::seconds;  // of their times, stated or recognised
  TimeForm foreign_form = TimeForm::seconds;
};

// Keys of the scenario are named in remedies.
Result<TraceLog, InputFaults> read_trace_log(const TraceTable& primary, const TraceTable& foreign,
                                             Dangling dangling);

}  // namespace photon::models
