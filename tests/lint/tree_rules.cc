// Rules about the tree as a whole, and the walk that applies every rule to it.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>

#include "tests/lint/rules.h"

namespace photonsim::lint {
namespace {

namespace fs = std::filesystem;

// Each name is written in two pieces, so that this file passes its own rule.
struct Host {
  std::string_view head;
  std::string_view tail;
};

constexpr Host kHosts[] = {
    {"deb.", "debian.org"},
    {"ftp.", "debian.org"},
    {"security.", "debian.org"},
    {"snapshot.", "debian.org"},
    {"archive.", "ubuntu.com"},
    {"registry.", "npmjs"},
    {"registry.", "yarnpkg"},
    {"pypi", ".org"},
    {"files.", "pythonhosted"},
    {"static.", "crates.io"},
    {"index.", "crates.io"},
    {"proxy.", "golang.org"},
    {"rubygems", ".org"},
    {"repo.maven", ".apache"},
    {"center.", "conan.io"},
    {"registry-1.", "docker.io"},
    {"index.", "docker.io"},
    {"ghcr", ".io"},
    {"quay", ".io"},
    {"conda.", "anaconda.org"},
    {"cdn.", "jsdelivr.net"},
    {"unpkg", ".com"},
    {"/work/.", "library"},
};

constexpr std::string_view kSourceFolders[] = {
    "core_impl/",        "sim/",       "models/",      "analysis/", "scenarios/",
    "notebooks_export/", "campaigns/", "trace_views/", "cli/",      "tests/"};

const std::string kMarkRows = "campaigns/mark_rarities.inc";
const std::string kShared = "analysis/oracles/README.md";

bool is_source(std::string_view path) {
  if (!path.ends_with(".h") && !path.ends_with(".cc")) return false;
  return std::any_of(std::begin(kSourceFolders), std::end(kSourceFolders),
                     [&](std::string_view folder) { return path.starts_with(folder); });
}

bool is_cmake_list(std::string_view path) {
  return path == "CMakeLists.txt" || path.ends_with("/CMakeLists.txt");
}

bool is_script(std::string_view path) {
  return is_cmake_list(path) || path.ends_with(".cmake") || path.ends_with(".sh") ||
         path == ".ci/run";
}

// The requirements and notes under docs/ also name files that do not exist yet.
bool is_document(std::string_view path) {
  return path.ends_with(".md") && !path.starts_with("docs/");
}

// Results of a build or a run, and the repository's own store, are not checked.
bool is_skipped_folder(std::string_view path) {
  return path == ".git" || path == "build" || path == "out" || path == ".cache";
}

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

bool is_text(std::string_view content) { return content.find('\0') == std::string_view::npos; }

// Path -> content of every text file, in the order of the paths.
std::map<std::string, std::string> read_tree(const fs::path& root) {
  constexpr std::uintmax_t kTextBytesMax = 4 << 20;
  std::map<std::string, std::string> files;
  for (auto at = fs::recursive_directory_iterator(root); at != fs::end(at); ++at) {
    const std::string path = at->path().lexically_relative(root).generic_string();
    if (at->is_directory()) {
      if (is_skipped_folder(path)) at.disable_recursion_pending();
      continue;
    }
    if (!at->is_regular_file() || at->file_size() > kTextBytesMax) continue;
    std::string content = read_file(at->path());
    if (is_text(content)) files.emplace(path, std::move(content));
  }
  return files;
}

void lint_source(const SourceFile& file, const std::map<std::string, SourceFile>& sources,
                 const std::set<std::string>& exists, Findings& findings) {
  check_bans(file, findings);
  check_includes(file, exists, findings);
  check_own_header_first(file, exists, findings);
  check_layout(file, findings);
  if (file.path.starts_with("tests/")) return;  // a test's order does not reach a trace
  const SourceFile* header = nullptr;
  if (!file.is_header()) {
    const auto found = sources.find(file.path.substr(0, file.path.size() - 2) + "h");
    if (found != sources.end()) header = &found->second;
  }
  check_unordered_iteration(file, header, findings);
}

}  // namespace

void check_hosts(const std::string& path, std::string_view text, Findings& findings) {
  int number = 0;
  for (const std::string& line : split_lines(text)) {
    ++number;
    for (const Host& host : kHosts) {
      const std::string name = std::string(host.head) + std::string(host.tail);
      if (line.find(name) == std::string::npos) continue;
      findings.push_back({path, number, "host-name",
                          "'" + name +
                              "' ties the tree to one place: leave it out, the package "
                              "manager's own settings name its sources"});
    }
  }
}

void collect_listed(const std::string& cmake_path, std::string_view text,
                    std::set<std::string>& listed) {
  const fs::path folder = fs::path(cmake_path).parent_path();
  for (const std::string& line : split_lines(text)) {
    const std::string_view code = std::string_view(line).substr(0, line.find('#'));
    for (std::size_t at = 0; at < code.size();) {
      const auto start = code.find_first_not_of(" \t\"();", at);
      if (start == std::string_view::npos) break;
      const auto end = code.find_first_of(" \t\"();", start);
      const std::string_view word = code.substr(start, end - start);
      at = end == std::string_view::npos ? code.size() : end;
      if (!word.ends_with(".h") && !word.ends_with(".cc")) continue;
      listed.insert((folder / word).lexically_normal().generic_string());
    }
  }
}

void check_dead_file(const std::string& path, const std::set<std::string>& listed,
                     Findings& findings) {
  if (listed.contains(path)) return;
  findings.push_back({path, 0, "dead-file",
                      "no CMakeLists.txt names this file: add it to its folder's list, or remove "
                      "it"});
}

Findings lint_tree(const std::string& root) {
  const auto files = read_tree(root);
  std::set<std::string> exists;
  std::set<std::string> listed;
  std::map<std::string, SourceFile> sources;
  for (const auto& [path, content] : files) {
    exists.insert(path);
    if (is_cmake_list(path)) collect_listed(path, content, listed);
    if (is_source(path)) sources.emplace(path, parse_source(path, content));
  }
  Findings findings;
  for (const auto& [path, content] : files) {
    check_hosts(path, content, findings);
    if (is_document(path)) check_named_paths(path, content, exists, findings);
    if (is_script(path)) check_script_layout(path, content, findings);
    if (is_cmake_list(path)) check_cmake_links(path, content, findings);
  }
  std::map<std::string, std::string> marks;
  for (const auto& [path, file] : sources) {
    check_marks(file, marks, findings);
    check_dead_file(path, listed, findings);
    lint_source(file, sources, exists, findings);
  }
  const auto shared = files.find(kShared);
  check_shared(kShared, shared == files.end() ? "" : shared->second, sources, findings);
  const auto rows = files.find(kMarkRows);
  if (rows != files.end()) {
    check_mark_rows(rows->first, rows->second, marks, findings);
  } else {
    findings.push_back({kMarkRows, 0, "mark", "the table of the marks' rarities is missing"});
  }
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return a.file != b.file ? a.file < b.file : a.line < b.line;
  });
  return findings;
}

}  // namespace photonsim::lint
