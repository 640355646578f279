// The dependency graph of DESIGN section 2 as one table, checked in includes and in CMake files;
// and the folders of core_impl/photon in a second one, of which CMake knows nothing.
#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "tests/lint/rules.h"

namespace photonsim::lint {
namespace {

// `may_use` names folders separated by blanks; what is not named is forbidden. Transitive uses
// are written out, so that a row reads without the others.
struct Layer {
  std::string_view folder;
  std::string_view target;
  std::string_view may_use;
};

#define PHOTONSIM_LINT_CORE                                                         \
  "core_impl/base core_impl/trace core_impl/runtime core_impl/rpc core_impl/paxos " \
  "core_impl/logs core_impl/photon"

constexpr Layer kLayers[] = {
    {"core_impl/base", "photon_base", ""},
    {"core_impl/trace", "photon_trace", "core_impl/base"},
    {"core_impl/runtime", "photon_runtime", "core_impl/base core_impl/trace"},
    {"core_impl/rpc", "photon_rpc", "core_impl/base core_impl/trace core_impl/runtime"},
    {"core_impl/paxos", "photon_paxos", "core_impl/base core_impl/trace core_impl/runtime"},
    {"core_impl/logs", "photon_logs", "core_impl/base core_impl/trace core_impl/runtime"},
    {"core_impl/photon", "photon_core",
     "core_impl/base core_impl/trace core_impl/runtime core_impl/rpc core_impl/paxos "
     "core_impl/logs"},
    {"sim", "photonsim_sim", "core_impl/base core_impl/trace core_impl/runtime"},
    {"models", "photonsim_models",
     "core_impl/base core_impl/trace core_impl/runtime core_impl/logs sim"},
    {"analysis", "photonsim_analysis", "core_impl/base core_impl/trace"},
    {"trace_views", "photonsim_trace_views", "core_impl/base core_impl/trace analysis"},
    {"scenarios", "photonsim_scenarios", PHOTONSIM_LINT_CORE " sim models analysis"},
    {"notebooks_export", "photonsim_notebooks", "core_impl/base core_impl/trace analysis"},
    {"cli", "photonsim",
     PHOTONSIM_LINT_CORE " sim models analysis trace_views scenarios notebooks_export"},
    {"tests", "",
     PHOTONSIM_LINT_CORE " sim models analysis trace_views scenarios notebooks_export cli"},
};

#undef PHOTONSIM_LINT_CORE

constexpr std::string_view kRoles = "core_impl/photon";

// What the folders of kRoles may use of each other, by their names there; all may use the headers
// that lie in kRoles itself, and these none of them. One target holds all.
constexpr Layer kRoleLayers[] = {
    {"cell_log", "", ""},
    {"incarnations", "", ""},
    {"sharding", "", ""},
    {"leases", "", "cell_log"},
    {"intake", "", "cell_log"},
    {"output_copies", "", "cell_log"},
    {"event_store", "", "cell_log"},
    {"registry", "", "sharding"},
    {"registry_client", "", "sharding"},
    {"dispatcher", "", "intake leases registry_client"},
    {"joiner", "", "cell_log event_store incarnations registry_client"},
    {"verification", "", "cell_log incarnations intake joiner registry_client"},
};

template <class Visitor>
constexpr void each_name(std::string_view list, Visitor&& visit) {
  while (!list.empty()) {
    const auto end = list.find(' ');
    visit(list.substr(0, end));
    list = end == std::string_view::npos ? std::string_view{} : list.substr(end + 1);
  }
}

constexpr bool may_use(const Layer& user, std::string_view used) {
  bool found = user.folder == used;
  each_name(user.may_use, [&](std::string_view name) { found = found || name == used; });
  return found;
}

// A row names only rows above it. So a table that allows a cycle does not compile.
template <std::size_t size>
constexpr bool is_layered(const Layer (&rows)[size]) {
  std::size_t named = 0;
  std::size_t above = 0;
  for (std::size_t row = 0; row < size; ++row) {
    each_name(rows[row].may_use, [&](std::string_view) { ++named; });
    for (std::size_t other = 0; other < row; ++other) {
      above += may_use(rows[row], rows[other].folder) ? 1 : 0;
    }
  }
  return named == above;
}
static_assert(is_layered(kLayers) && is_layered(kRoleLayers));

// The layer that a path lies in, or null.
const Layer* layer_of(std::string_view path) {
  for (const Layer& layer : kLayers) {
    const bool inside = path.size() > layer.folder.size() && path.starts_with(layer.folder) &&
                        path[layer.folder.size()] == '/';
    if (inside) return &layer;
  }
  return nullptr;
}

std::string explain(const Layer& user, std::string_view used) {
  const std::string allowed = user.may_use.empty() ? "nothing here" : std::string(user.may_use);
  return std::string(user.folder) + " may not use " + std::string(used) +
         " (DESIGN section 2); it may use: " + allowed;
}

// The folder of kRoles that a path lies in; empty for its own headers; nothing outside of it.
std::optional<std::string_view> role_of(std::string_view path) {
  if (!path.starts_with(kRoles) || !path.substr(kRoles.size()).starts_with('/')) return {};
  path.remove_prefix(kRoles.size() + 1);
  const auto end = path.find('/');
  return end == std::string_view::npos ? std::string_view{} : path.substr(0, end);
}

void check_roles(const SourceFile& file, Findings& findings) {
  const auto user = role_of(file.path);
  if (!user) return;
  const Layer shared{kRoles, "", ""};
  const auto row = std::ranges::find(kRoleLayers, *user, &Layer::folder);
  if (!user->empty() && row == std::end(kRoleLayers)) {
    findings.push_back({file.path, 1, "layers", "its folder has no row in kRoleLayers"});
    return;
  }
  const Layer& layer = user->empty() ? shared : *row;
  for (const Include& include : file.includes) {
    const auto used = role_of(include.path);
    if (!used || used->empty() || may_use(layer, *used)) continue;
    findings.push_back({file.path, include.line, "layers", explain(layer, *used)});
  }
}

}  // namespace

void check_includes(const SourceFile& file, const std::set<std::string>& exists,
                    Findings& findings) {
  check_roles(file, findings);
  const Layer* user = layer_of(file.path);
  for (const Include& include : file.includes) {
    const Layer* used = layer_of(include.path);
    if (user != nullptr && used != nullptr && !may_use(*user, used->folder)) {
      findings.push_back({file.path, include.line, "layers", explain(*user, used->folder)});
    }
    if (include.quoted && !exists.contains(include.path)) {
      findings.push_back(
          {file.path, include.line, "include-path",
           "\"" + include.path +
               "\" is no file from the root of the repository: write the whole path, "
               "and <...> for system headers"});
    }
  }
}

void check_own_header_first(const SourceFile& file, const std::set<std::string>& exists,
                            Findings& findings) {
  if (!file.path.ends_with(".cc")) return;
  const std::string own = file.path.substr(0, file.path.size() - 2) + "h";
  if (!exists.contains(own)) return;
  if (!file.includes.empty() && file.includes.front().path == own) return;
  const int line = file.includes.empty() ? 1 : file.includes.front().line;
  findings.push_back({file.path, line, "own-header-first",
                      "include \"" + own +
                          "\" before anything else: that is how the build proves that the header "
                          "compiles on its own"});
}

void check_cmake_links(const std::string& path, std::string_view text, Findings& findings) {
  const Layer* user = layer_of(path);
  if (user == nullptr) return;
  int number = 0;
  for (const std::string& line : split_lines(text)) {
    ++number;
    const std::string_view code = std::string_view(line).substr(0, line.find('#'));
    for (std::size_t at = 0; at < code.size();) {
      const auto start = code.find_first_not_of(" \t\"();", at);
      if (start == std::string_view::npos) break;
      const auto end = code.find_first_of(" \t\"();", start);
      const std::string_view word = code.substr(start, end - start);
      at = end == std::string_view::npos ? code.size() : end;
      for (const Layer& used : kLayers) {
        if (word != used.target || may_use(*user, used.folder)) continue;
        findings.push_back({path, number, "layers", explain(*user, used.folder)});
      }
    }
  }
}

}  // namespace photonsim::lint
