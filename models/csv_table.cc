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
  auto text = read_file(path);
  if (!text) return std::move(text).assume_error();
  CsvTable table;
  table.file = path;
  InputFaults faults;
  std::uint64_t number = 0;
  const std::size_t mark =
      text.assume_value().starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  for (std::size_t start = mark; start < text.assume_value().size();) {
    std::size_t end = text.assume_value().find('\n', start);
    if (end == std::string::npos) end = text.assume_value().size();
    std::string line = text.assume_value().substr(start, end - start);
    start = end + 1;
    ++number;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() && number > 1) continue;
    CsvRow row{number, {}};
    if (!split(line, row.fields)) {
      faults.push_back({path, number, "a quote is misplaced or not closed",
                        "quote whole fields and double the quotes inside"});
    } else if (number == 1) {
      table.columns = std::move(row.fields);
    } else if (row.fields.size() != table.columns.size()) {
      faults.push_back({path, number,
                        std::to_string(row.fields.size()) + " fields where the header names " +
                            std::to_string(table.columns.size()),
                        "give every row one field per column"});
    } else {
      table.rows.push_back(std::move(row));
    }
    if (faults.size() >= kMostFaults) return faults;
  }
  if (number == 0) faults.push_back({path, 0, "the file is empty", "it needs a header line"});
  if (!faults.empty()) return faults;
  return table;
}

}  // namespace photon::models
