#include "campaigns/studies/search_reader.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core_impl/base/check.h"
#include "scenarios/language/loader_document.h"
#include "scenarios/schema/diagnostic.h"

namespace photonsim::campaigns {

using scenarios::Value;

namespace {

constexpr std::uint64_t kMostSearchPoints = 500;  // a model's cost grows with the third power
constexpr std::uint64_t kMostTogether = 256;
constexpr std::uint64_t kMostSearchSeed = std::uint64_t{1} << 62U;

// A range is searched at the ends of equal parts of its way, so that no two places stand for one
// text of three digits.
void make_choice(Factor& factor) {
  if (factor.quantity == Quantity::choice) return;
  PHOTON_CHECK(factor.from < factor.to, "a range has two ends");
  std::uint64_t steps = kMostValues;
  if (factor.quantity == Quantity::whole && factor.to - factor.from < kMostValues) {
    steps = static_cast<std::uint64_t>(factor.to - factor.from) + 1;
  }
  for (std::uint64_t step = 0; step < steps; ++step) {
    const double way = static_cast<double>(step) / static_cast<double>(steps - 1);
    std::string value = factor.text_at(way);
    if (factor.values.empty() || factor.values.back() != value) {
      factor.values.push_back(std::move(value));
    }
  }
  factor.quantity = Quantity::choice;
}

}  // namespace

void SearchReader::read(const Value& table) {
  place_ = table.place;
  if (table.type != Value::Type::kTable) return tables_.wrong(table, "a table");
  tables_.refuse_others(table, "search");
  const std::size_t problems = tables_.report().diagnostics().size();
  Search search;
  const Value* over = scenarios::find_member(table, "over");
  if (over == nullptr || over->type != Value::Type::kTable || over->members.empty()) {
    return tables_.report().add(over == nullptr ? table.place : over->place,
                                "[search] needs keys to search over",
                                "below [search.over], as in \"registry.shards\" = [1, 2, 4], or "
                                "\"dispatcher.max_outstanding_lookups\" = {from = 8, to = 256}");
  }
  search.factors = factors_.read(*over);
  std::ranges::for_each(search.factors, make_choice);
  read_counts(table, search);
  if (tables_.report().diagnostics().size() == problems) study_.search = std::move(search);
}

void SearchReader::read_counts(const Value& table, Search& search) {
  tables_.count(table, "points", kMostSearchPoints, search.points);
  tables_.count(table, "first", kMostSearchPoints, search.first);
  tables_.count(table, "together", kMostTogether, search.together);
  tables_.count(table, "seed", kMostSearchSeed, search.seed);
  tables_.count(table, "confirm", kMostSearchPoints, search.confirm);
  tables_.count(table, "confirmations", kMostReplications, search.confirmations);
  if (scenarios::find_member(table, "points") == nullptr) {
    tables_.report().add(table.place, "[search] needs `points`",
                         "how many to evaluate at the most, as in points = 60");
  }
  if (search.first == 0) search.first = 2 * search.factors.size() + 6;
  const std::uint64_t most = std::max<std::uint64_t>(search.points, 2);
  search.first = std::clamp<std::uint64_t>(search.first, 2, most);
  search.confirm = std::min(search.confirm, search.points);
}

bool SearchReader::check_beside() const {
  const auto refuse = [&](std::string message, std::string hint) {
    tables_.report().add(place_, std::move(message), std::move(hint));
    return false;
  };
  if (study_.sample || !study_.axes.empty()) {
    return refuse("[search] cannot be combined with [grid], [zip], [[list]] or [sample]",
                  "search over those keys too, each with its choices: \"a.b\" = [1, 2]");
  }
  if (!study_.where.empty()) {
    return refuse("[search] cannot be combined with `where`, which it does not know",
                  "narrow the ranges in [search.over], or bound a figure with `subject_to`");
  }
  if (!study_.among.empty()) {
    return refuse("[search] cannot be combined with `among`, which it does not know",
                  "narrow the ranges in [search.over]");
  }
  if (!study_.precision.empty()) {
    return refuse("[search] cannot be combined with [precision]",
                  "the points that it finds are confirmed with `confirmations` fresh seeds each");
  }
  if (study_.least_replications < 2) {
    return refuse("[search] needs two replications of each point, or more",
                  "write min = 2 in [replications]: models ask how far the seeds move a figure");
  }
  if (study_.search->points < 2) {
    return refuse("[search] needs two points or more", "a model is fit to them: points = 40");
  }
  if (study_.best.empty() && study_.least.empty() && study_.pareto.empty()) {
    return refuse("[search] does not know what to look for",
                  "write [answer] with best = \"latency.own.p99\", least = [keys], or pareto = "
                  "[metrics]");
  }
  for (const Condition& term : study_.subject_to) {
    if (term.bounded_side()) continue;
    return refuse(fmt::format("a search cannot use `{}`", term.text()),
                  "its terms bound one figure each, as in \"latency.own.p99 < 2s\"");
  }
  return true;
}

void SearchReader::finish() {
  if (!study_.search || !check_beside()) return;
  const Search& search = *study_.search;
  study_.most_replications = study_.least_replications + search.confirmations;
  Axis axis{.choices = {}, .drawn = true};
  for (const auto& point : first_points(search)) axis.choices.push_back(choice_at(search, point));
  study_.axes.push_back(std::move(axis));
}

}  // namespace photonsim::campaigns
