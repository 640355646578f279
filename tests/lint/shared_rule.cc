// The judge's list of what it shares with the system: a table in a document, checked against the
// includes, so that no logic of the system slips into its judge unnoticed.
#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/lint/rules.h"

namespace photonsim::lint {
namespace {

constexpr std::string_view kJudge[] = {"analysis/accounting/", "analysis/evidence/",
                                       "analysis/judge/",      "analysis/linearizability/",
                                       "analysis/oracles/",    "scenarios/world/judg"};
constexpr std::string_view kSystem = "core_impl/";

bool is_judge(std::string_view path) {
  return std::any_of(std::begin(kJudge), std::end(kJudge),
                     [&](std::string_view start) { return path.starts_with(start); });
}

// One row: a header in backticks, the files that may include it or `all`, the reason.
struct Shared {
  std::string header;
  bool all = false;
  std::set<std::string> users;
  int line = 0;
};

std::vector<std::string> cells_of(std::string_view row) {
  std::vector<std::string> cells;
  for (std::size_t at = row.find('|'); at != std::string_view::npos;) {
    const std::size_t end = row.find('|', at + 1);
    if (end == std::string_view::npos) break;
    cells.emplace_back(row.substr(at + 1, end - at - 1));
    at = end;
  }
  return cells;
}

std::set<std::string> quoted_in(std::string_view cell) {
  std::set<std::string> names;
  for (std::size_t at = cell.find('`'); at != std::string_view::npos;) {
    const std::size_t end = cell.find('`', at + 1);
    if (end == std::string_view::npos) break;
    names.emplace(cell.substr(at + 1, end - at - 1));
    at = cell.find('`', end + 1);
  }
  return names;
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(' ') == std::string_view::npos;
}

std::vector<Shared> rows_of(const std::string& path, std::string_view text, Findings& findings) {
  std::vector<Shared> rows;
  int number = 0;
  for (const std::string& line : split_lines(text)) {
    ++number;
    if (!line.starts_with("| `core_impl/")) continue;
    const std::vector<std::string> cells = cells_of(line);
    if (cells.size() != 3 || is_blank(cells[2])) {
      findings.push_back({path, number, "shared", "a row has a header, its users and a reason"});
      continue;
    }
    Shared row{*quoted_in(cells[0]).begin(), cells[1] == " all ", quoted_in(cells[1]), number};
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

void check_shared(const std::string& path, std::string_view text,
                  const std::map<std::string, SourceFile>& sources, Findings& findings) {
  const std::vector<Shared> rows = rows_of(path, text, findings);
  std::map<std::string, std::set<std::string>> users;  // by header
  for (const auto& [name, file] : sources) {
    if (!is_judge(name)) continue;
    for (const Include& include : file.includes) {
      if (!include.path.starts_with(kSystem)) continue;
      users[include.path].insert(name);
      const bool listed = std::any_of(rows.begin(), rows.end(), [&](const Shared& row) {
        return row.header == include.path && (row.all || row.users.contains(name));
      });
      if (listed) continue;
      findings.push_back({name, include.line, "shared",
                          "the judge shares " + include.path +
                              " with the system: write it again "
                              "from SPEC, or list it with the reason in " +
                              path});
    }
  }
  for (const Shared& row : rows) {
    const std::set<std::string>& real = users[row.header];
    const bool stale = row.all ? real.empty() : row.users != real;
    if (!stale) continue;
    findings.push_back({path, row.line, "shared",
                        "the users of " + row.header + " are others, or none: correct the row"});
  }
}

}  // namespace photonsim::lint
