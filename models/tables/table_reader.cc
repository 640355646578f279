#include "models/tables/table_reader.h"

#include <algorithm>
#include <array>
#include <utility>

namespace photon::models {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::size_t kBlock = std::size_t{1} << 18U;
// A row that is longer has an open quote, or is no row.
constexpr std::size_t kLongestRow = std::size_t{1} << 20U;

// The separator that stands most often in a line, outside quotes.
char separator_of(std::string_view line) {
  constexpr std::array kSeparators{',', '\t', ';'};
  std::array<std::size_t, kSeparators.size()> counts{};
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    const auto found = std::ranges::find(kSeparators, c);
    if (!quoted && found != kSeparators.end()) {
      ++counts[static_cast<std::size_t>(found - kSeparators.begin())];
    }
  }
  return kSeparators[static_cast<std::size_t>(std::ranges::max_element(counts) - counts.begin())];
}

}  // namespace

TableReader::TableReader(const std::string& path, InputFaults& faults)
    : path_(path), faults_(faults) {
  auto source = TextSource::open(path);
  if (!source) {
    faulty_ = true;
    faults_.add(std::move(source).assume_error());
    return;
  }
  source_.emplace(std::move(source).assume_value());
  read_header();
}

void TableReader::fault(std::uint64_t line, std::string message, std::string remedy) {
  faulty_ = true;
  faults_.add({path_, line, std::move(message), std::move(remedy)});
}

std::optional<std::size_t> TableReader::column(std::string_view name) const {
  const auto found = std::ranges::find(columns_, name);
  if (found == columns_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns_.begin());
}

void TableReader::read_header() {
  if (!fill()) {
    if (!faulty_) fault(0, "the file is empty", "it needs a header line");
    return;
  }
  if (buffer_.starts_with(kByteOrderMark)) begin_ = kByteOrderMark.size();
  separator_ = separator_of(std::string_view(buffer_).substr(
      begin_, std::min(buffer_.find('\n', begin_), buffer_.size()) - begin_));
  const Split found = take_record();
  if (found != Split::row) {
    if (found == Split::nothing && !faulty_) {
      fault(1, "the header line is empty", "the first line names the columns");
    }
    return;
  }
  for (const std::string_view each : fields_) columns_.emplace_back(each);
  if (!check_header()) columns_.clear();
}

// A column that the header names twice: the meant one is unknown.
bool TableReader::check_header() {
  for (auto column = columns_.begin(); column != columns_.end(); ++column) {
    const auto times_before = std::count(columns_.begin(), column, *column);
    if (times_before != 1) continue;  // once for each name
    fault(1, "the header names the column '" + *column + "' twice",
          "give every column a name of its own");
  }
  return !faulty_;
}

// Reads one more block. False: there is none.
bool TableReader::fill() {
  if (ended_ || !source_) return false;
  buffer_.erase(0, begin_);
  begin_ = 0;
  const std::size_t had = buffer_.size();
  buffer_.resize(had + kBlock);
  const auto count = source_->read(std::span(buffer_).subspan(had));
  const std::size_t got = count ? count.assume_value() : 0;
  if (!count) {
    faulty_ = true;
    faults_.add(count.assume_error());
  }
  buffer_.resize(had + got);
  ended_ = got == 0;
  return !ended_;
}

void TableReader::consume(std::size_t end) {
  line_ += static_cast<std::uint64_t>(
      std::count(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
                 buffer_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
  begin_ = end;
}

void TableReader::skip_line() {
  for (;;) {
    const std::size_t end = buffer_.find('\n', begin_);
    if (end != std::string::npos) return consume(end + 1);
    begin_ = buffer_.size();
    if (!fill()) return;
  }
}

bool TableReader::next() {
  if (!has_header()) return false;
  for (;;) {
    const Split found = take_record();
    if (found == Split::nothing) return false;
    if (found != Split::row) continue;
    if (fields_.size() == columns_.size()) return true;
    fault(row_line_,
          std::to_string(fields_.size()) + (fields_.size() == 1 ? " field" : " fields") +
              " where the header names " + std::to_string(columns_.size()),
          "give every row one field per column");
  }
}

// The next record that is not an empty line. `misquoted`: it was reported, and skipped.
TableReader::Split TableReader::take_record() {
  if (after_ > begin_) consume(after_);  // until now its fields were in the buffer
  for (;;) {
    after_ = 0;
    const std::string_view rest = std::string_view(buffer_).substr(begin_);
    if (rest.starts_with('\n') || rest.starts_with("\r\n")) {
      consume(begin_ + (rest.front() == '\n' ? 1 : 2));
      continue;
    }
    if (rest.empty() || rest == "\r") {
      if (fill()) continue;
      return Split::nothing;
    }
    const Split found = split();
    const bool may_go_on = found == Split::incomplete || found == Split::open_quote;
    if (may_go_on && !ended_ && rest.size() <= kLongestRow) {
      fill();
      continue;
    }
    row_line_ = line_;
    if (found == Split::row) return found;
    if (found == Split::incomplete) {
      fault(line_, "a line is longer than 1 MiB", "is this a table of text?");
    } else {
      fault(line_, "a quote is misplaced or not closed",
            "quote whole fields and double the quotes inside");
    }
    skip_line();
    return Split::misquoted;
  }
}

// True if the quote at `at` opens a field that a quote closes on the same line.
bool TableReader::is_quoted_in_line(std::size_t at) const {
  for (++at; at < buffer_.size() && buffer_[at] != '\n'; ++at) {
    if (buffer_[at] != '"') continue;
    const char next = at + 1 < buffer_.size() ? buffer_[at + 1] : '\n';
    if (next != '"') return next == separator_ || next == '\n' || next == '\r';
    ++at;
  }
  return false;
}

// Adds the field whose quote stands at `at`, and moves `at` behind its closing quote.
TableReader::Split TableReader::take_quoted(std::size_t& at) {
  const std::size_t first = scratch_.size();
  const std::size_t quote = at;
  for (++at;; ++at) {
    if (at >= buffer_.size()) return Split::open_quote;
    if (buffer_[at] != '"') {
      scratch_ += buffer_[at];
      continue;
    }
    if (at + 1 == buffer_.size() && !ended_) return Split::incomplete;
    if (at + 1 < buffer_.size() && buffer_[at + 1] == '"') {  // it stands for one
      scratch_ += buffer_[at++];
      continue;
    }
    ++at;
    break;
  }
  pieces_.push_back({first, scratch_.size() - first, true, quote, at - 1});
  return Split::row;
}

// Splits the record at begin_ into fields_, and sets after_ to its end.
TableReader::Split TableReader::split() {
  if (separator_ != '\t') return split(Quotes::strict);
  const Split plain = split(Quotes::of_one_line);
  if (plain != Split::row) return plain;
  const std::optional<bool> cut = may_be_cut();
  if (!cut) return Split::incomplete;
  if (!*cut) return plain;
  const Split quoted = split(Quotes::of_several_lines);
  if (quoted == Split::row && fields_.size() == columns_.size() && !takes_whole_rows()) {
    return quoted;
  }
  const bool may_go_on = quoted == Split::incomplete || quoted == Split::open_quote;
  if (may_go_on && !ended_ && buffer_.size() - begin_ <= kLongestRow) return quoted;
  return split(Quotes::of_one_line);
}

// Whether the row of TSV that was split last may be the beginning of one with a line break in
// quotes; nothing: the next line is not known yet.
std::optional<bool> TableReader::may_be_cut() const {
  const bool opens = std::ranges::any_of(pieces_, [this](const Piece& each) {
    return !each.in_scratch && each.length > 0 && buffer_[each.begin] == '"';
  });
  if (!opens || columns_.empty()) return false;
  if (fields_.size() != columns_.size()) return true;
  const std::size_t begin = std::min(buffer_.find_first_not_of("\r\n", after_), buffer_.size());
  const std::size_t end = std::min(buffer_.find('\n', begin), buffer_.size());
  if (end == buffer_.size() && !ended_) return std::nullopt;
  return begin != end && !is_whole_row(begin, end);
}

// Whether that line, taken for itself, has a field for each column.
bool TableReader::is_whole_row(std::size_t begin, std::size_t end) const {
  const std::string_view line = std::string_view(buffer_).substr(begin, end - begin);
  const auto separators = static_cast<std::size_t>(std::ranges::count(line, separator_));
  return separators + 1 == columns_.size();
}

// Whether a field of the row that was split last holds a line that is a row for itself: then its
// quote is no opening one, but plain text.
bool TableReader::takes_whole_rows() const {
  return std::ranges::any_of(pieces_, [this](const Piece& each) {
    if (!each.in_scratch) return false;
    for (std::size_t end = buffer_.find('\n', each.quote);;) {
      const std::size_t begin = end + 1;
      end = begin == 0 ? std::string::npos : buffer_.find('\n', begin);
      if (end == std::string::npos || end >= each.closed) return false;
      if (is_whole_row(begin, end)) return true;
    }
  });
}

TableReader::Split TableReader::split(Quotes quotes) {
  pieces_.clear();
  scratch_.clear();
  fields_.clear();
  const bool strict = quotes == Quotes::strict;
  for (std::size_t at = begin_;; ++at) {
    if (at < buffer_.size() && buffer_[at] == '"' &&
        (quotes != Quotes::of_one_line || is_quoted_in_line(at))) {
      if (const Split found = take_quoted(at); found != Split::row) return found;
    } else {
      const std::size_t first = at;
      while (at < buffer_.size() && buffer_[at] != separator_ && buffer_[at] != '\n') {
        if (strict && buffer_[at] == '"') return Split::misquoted;
        ++at;
      }
      std::size_t length = at - first;
      const bool at_line_end = at == buffer_.size() || buffer_[at] == '\n';
      if (at_line_end && length > 0 && buffer_[at - 1] == '\r') --length;
      pieces_.push_back({first, length});
    }
    if (at + 1 < buffer_.size() && buffer_[at] == '\r' && buffer_[at + 1] == '\n') ++at;
    if (at + 1 >= buffer_.size() && !ended_) return Split::incomplete;
    if (at < buffer_.size() && buffer_[at] == separator_) continue;
    const bool lone_return = at + 1 == buffer_.size() && buffer_[at] == '\r';
    if (at < buffer_.size() && buffer_[at] != '\n' && !lone_return) return Split::misquoted;
    after_ = std::min(at + 1, buffer_.size());
    break;
  }
  for (const Piece& each : pieces_) {
    const std::string_view from = each.in_scratch ? scratch_ : buffer_;
    fields_.push_back(from.substr(each.begin, each.length));
  }
  return Split::row;
}

}  // namespace photon::models
