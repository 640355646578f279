// A table with a header line, read row by row: CSV as RFC 4180 has it, the same with semicolons, or
// TSV; packed or not (text_source.h).
//
// The separator is the one that the header uses most. A field may be quoted; then it may hold
// separators and line breaks, and a quote in it is doubled. In TSV a quote is plain text unless it
// opens a field that ends with a quote on the same line; or on a later one, if the row has all its
// fields then, no line inside the field is a row for itself, and otherwise this line or the next
// one lacks fields or has too many. Line ends are LF or CR LF; empty lines are skipped; a byte
// order mark is ignored.
//
// Every fault names file, line and remedy. A row that cannot be split is left out, and hides no
// fault of the rows after it: reading continues at the next line.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/tables/input_fault.h"
#include "models/tables/text_source.h"

namespace photon::models {

class TableReader {
 public:
  // Reads the header. `faults` must outlive this object.
  TableReader(const std::string& path, InputFaults& faults);

  // False: no readable file, or no sound header.
  bool has_header() const { return !columns_.empty(); }
  std::span<const std::string> columns() const { return columns_; }
  std::optional<std::size_t> column(std::string_view name) const;

  // Goes to the next sound row; false at the end.
  bool next();
  std::uint64_t line() const { return row_line_; }                      // where the row begins
  std::span<const std::string_view> fields() const { return fields_; }  // until the next call
  bool has_faults() const { return faulty_; }                           // so far, in this file

 private:
  // Which quotes open a field: all of CSV, where others are faults; of TSV those that are closed on
  // the same line, or all.
  enum class Quotes : std::uint8_t { strict, of_one_line, of_several_lines };
  enum class Split : std::uint8_t { row, nothing, misquoted, incomplete, open_quote };
  struct Piece {  // of the buffer, or of the scratch
    std::size_t begin = 0;
    std::size_t length = 0;
    bool in_scratch = false;
    std::size_t quote = 0, closed = 0;  // in the scratch: its quotes' places in the buffer
  };

  void fault(std::uint64_t line, std::string message, std::string remedy);
  void read_header();
  bool check_header();
  bool fill();
  Split take_record();
  Split split();
  Split split(Quotes quotes);
  std::optional<bool> may_be_cut() const;
  bool is_whole_row(std::size_t begin, std::size_t end) const;
  bool takes_whole_rows() const;
  Split take_quoted(std::size_t& at);
  bool is_quoted_in_line(std::size_t at) const;
  void skip_line();
  void consume(std::size_t end);

  std::string path_;
  InputFaults& faults_;
  bool faulty_ = false;
  std::optional<TextSource> source_{};
  bool ended_ = false;      // the source
  std::string buffer_;      // from the row on
  std::size_t begin_ = 0;   // of the row
  std::size_t after_ = 0;   // the end of the row that was split last
  std::uint64_t line_ = 1;  // at begin_
  std::uint64_t row_line_ = 0;
  char separator_ = ',';
  std::string scratch_;  // quoted fields without their doubled quotes
  std::vector<Piece> pieces_;
  std::vector<std::string_view> fields_;
  std::vector<std::string> columns_;
};

}  // namespace photon::models
