#include "models/csv_table.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace photon::models {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::size_t kLargestFile = std::size_t{1} << 31U;

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

Result<std::string, InputFaults> read_file(const std::string& path) {
  const std::unique_ptr<std::FILE, FileCloser> file(std::fopen(path.c_str(), "rb"));
  if (!file) {
    return InputFaults{{path, 0, std::strerror(errno), "give the path of a readable CSV file"}};
  }
  std::string text;
  std::string block(std::size_t{1} << 16U, '\0');
  while (const std::size_t count = std::fread(block.data(), 1, block.size(), file.get())) {
    text.append(block, 0, count);
    if (text.size() > kLargestFile) {
      return InputFaults{{path, 0, "the file is larger than 2 GiB", "split the trace"}};
    }
  }
  if (std::ferror(file.get()) != 0) {
    return InputFaults{{path, 0, std::strerror(errno), "give the path of a readable CSV file"}};
  }
  return text;
}

// One field from the front of `rest`, which then starts at the separator or is empty. None if the
// quoting is broken.
std::optional<std::string> take_field(std::string_view& rest) {
  if (!rest.starts_with('"')) {
    const std::string_view plain = rest.substr(0, rest.find(','));
    rest.remove_prefix(plain.size());
    if (plain.find('"') != std::string_view::npos) return std::nullopt;
    return std::string(plain);
  }
  std::string field;
  for (rest.remove_prefix(1); !rest.empty();) {
    const char c = rest.front();
    rest.remove_prefix(1);
    if (c != '"') {
      field += c;
    } else if (rest.starts_with('"')) {  // a doubled quote stands for one
      field += c;
      rest.remove_prefix(1);
    } else {
      return rest.empty() || rest.front() == ',' ? std::optional(field) : std::nullopt;
    }
  }
  return std::nullopt;
}

// One line from the front of `rest`, without its end.
std::string_view take_line(std::string_view& rest) {
  std::string_view line = rest.substr(0, rest.find('\n'));
  rest.remove_prefix(std::min(rest.size(), line.size() + 1));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

InputFault misplaced_quote(const std::string& path, std::uint64_t line) {
  return {path, line, "a quote is misplaced or not closed",
          "quote whole fields and double the quotes inside"};
}

// A column that the header names twice: the meant one is unknown.
InputFaults named_twice(const CsvTable& table) {
  InputFaults faults;
  for (auto column = table.columns.begin(); column != table.columns.end(); ++column) {
    const auto times_before = std::count(table.columns.begin(), column, *column);
    if (times_before != 1 || faults.size() >= kMostFaults) continue;  // once for each name
    faults.push_back({table.file, 1, "the header names the column '" + *column + "' twice",
                      "give every column a name of its own"});
  }
  return faults;
}

// False if the quoting is broken.
bool split(std::string_view line, std::vector<std::string>& fields) {
  for (;;) {
    auto field = take_field(line);
    if (!field) return false;
    fields.push_back(*std::move(field));
    if (line.empty()) return true;
    line.remove_prefix(1);
  }
}

}  // namespace

std::string InputFault::text() const {
  std::string out = file;
  if (line > 0) out += ':' + std::to_string(line);
  out += ": " + message;
  if (!remedy.empty()) out += " (" + remedy + ")";
  return out;
}

std::optional<std::size_t> CsvTable::column(std::string_view name) const {
  const auto found = std::ranges::find(columns, name);
  if (found == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns.begin());
}

Result<CsvTable, InputFaults> read_csv(const std::string& path) {
  const auto text = read_file(path);
  if (!text) return text.assume_error();
  std::string_view rest = text.assume_value();
  if (rest.starts_with(kByteOrderMark)) rest.remove_prefix(kByteOrderMark.size());
  if (rest.empty()) return InputFaults{{path, 0, "the file is empty", "it needs a header line"}};
  CsvTable table;
  table.file = path;
  const std::string_view header = take_line(rest);
  if (!split(header, table.columns)) return InputFaults{misplaced_quote(path, 1)};
  if (InputFaults twice = named_twice(table); !twice.empty()) return twice;
  for (std::uint64_t number = 2; !rest.empty(); ++number) {
    const std::string_view line = take_line(rest);
    if (line.empty()) continue;
    CsvRow row{number, {}};
    std::optional<InputFault> fault;
    if (!split(line, row.fields)) {
      fault = misplaced_quote(path, number);
    } else if (row.fields.size() != table.columns.size()) {
      fault = {path, number,
               std::to_string(row.fields.size()) + " fields where the header names " +
                   std::to_string(table.columns.size()),
               "give every row one field per column"};
    }
    if (!fault) {
      table.rows.push_back(std::move(row));
    } else if (table.faults.size() < kMostFaults) {
      table.faults.push_back(*std::move(fault));
    }
  }
  return table;
}

}  // namespace photon::models
