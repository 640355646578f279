#include "campaigns/studies/claims_reader.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "campaigns/studies/figure_reader.h"
#include "campaigns/studies/gates.h"
#include "campaigns/studies/metric_names.h"

namespace photonsim::campaigns {

using scenarios::Value;

void ClaimsReader::read(const Value& list) {
  tables_.each_table(list, "claim", [this](const Value& each) { read_one(each); });
}

void ClaimsReader::read_one(const Value& table) {
  tables_.refuse_others(table, "claim");
  Claim claim;
  claim.place = table.place;
  const auto text = [&](std::string_view name, std::string& to) {
    if (const Value* value = scenarios::find_member(table, name)) tables_.text(*value, to);
  };
  text("id", claim.id);
  text("says", claim.says);
  text("paper", claim.paper);
  text("source", claim.source);
  text("fixed", claim.fixed);
  text("open", claim.open);
  text("reason", claim.reason);
  text("restated", claim.restated);
  text("test", claim.test);
  if (const Value* value = scenarios::find_member(table, "level")) level(*value, claim);
  FigureReader(tables_).read(table, claim);
  if (const Value* value = scenarios::find_member(table, "band")) band(*value, claim);
  check(table, claim);
  study_.claims.push_back(std::move(claim));
}

void ClaimsReader::level(const Value& value, Claim& claim) {
  std::string letter;
  tables_.text(value, letter);
  if (value.type != Value::Type::kString) return;
  const auto found = std::ranges::find(kClaimLevels, letter);
  if (found == kClaimLevels.end()) {
    return tables_.report().add(value.place, fmt::format("there is no level '{}'", letter),
                                "E exact, M mechanism, C calibrated, T trend, X refused");
  }
  claim.level = static_cast<ClaimLevel>(found - kClaimLevels.begin());
}

void ClaimsReader::band(const Value& table, Claim& claim) {
  if (table.type != Value::Type::kTable) {
    return tables_.wrong(table, "a table", "as in band = {from = 6, to = 12}");
  }
  tables_.refuse_others(table, "claim.band");
  const Value* const share = scenarios::find_member(table, "share");
  const Value* const difference = scenarios::find_member(table, "difference");
  if (share != nullptr) around(*share, claim, Claim::Against::share);
  if (difference != nullptr) around(*difference, claim, Claim::Against::difference);
  const bool ends = scenarios::find_member(table, "from") != nullptr ||
                    scenarios::find_member(table, "to") != nullptr;
  if (int(share != nullptr) + int(difference != nullptr) + int(ends) > 1) {
    tables_.report().add(table.place, "the band is stated in several ways",
                         "`share` or `difference` around theory, or `from` and `to`");
  }
  end(table, "from", claim, claim.from);
  end(table, "to", claim, claim.to);
  if (claim.from && claim.to && *claim.from > *claim.to) {
    tables_.report().add(table.place, "the band ends before it begins", "exchange its ends");
  }
}

void ClaimsReader::around(const Value& value, Claim& claim, Claim::Against against) {
  const auto text = tables_.override_text(value);
  if (!text) return;
  const auto width = quantity_of(*text);
  const double middle = against == Claim::Against::share ? 1 : 0;
  claim.against = against;
  claim.from = middle - width.value_or(0);
  claim.to = middle + width.value_or(0);
  if (!claim.theory) {
    return tables_.report().add(value.place, "this band lies around theory, and there is none",
                                "state `theory`, or give the band `from` and `to`");
  }
  if (!width || *width <= 0) {
    return tables_.report().add(value.place, fmt::format("'{}' is no width of a band", *text),
                                "as in {share = \"3%\"}");
  }
  const Dimension has = dimension_of_quantity(*text);
  const Dimension wanted =
      against == Claim::Against::share || !claim.beside.empty() ? Dimension{} : dimension_of(claim);
  if (has != wanted && !(has == Dimension{} && wanted == Dimension{-1, 0})) {
    tables_.report().add(value.place,
                         fmt::format("'{}' has another unit than what it is a width of", *text),
                         "a share has none, a difference that of the figure");
  }
}

void ClaimsReader::end(const Value& table, std::string_view name, const Claim& claim,
                       std::optional<double>& to) {
  const Value* value = scenarios::find_member(table, name);
  if (value == nullptr) return;
  const auto text = tables_.override_text(*value);
  if (!text) return;
  to = quantity_of(*text);
  if (!to) {
    return tables_.report().add(value->place, fmt::format("'{}' is no quantity", *text),
                                "as in 12, \"7s\" or \"5%\"");
  }
  const Dimension has = dimension_of_quantity(*text);
  const Dimension wanted = claim.beside.empty() ? dimension_of(claim) : Dimension{};
  // Rates have no unit in this language, and zero needs none.
  if (has == wanted || (has == Dimension{} && wanted == Dimension{-1, 0}) || *to == 0) return;
  tables_.report().add(value->place,
                       fmt::format("'{}' has another unit than `{}`", *text, claim.figure),
                       "as in 12, \"7s\" or \"5%\"");
}

void ClaimsReader::check(const Value& table, const Claim& claim) {
  const auto need = [&](bool there, std::string_view what) {
    if (there) return;
    tables_.report().add(table.place, fmt::format("this claim has no {}", what),
                         "docs/reference/study_keys.md lists what a claim states");
  };
  need(!claim.id.empty(), "`id`");
  if (std::ranges::find(study_.claims, claim.id, &Claim::id) != study_.claims.end()) {
    tables_.report().add(table.place, fmt::format("there are two claims '{}'", claim.id),
                         "write what tells them apart behind it, as in \"G-10/b\"");
  }
  need(!claim.says.empty(), "`says`");
  need(!claim.source.empty(), "`source`");
  need(scenarios::find_member(table, "level") != nullptr, "`level`");
  if (claim.level == ClaimLevel::refused) {
    need(!claim.reason.empty(), "`reason`: one of level X cannot be reproduced here");
    if (claim.figure.empty() && !claim.from && !claim.to) return;
    return tables_.report().add(table.place, "a claim of level X has a figure or a band",
                                "leave them out, or give it another level");
  }
  if (!claim.test.empty()) {
    // The form PROGRAM "FILTER": scenarios/paper/run-all runs it.
    const std::size_t space = claim.test.find(' ');
    const std::string_view filter =
        std::string_view(claim.test).substr(std::min(space, claim.test.size()));
    if (space == 0 || filter.size() < 4 || !filter.starts_with(" \"") || !filter.ends_with('"')) {
      tables_.report().add(table.place,
                           fmt::format("`test` = '{}' names no program and filter", claim.test),
                           "as in test = \"photon_tests \\\"B-53*\\\"\"");
    }
    if (claim.figure.empty() && !claim.from && !claim.to) return;
    return tables_.report().add(table.place, "a claim that a test shows has a figure or a band",
                                "leave them out, or leave `test` out");
  }
  need(!claim.figure.empty(), "`figure`");
  need(claim.from || claim.to, "`band`");
  if (claim.theory && quantile_named(stored_name(claim.figure))) {
    tables_.report().add(table.place, "theory stands beside a quantile",
                         "it is taken run by run, and a quantile of one run is another than that "
                         "of all; take a mean, or state the band with `from` and `to`");
  }
}

}  // namespace photonsim::campaigns
