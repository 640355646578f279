// The dependency graph of DESIGN section 2 as one table, checked in includes and in CMake files.
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
    {"scenarios", "photonsim_scenarios", PHOTONSIM_LINT_CORE " sim models analysis"},
    {"notebooks_export", "photonsim_notebooks", "core_impl/base core_impl/trace analysis"},
    {"cli", "photonsim", PHOTONSIM_LINT_CORE " sim models analysis scenarios notebooks_export"},
    {"tests", "", PHOTONSIM_LINT_CORE " sim models analysis scenarios notebooks_export cli"},
};

#undef PHOTONSIM_LINT_CORE

// The layer that a path lies in, or null.
const Layer* layer_of(std::string_view path) {
  for (const Layer& layer : kLayers) {
    const bool inside = path.size() > layer.folder.size() && path.starts_with(layer.folder) &&
                        path[layer.folder.size()] == '/';
    if (inside) return &layer;
  }
  return nullptr;
}

bool may_use(const Layer& user, const Layer& used) {
  if (&user == &used) return true;
  std::string_view list = user.may_use;
  while (!list.empty()) {
    const auto end = list.find(' ');
    if (list.substr(0, end) == used.folder) return true;
    list = end == std::string_view::npos ? std::string_view{} : list.substr(end + 1);
  }
  return false;
}

std::string explain(const Layer& user, const Layer& used) {
  const std::string allowed = user.may_use.empty() ? "nothing here" : std::string(user.may_use);
  return std::string(user.folder) + " may not use " + std::string(used.folder) +
         " (DESIGN section 2); it may use: " + allowed;
}

}  // namespace

void check_includes(const SourceFile& file, const std::set<std::string>& exists,
                    Findings& findings) {
  const Layer* user = layer_of(file.path);
  for (const Include& include : file.includes) {
    const Layer* used = layer_of(include.path);
    if (user != nullptr && used != nullptr && !may_use(*user, *used)) {
      findings.push_back({file.path, include.line, "layers", explain(*user, *used)});
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
        if (word != used.target || may_use(*user, used)) continue;
        findings.push_back({path, number, "layers", explain(*user, used)});
      }
    }
  }
}

}  // namespace photonsim::lint
