// The dependency graph of DESIGN section 2 as one table, checked in includes and in CMake files;
// and the folders inside some layers in tables of their own, which CMake does not have.
#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tests/lint/rules.h"

namespace photonsim::lint {
namespace {

// `may_use` names folders separated by blanks; all others are forbidden. Transitive uses are
// written out, so that a row reads without the others.
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
    {"campaigns", "photonsim_campaigns", PHOTONSIM_LINT_CORE " sim models analysis scenarios"},
    {"notebooks_export", "photonsim_notebooks", "core_impl/base core_impl/trace analysis"},
    {"report", "photonsim_report",
     PHOTONSIM_LINT_CORE " sim models analysis trace_views scenarios campaigns"},
    {"cli", "photonsim",
     PHOTONSIM_LINT_CORE
     " sim models analysis trace_views scenarios campaigns notebooks_export report"},
    {"tests", "",
     PHOTONSIM_LINT_CORE
     " sim models analysis trace_views scenarios campaigns notebooks_export report cli"},
};

#undef PHOTONSIM_LINT_CORE

// Which folders inside a layer may use each other, by their names there; one target holds
// all of them.
constexpr Layer kRoleRooms[] = {
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

constexpr Layer kAnalysisRooms[] = {
    {"trace_files", "", ""},
    {"statistics", "", ""},
    {"theory", "", ""},
    {"sensitivity", "", "statistics"},
    {"rare_events", "", "statistics"},
    {"optimisation", "", "sensitivity statistics"},
    {"linearizability", "", ""},
    {"evidence", "", "trace_files"},
    {"capacity", "", "evidence trace_files"},
    {"accounting", "", "capacity evidence statistics trace_files"},
    {"oracles", "", "accounting capacity evidence trace_files linearizability"},
    {"corner_cases", "", "evidence"},
    {"explain", "", "accounting capacity corner_cases oracles"},
    {"judge", "", "accounting capacity corner_cases evidence oracles statistics trace_files"},
    {"reports", "",
     "accounting capacity corner_cases evidence judge linearizability oracles statistics "
     "trace_files"},
    {"results", "", "capacity corner_cases judge oracles reports statistics trace_files"},
};

constexpr Layer kCampaignRooms[] = {
    {"swarm", "", ""},
    {"rare", "", ""},
    {"runs", "", "rare swarm"},
    {"pool", "", "runs"},
    {"guided", "", "swarm"},
    {"reduce", "", "swarm runs pool"},
    {"studies", "", "rare runs pool"},
};

constexpr Layer kScenarioRooms[] = {
    {"config", "", ""},
    {"schema", "", "config"},
    {"deployment", "", "config"},
    {"faults", "", "config deployment schema"},
    {"extensions", "", ""},
    {"language", "", "config extensions faults schema"},
    {"world", "", "config deployment extensions faults language schema"},
};

constexpr Layer kCliRooms[] = {
    {"cluster", "", ""},
    {"commands", "", "cluster"},
    {"options", "", "commands"},
};

// The place of files in the layer itself: `below` its folders, which may all use them, or `above`,
// so that they may use every folder.
enum class OwnFiles { below, above };
struct Rooms {
  std::string_view folder;
  std::span<const Layer> rows;
  OwnFiles own;
};
constexpr Rooms kRooms[] = {
    {"core_impl/photon", kRoleRooms, OwnFiles::below},
    {"analysis", kAnalysisRooms, OwnFiles::above},
    {"scenarios", kScenarioRooms, OwnFiles::above},
    {"campaigns", kCampaignRooms, OwnFiles::above},
    {"cli", kCliRooms, OwnFiles::above},
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
static_assert(is_layered(kLayers));
static_assert(is_layered(kRoleRooms) && is_layered(kAnalysisRooms));
static_assert(is_layered(kScenarioRooms) && is_layered(kCampaignRooms) && is_layered(kCliRooms));

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

// The folder inside `layer` that a path lies in; empty for the layer's own files and outside of it.
std::optional<std::string_view> room_of(std::string_view layer, std::string_view path) {
  if (!path.starts_with(layer) || !path.substr(layer.size()).starts_with('/')) return {};
  path.remove_prefix(layer.size() + 1);
  const auto end = path.find('/');
  return end == std::string_view::npos ? std::string_view{} : path.substr(0, end);
}

bool may_use_room(const Rooms& rooms, const Layer* user, std::string_view used) {
  if (used.empty()) return user == nullptr || rooms.own == OwnFiles::below;
  return user == nullptr ? rooms.own == OwnFiles::above : may_use(*user, used);
}

void check_rooms(const Rooms& rooms, const SourceFile& file, Findings& findings) {
  const auto room = room_of(rooms.folder, file.path);
  if (!room) return;
  const auto row = std::ranges::find(rooms.rows, *room, &Layer::folder);
  const Layer* const user = row == rooms.rows.end() ? nullptr : &*row;
  if (!room->empty() && user == nullptr) {
    findings.push_back({file.path, 1, "layers",
                        "its folder has no row in the table of " + std::string(rooms.folder)});
    return;
  }
  const Layer own{rooms.folder, "", ""};
  for (const Include& include : file.includes) {
    const auto used = room_of(rooms.folder, include.path);
    if (!used || may_use_room(rooms, user, *used)) continue;
    const std::string name = used->empty() ? std::string(rooms.folder) : std::string(*used);
    findings.push_back(
        {file.path, include.line, "layers", explain(user == nullptr ? own : *user, name)});
  }
}

}  // namespace

void check_includes(const SourceFile& file, const std::set<std::string>& exists,
                    Findings& findings) {
  for (const Rooms& rooms : kRooms) check_rooms(rooms, file, findings);
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
  findings.push_back(
      {file.path, line, "own-header-first",
       "include \"" + own + "\" first: this proves that the header compiles on its own"});
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
