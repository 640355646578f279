#include "notebooks_export/notebooks.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <generated/notebook_modules.h>
#include <generated/notebook_sources.h>

#include "analysis/trace_files/draft_file.h"

namespace photonsim::notebooks {
namespace {

namespace json = boost::json;
using photon::analysis::FileError;

constexpr std::string_view kCell = "# %%";
constexpr std::string_view kMarkdown = "# %% [markdown]";
constexpr std::string_view kTables = "@TABLES@";

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// A literal of Python.
std::string quoted(std::string_view text) {
  std::string literal;
  for (const char c : text) {
    if (c == '\\' || c == '"') literal += '\\';
    if (c == '\n') {
      literal += "\\n";
    } else {
      literal += c;
    }
  }
  return literal;
}

std::string with_tables(std::string_view line, std::string_view tables) {
  std::string text(line);
  if (const auto place = text.find(kTables); place != std::string::npos) {
    text.replace(place, kTables.size(), quoted(tables));
  }
  return text;
}

// Lines of a comment without their marks.
std::string_view uncommented(std::string_view line) {
  if (line.starts_with("# ")) return line.substr(2);
  return line.starts_with("#") ? line.substr(1) : line;
}

// A list of lines, all but the last with their ends: so nbformat has texts.
json::array source_of(std::vector<std::string> lines) {
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  json::array source;
  for (std::string& each : lines) {
    source.emplace_back(&each == &lines.back() ? each : each + "\n");
  }
  return source;
}

json::object cell_of(bool markdown, std::vector<std::string> lines) {
  json::object cell{{"cell_type", markdown ? "markdown" : "code"}, {"metadata", json::object{}}};
  if (!markdown) {
    cell["execution_count"] = nullptr;
    cell["outputs"] = json::array{};
  }
  cell["source"] = source_of(std::move(lines));
  return cell;
}

// From the folder of the notebooks to that of the tables; absolute where no such path exists.
std::string path_between(const std::string& folder, const std::string& tables) {
  std::error_code error;
  // Canonical paths of what is missing stay relative unless they are made absolute first.
  const auto target = std::filesystem::weakly_canonical(std::filesystem::absolute(tables), error);
  if (error) return tables;
  const auto from = std::filesystem::weakly_canonical(std::filesystem::absolute(folder), error);
  if (error) return target.generic_string();
  const auto relative = target.lexically_relative(from);
  return relative.empty() ? target.generic_string() : relative.generic_string();
}

}  // namespace

std::string notebook_of(std::string_view source, std::string_view tables) {
  json::array cells;
  std::vector<std::string> lines;
  bool in_cell = false;
  bool markdown = false;
  const auto end_cell = [&] {
    if (in_cell) cells.push_back(cell_of(markdown, std::move(lines)));
    lines.clear();
  };
  for (const std::string_view line : lines_of(source)) {
    if (line.starts_with(kCell)) {
      end_cell();
      in_cell = true;
      markdown = line.starts_with(kMarkdown);
    } else if (in_cell) {
      lines.push_back(markdown ? std::string(uncommented(line)) : with_tables(line, tables));
    }
  }
  end_cell();
  json::object notebook{
      {"cells", std::move(cells)},
      {"metadata", json::object{{"kernelspec", json::object{{"display_name", "Python 3"},
                                                            {"language", "python"},
                                                            {"name", "python3"}}},
                                {"language_info", json::object{{"name", "python"}}}}},
      {"nbformat", 4},
      {"nbformat_minor", 4}};
  return json::serialize(notebook) + "\n";
}

namespace {

std::string notebook_name(std::string_view source) {
  return std::string(source.substr(0, source.rfind('.'))) + ".ipynb";
}

}  // namespace

std::vector<std::string> notebook_files() {
  std::vector<std::string> names;
  for (const std::string_view each : kModulesNames) names.emplace_back(each);
  for (const std::string_view each : kNotebooksNames) names.push_back(notebook_name(each));
  return names;
}

photon::Result<std::uint64_t, FileError> write_notebooks(const std::string& folder,
                                                         const std::string& tables) {
  const std::string path = path_between(folder, tables);
  for (std::size_t i = 0; i < std::size(kModules); ++i) {
    const auto written = photon::analysis::write_file(folder + "/" + std::string(kModulesNames[i]),
                                                      std::string(kModules[i]));
    if (!written) return written.assume_error();
  }
  for (std::size_t i = 0; i < std::size(kNotebooks); ++i) {
    const auto written = photon::analysis::write_file(
        folder + "/" + notebook_name(kNotebooksNames[i]), notebook_of(kNotebooks[i], path));
    if (!written) return written.assume_error();
  }
  return std::size(kNotebooks);
}

}  // namespace photonsim::notebooks
