#include "campaigns/studies/study.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "campaigns/studies/axes_reader.h"
#include "campaigns/studies/charts_reader.h"
#include "campaigns/studies/claims_reader.h"
#include "campaigns/studies/goals_reader.h"
#include "campaigns/studies/rare_reader.h"
#include "campaigns/studies/sample_reader.h"
#include "campaigns/studies/search_reader.h"
#include "campaigns/studies/study_keys.h"
#include "campaigns/studies/study_tables.h"
#include "scenarios/language/loader_document.h"
#include "scenarios/schema/diagnostic.h"
#include "scenarios/schema/diagnostic_suggest.h"

namespace photonsim::campaigns {
namespace {

using scenarios::Member;
using scenarios::Report;
using scenarios::Value;

// Reads the tree of a study file. Every problem goes into the report.
class StudyReader {
 public:
  StudyReader(Study& study, Report& report)
      : study_(study),
        tables_(report),
        axes_(study, tables_),
        sample_(study, tables_, axes_),
        search_(study, tables_, axes_),
        rare_(study, tables_),
        goals_(study, tables_, axes_),
        claims_(study, tables_),
        charts_(study, tables_) {}

  void read(const Value& root) {
    // Its other keys would be refused one by one.
    const Value* scenario = scenarios::find_member(root, "scenario");
    if (scenario != nullptr && scenarios::find_member(root, "base") == nullptr) {
      return tables_.report().add(
          scenario->place, "this is a scenario, not a study",
          "`photonsim check` checks it, `photonsim run` runs it; a study names it as "
          "its `base`");
    }
    if (const Value* set = scenarios::find_member(root, "set")) axes_.set(*set);
    for (const Member& member : root.members) top(member);
    if (scenarios::find_member(root, "base") == nullptr) {
      tables_.report().add({0, 1, 1}, "a study needs a base scenario",
                           "write base = \"FILE.toml\", relative to the study file");
    }
    sample_.finish();
    search_.finish();
    check_points();
    check_claims();
    goals_.check();
  }

 private:
  void top(const Member& member) {
    const std::string& name = member.name;
    const Value& value = member.value;
    if (name == "base") return read_base(value);
    if (name == "name") return tables_.text(value, study_.name);
    if (name == "question") return tables_.text(value, study_.question);
    if (name == "where") return tables_.conditions(value, study_.where);
    if (name == "set") return;
    if (name == "grid") return axes_.grid(value);
    if (name == "zip") return axes_.zip(value);
    if (name == "list") return axes_.list(value);
    if (name == "sample") return sample_.read(value);
    if (name == "search") return search_.read(value);
    if (name == "rare") return rare_.read(value);
    if (name == "replications") return replications(value);
    if (name == "precision") return goals_.precision(value);
    if (name == "gates") return goals_.gates(value);
    if (name == "answer") return goals_.answer(value);
    if (name == "claim") return claims_.read(value);
    if (name == "chart") return charts_.read(value);
    tables_.report().add(member.place, fmt::format("a study has no key '{}'", name),
                         scenarios::suggest(name, keys_of("")));
  }

  void read_base(const Value& value) {
    std::string name;
    tables_.text(value, name);
    if (name.empty()) return;
    study_.base = std::filesystem::path(study_.file).parent_path() / name;
    std::error_code unknown;
    if (std::filesystem::exists(study_.base, unknown)) return;
    tables_.report().add(value.place,
                         fmt::format("there is no base scenario {}", study_.base.string()),
                         "a base is looked for in the folder of the study file");
  }

  void replications(const Value& table) {
    if (table.type != Value::Type::kTable) return tables_.wrong(table, "a table");
    tables_.refuse_others(table, "replications");
    constexpr std::uint64_t kGreatestSeed = std::uint64_t{1} << 62U;
    const bool has_max = scenarios::find_member(table, "max") != nullptr;
    tables_.count(table, "min", kMostReplications, study_.least_replications);
    tables_.count(table, "max", kMostReplications, study_.most_replications);
    tables_.count(table, "first_seed", kGreatestSeed, study_.first_seed);
    if (!has_max) study_.most_replications = study_.least_replications;
    if (scenarios::find_member(table, "min") == nullptr) {
      study_.least_replications = std::min(study_.least_replications, study_.most_replications);
    }
    if (study_.least_replications > study_.most_replications) {
      tables_.report().add(table.place,
                           fmt::format("min is {} and max is {}", study_.least_replications,
                                       study_.most_replications),
                           "max must be at least min");
    }
  }

  // Points of a search are planned one after the other; claims and charts are about points known
  // before.
  void check_claims() {
    if (!study_.search) return;
    if (!study_.charts.empty()) {
      tables_.report().add(study_.charts.front().place,
                           "[search] cannot be combined with [[chart]]",
                           "draw it in a study with [grid], [zip] or [[list]]");
    }
    if (study_.claims.empty()) return;
    tables_.report().add(study_.claims.front().place, "[search] cannot be combined with [[claim]]",
                         "state the claim in a study with [grid], [zip] or [[list]]");
  }

  void check_points() {
    const double points = study_.points();
    if (points <= static_cast<double>(kMostStudyPoints)) return;
    tables_.report().add(
        {0, 1, 1},
        fmt::format("this study has {:.4g} points; {} is the most", points, kMostStudyPoints),
        "vary fewer keys, or give fewer values of each");
  }

  Study& study_;
  StudyTables tables_;
  AxesReader axes_;
  SampleReader sample_;
  SearchReader search_;
  RareReader rare_;
  GoalsReader goals_;
  ClaimsReader claims_;
  ChartsReader charts_;
};

}  // namespace

Choice choice_at(const Search& search, const photon::analysis::SearchPoint& point) {
  Choice choice;
  std::vector<std::string> texts = texts_at(search, point);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    choice.settings.push_back(
        {search.factors[i].key, std::move(texts[i]), search.factors[i].place});
  }
  return choice;
}

double Study::points() const {
  double product = 1;
  for (const Axis& axis : axes) product *= static_cast<double>(axis.choices.size());
  return product;
}

std::vector<const StudyFigure*> Study::figures() const {
  std::vector<const StudyFigure*> list;
  for (const Claim& each : claims) list.push_back(&each);
  for (const Chart& chart : charts) {
    for (const ChartLine& each : chart.lines) list.push_back(&each);
  }
  return list;
}

StudyResult load_study(const std::string& file) {
  StudyResult result;
  result.study.file = file;
  result.study.name = std::filesystem::path(file).stem().string();
  std::ifstream stream(file, std::ios::binary);
  std::error_code error;
  if (!stream || std::filesystem::is_directory(file, error)) {
    result.problems.push_back({.file = file,
                               .message = "this study file cannot be read",
                               .hint = "give the path of a study file, as in "
                                       "scenarios/studies/registry.toml"});
    return result;
  }
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  scenarios::Sources sources;
  const std::uint32_t source = sources.add(file, text);
  Report report(sources);
  const Value root = scenarios::parse_toml(text, source, report);
  if (report.empty()) StudyReader(result.study, report).read(root);
  result.problems = report.diagnostics();
  return result;
}

}  // namespace photonsim::campaigns
