#include "campaigns/studies/goals_reader.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "campaigns/studies/gate_checks.h"
#include "campaigns/studies/gates.h"
#include "campaigns/studies/metric_names.h"
#include "scenarios/language/schema.h"
#include "scenarios/schema/diagnostic.h"
#include "scenarios/schema/diagnostic_suggest.h"

namespace photonsim::campaigns {

using scenarios::Member;
using scenarios::Place;
using scenarios::Value;

void GoalsReader::check_metric(const std::string& name, Place place) {
  if (is_metric(name)) return;
  tables_.report().add(place, fmt::format("there is no metric '{}'", name),
                       axes_.claimed().contains(name)
                           ? std::string("it is a key: `among` and `where` compare keys")
                           : metric_hint(name));
}

void GoalsReader::precision(const Value& table) {
  precision_at_ = table.place;
  tables_.each_key(table, [&](const std::string& key, const Member& member) {
    check_metric(key, member.place);
    const auto text = tables_.override_text(member.value);
    const auto half_width = text ? quantity_of(*text) : std::nullopt;
    if (!half_width || *half_width <= 0) {
      return tables_.report().add(member.value.place,
                                  fmt::format("the precision of '{}' must be above 0", key),
                                  "as in \"5%\" of the mean, or \"100ms\"");
    }
    const bool relative = text->ends_with('%') || text->ends_with("ppm");
    if (!relative && is_metric(key) && !has_unit_of(*text, key)) {
      return tables_.report().add(
          member.value.place, fmt::format("the precision of '{}' has another unit than it", key),
          "as in \"5%\" of the mean, or \"100ms\" of a latency");
    }
    study_.precision.push_back({key, *half_width, relative});
  });
}

void GoalsReader::gates(const Value& table) {
  if (table.type != Value::Type::kTable) {
    return tables_.wrong(table, "a table",
                         R"(write [gates], below it expect = ["latency.own.p99 < 2s"])");
  }
  tables_.refuse_others(table, "gates");
  if (const Value* expect = scenarios::find_member(table, "expect")) {
    const std::size_t before = study_.gates.size();
    tables_.conditions(*expect, study_.gates);
    check_metrics(before, study_.gates, expect->place);
  }
}

void GoalsReader::check_metrics(std::size_t from, const std::vector<Condition>& of, Place place) {
  for (std::size_t i = from; i < of.size(); ++i) {
    if (of[i].names().empty()) {
      tables_.report().add(
          place, fmt::format("`{}` names no metric", of[i].text()),
          "as in \"latency.own.p99 < 2s\"; photonsim explain metrics lists the names");
    }
    const auto unknown = [](const std::string& name) { return !is_metric(name); };
    const std::vector<std::string> names = of[i].names();
    for (const std::string& name : names) check_metric(name, place);
    if (std::ranges::any_of(names, unknown)) continue;
    if (const std::string misfit = misfit_of(of[i]); !misfit.empty())
      tables_.report().add(place, misfit);
  }
}

void GoalsReader::answer(const Value& table) {
  if (table.type != Value::Type::kTable) return tables_.wrong(table, "a table");
  answer_at_ = table.place;
  tables_.refuse_others(table, "answer");
  for (const Member& member : table.members) {
    if (member.name == "among") {
      tables_.conditions(member.value, study_.among);
    } else if (member.name == "subject_to") {
      tables_.conditions(member.value, study_.subject_to);
      check_metrics(0, study_.subject_to, member.place);
    } else if (member.name == "least") {
      tables_.names(member.value, study_.least);
    } else if (member.name == "best") {
      tables_.text(member.value, study_.best);
      check_metric(study_.best, member.place);
    } else if (member.name == "pareto") {
      tables_.names(member.value, study_.pareto);
      for (const std::string& name : study_.pareto) {
        check_metric(name, member.place);
        if (std::ranges::count(study_.pareto, name) == 1) continue;
        tables_.report().add(member.place, fmt::format("`pareto` names {} twice", name),
                             "name each metric once");
        break;
      }
      if (study_.pareto.size() >= 2) continue;
      tables_.report().add(member.place, "a front has two metrics or more",
                           "as in pareto = [\"latency.own.p99\", \"registry.mean_batch\"]; the "
                           "least of one is `best`");
    } else if (member.name == "metrics") {
      tables_.names(member.value, study_.metrics);
      for (const std::string& name : study_.metrics) check_metric(name, member.place);
    }
  }
}

void GoalsReader::check_precision() {
  if (study_.precision.empty() || study_.least_replications >= 2) return;
  tables_.report().add(precision_at_,
                       "[precision] is about an interval, which needs two replications",
                       "write min = 2 or more in [replications]");
}

void GoalsReader::check_gates() {
  campaigns::check_gates(all_of(study_.gates, study_.subject_to), tables_.report());
}

void GoalsReader::check_answer() {
  if (!study_.least.empty() && !study_.best.empty()) {
    tables_.report().add(
        answer_at_, "[answer] has both `least` and `best`",
        "leave one out: the cheapest point that meets the terms, or the best by a metric");
  }
  // The loader names an unknown key of the grid, which may be the one that is missing here.
  if (!std::ranges::all_of(axes_.claimed(), scenarios::is_known)) return;
  for (const std::string& key : study_.least) {
    if (axes_.claimed().contains(key)) {
      check_numbers(key);
      continue;
    }
    const std::vector<std::string> varied(axes_.claimed().begin(), axes_.claimed().end());
    tables_.report().add(answer_at_,
                         fmt::format("`least` names '{}', which does not vary here", key),
                         scenarios::suggest(key, varied));
  }
}

// The cheapest value of a key is the least one.
void GoalsReader::check_numbers(const std::string& key) {
  for (const Axis& axis : study_.axes) {
    for (const Choice& choice : axis.choices) {
      for (const Setting& each : choice.settings) {
        if (each.key != key || quantity_of(each.value)) continue;
        return tables_.report().add(
            answer_at_,
            fmt::format("`least` names '{}', and its value {} has no order", key, each.value),
            "name keys with numbers, or ask for the `best` of a metric");
      }
    }
  }
}

}  // namespace photonsim::campaigns
