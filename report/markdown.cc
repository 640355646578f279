#include "report/markdown.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "analysis/reports/report_text.h"

namespace photonsim::report {
namespace {

namespace analysis = photon::analysis;
namespace json = boost::json;

constexpr std::size_t kPointsMost = 50;
constexpr std::size_t kFailuresMost = 20;
constexpr std::size_t kTextMost = 200;
constexpr std::size_t kQuestionMost = 2'000;

// Any control character may end a line of Markdown.
std::string on_one_line(std::string_view text) {
  std::string line(text);
  std::ranges::replace_if(
      line, [](char each) { return static_cast<unsigned char>(each) < ' '; }, ' ');
  return line;
}

// At most that many bytes, whole characters of UTF-8.
std::string_view shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U) --most;
  return text.substr(0, most);
}

// Every character that Markdown or HTML gives a meaning stands for itself, on one line.
std::string escaped(std::string_view text, std::size_t most = kTextMost) {
  std::string safe;
  for (const char each : shortened(text, most)) {
    if (each == '<') {
      safe += "&lt;";
    } else if (each == '>') {
      safe += "&gt;";
    } else if (each == '&') {
      safe += "&amp;";
    } else if (static_cast<unsigned char>(each) < ' ') {
      safe += ' ';
    } else {
      if (std::string_view("\\`*_{}[]()#+-.!|~@").find(each) != std::string_view::npos) {
        safe += '\\';
      }
      safe += each;
    }
  }
  return text.size() > most ? safe + "…" : safe;
}

std::string text_at(const json::object& columns, std::string_view name, std::size_t row) {
  return escaped(std::string_view(columns.at(name).as_array()[row].as_string()));
}

struct Shown {
  std::string_view metric;
  std::string_view title;
};
constexpr std::array<Shown, 7> kShown{{{"latency.own.p50", "own p50"},
                                       {"latency.own.p99", "own p99"},
                                       {"latency.total.p99", "total p99"},
                                       {"latency.insert.p50", "insert p50"},
                                       {"latency.insert.p99", "insert p99"},
                                       {"lost", "lost"},
                                       {"waste.wasted_joins_per_joined", "wasted joins"}}};

std::string spoken(std::string_view unit, double value) {
  return unit == "seconds" ? analysis::spoken(value) : fmt::format("{:.4g}", value);
}

std::string cell(const json::object& metric, std::size_t point) {
  const json::value& value = metric.at("value").as_array()[point];
  if (value.is_null()) return "–";
  const std::string_view unit = metric.at("unit").as_string();
  const json::value& low = metric.at("low").as_array()[point];
  const json::value& high = metric.at("high").as_array()[point];
  std::string text = spoken(unit, value.to_number<double>());
  if (!low.is_null() && !high.is_null()) {
    text += fmt::format(" [{}, {}]", spoken(unit, low.to_number<double>()),
                        spoken(unit, high.to_number<double>()));
  }
  const json::string& note = metric.at("note").as_array()[point].as_string();
  return note.empty() ? text : text + " " + std::string(note);
}

std::string points_table(const json::object& data) {
  const json::object& points = data.at("points").as_object();
  const json::object& metrics = data.at("metrics").as_object();
  std::vector<std::pair<std::string, const json::object*>> shown;
  // What a study asks for; otherwise what people ask for first.
  for (const json::value& study : data.at("studies").as_array()) {
    for (const json::value& name : study.as_object().at("metrics").as_array()) {
      const auto* const found = metrics.if_contains(name.as_string());
      if (found != nullptr) shown.emplace_back(name.as_string(), &found->as_object());
    }
  }
  for (const Shown& each :
       shown.empty() ? std::span<const Shown>(kShown) : std::span<const Shown>()) {
    if (const auto* found = metrics.if_contains(each.metric)) {
      shown.emplace_back(std::string(each.title), &found->as_object());
    }
  }
  std::string head = "| point | runs |", rule = "|---|---:|";
  for (const auto& [title, metric] : shown) {
    head += " " + title + " |";
    rule += "---:|";
  }
  std::string text = head + "\n" + rule + "\n";
  const std::size_t count = points.at("label").as_array().size();
  for (std::size_t i = 0; i < std::min(count, kPointsMost); ++i) {
    const json::value& stationary = points.at("stationary").as_array()[i];
    const bool overloaded = stationary.is_bool() && !stationary.as_bool();
    const bool doubtful = points.at("doubtful").as_array()[i].as_bool();
    const std::string by = text_at(points, "bound_by", i);
    text += fmt::format("| {}{}{} | {} |", text_at(points, "label", i),
                        overloaded ? " **not stationary**"
                        : doubtful ? " **perhaps not stationary**"
                                   : "",
                        by.empty() || !(overloaded || doubtful) ? "" : ", bound by " + by,
                        points.at("runs").as_array()[i].to_number<std::uint64_t>());
    // Latencies of a point that cannot keep up are those of the length of its runs.
    for (const auto& [title, metric] : shown) {
      const bool void_here = overloaded && metric->at("unit").as_string() == "seconds";
      text += " " + (void_here ? std::string("–") : cell(*metric, i)) + " |";
    }
    text += "\n";
  }
  if (count > kPointsMost) text += fmt::format("\n{} points more\n", count - kPointsMost);
  return text;
}

// The command that shows the failure again.
std::string command_at(const json::object& failures, std::size_t row) {
  return on_one_line(failures.at("replay").as_array()[row].as_string());
}

// Oracles that one command shows are one failure: the others are named below it, with the number of
// runs that violate them.
std::string failures_text(const json::object& data) {
  const json::object& failures = data.at("campaign").as_object().at("failures").as_object();
  const std::size_t count = failures.at("oracle").as_array().size();
  const auto number = [&](std::string_view column, std::size_t row) {
    return failures.at(column).as_array()[row].to_number<std::uint64_t>();
  };
  std::vector<std::vector<std::size_t>> groups;
  std::map<std::string, std::size_t> by_command;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string command = command_at(failures, i);
    const auto [found, fresh] = by_command.try_emplace(command, groups.size());
    if (fresh || command.empty()) {
      groups.push_back({i});
    } else {
      groups[found->second].push_back(i);
    }
  }
  std::string text;
  for (std::size_t g = 0; g < std::min(groups.size(), kFailuresMost); ++g) {
    const std::size_t first = groups[g].front();
    text += fmt::format("\n* {}, {}: {} in {}. {}\n", text_at(failures, "oracle", first),
                        text_at(failures, "standing", first),
                        analysis::counted(number("count", first), "violation"),
                        analysis::counted(number("runs", first), "run"),
                        text_at(failures, "message", first));
    std::string others;
    for (const std::size_t i : std::span(groups[g]).subspan(1)) {
      others +=
          fmt::format("{}{} in {}", others.empty() ? "" : ", ", text_at(failures, "oracle", i),
                      analysis::counted(number("runs", i), "run"));
    }
    if (!others.empty()) text += fmt::format("  The command shows also: {}.\n", others);
    // Six spaces: code inside a point of a list.
    const std::string command = command_at(failures, first);
    if (!command.empty()) text += fmt::format("\n      {}\n", command);
  }
  if (groups.size() > kFailuresMost) {
    text +=
        fmt::format("* and {}\n", analysis::counted(groups.size() - kFailuresMost, "more failure"));
  }
  return text;
}

// Four spaces make code of each line, whatever it holds.
std::string as_code(std::string_view lines) {
  std::string text;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    text +=
        end == 0 ? std::string("\n") : fmt::format("    {}\n", on_one_line(lines.substr(0, end)));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return text;
}

enum class Missed : std::uint8_t { listed, counted };

std::string gates_text(const json::object& gates, Missed missed) {
  const json::array& results = gates.at("result").as_array();
  if (results.empty()) return {};
  const auto met = std::ranges::count(results, json::value("met"));
  std::string text = fmt::format("\n{} of {} gates met\n", met, results.size());
  if (missed == Missed::counted) return text;
  std::size_t others = 0;
  for (std::size_t i = 0, shown = 0; i < results.size(); ++i) {
    if (results[i].as_string() == "met") continue;
    if (shown++ >= kFailuresMost) {
      ++others;
      continue;
    }
    text +=
        fmt::format("* {}: {} at {}; {}\n", text_at(gates, "result", i), text_at(gates, "gate", i),
                    text_at(gates, "point", i), text_at(gates, "measured", i));
  }
  return others == 0 ? text : text + fmt::format("* and {}\n", analysis::counted(others, "other"));
}

// Question, answer and gates of studies. The answer is text of the program: a block of code.
std::string studies_text(const json::object& data) {
  std::string text;
  for (const json::value& each : data.at("studies").as_array()) {
    const json::object& study = each.as_object();
    const auto of = [&](std::string_view name) {
      const json::value* const value = study.if_contains(name);
      return value != nullptr && value->is_string() ? std::string(value->as_string()) : "";
    };
    if (!of("question").empty()) text += escaped(of("question"), kQuestionMost) + "\n\n";
    const json::value* const complete = study.if_contains("complete");
    if (complete != nullptr && complete->is_bool() && !complete->as_bool()) {
      text += "**The study is not complete: these are the runs so far**";
      if (const json::value* const wanted = study.if_contains("wanted")) {
        text += fmt::format(", of {} that it needs", wanted->to_number<std::uint64_t>());
      }
      text += "\n\n";
    }
    text += as_code(of("answer"));
    // What was missed: precision, gates, failed runs.
    if (!of("notes").empty()) text += "\n" + as_code(of("notes"));
    if (const json::value* const gates = study.if_contains("gates")) {
      // The notes have those that were missed.
      text +=
          gates_text(gates->as_object(), of("notes").empty() ? Missed::listed : Missed::counted);
    }
    text += "\n";
  }
  return text;
}

// Of runs that were written one by one: gates of --expect that they miss.
std::vector<std::string_view> missed_gates(const json::object& data) {
  std::vector<std::string_view> list;
  for (const json::value& details : data.at("details").as_array()) {
    const json::value* const gates = details.as_object().if_contains("missed_gates");
    if (gates == nullptr) continue;
    for (const json::value& each : gates->as_array()) list.emplace_back(each.as_string());
  }
  return list;
}

// What was asked for of runs and campaigns and not got, and the scenarios that are left of failures.
std::string campaigns_text(const json::object& data) {
  std::string text;
  for (const std::string_view gate : missed_gates(data)) {
    text += fmt::format("* --expect {}\n", escaped(gate, kQuestionMost));
  }
  for (const json::value& campaign : data.at("campaigns").as_array()) {
    for (const json::value& each : campaign.at("unmet").as_array()) {
      text += fmt::format("* {}\n", escaped(each.at("what").as_string(), kQuestionMost));
    }
    for (const json::value& each : campaign.at("minimized").as_array()) {
      text += fmt::format("* minimized, {}:\n\n      photonsim repro {}\n",
                          escaped(each.at("label").as_string(), kQuestionMost),
                          on_one_line(each.at("file").as_string()));
    }
  }
  return text;
}

constexpr std::size_t kFaultsShown = 3;

std::string plain_at(const json::object& object, std::string_view name) {
  const json::value* const value = object.if_contains(name);
  if (value == nullptr) return "–";
  return value->is_string() ? std::string(value->as_string()) : json::serialize(*value);
}

// "0 clicks lost", "47 clicks lost (L-crash 47)".
std::string losses_text(const json::object& details) {
  const json::value* const classes = details.if_contains("lost");
  if (classes == nullptr || !classes->is_object()) return "no click lost";
  std::uint64_t all = 0;
  std::string by_class;
  for (const auto& [name, count] : classes->as_object()) {
    const auto lost = count.to_number<std::uint64_t>();
    all += lost;
    if (lost == 0) continue;
    by_class += fmt::format("{}{} {}", by_class.empty() ? " (" : ", ", escaped(name),
                            analysis::grouped(lost));
  }
  return analysis::counted(all, "click") + " lost" + by_class + (by_class.empty() ? "" : ")");
}

// "at 340.399494766s" as "at 340.4s".
std::string with_short_times(std::string_view text) {
  constexpr std::string_view kNumber = "0123456789.";
  std::string result;
  while (!text.empty()) {
    const std::size_t before = std::min(text.find_first_of(kNumber), text.size());
    result += text.substr(0, before);
    text.remove_prefix(before);
    const std::size_t length = std::min(text.find_first_not_of(kNumber), text.size());
    const std::string_view number = text.substr(0, length);
    text.remove_prefix(length);
    double value = 0;
    const bool time =
        text.starts_with('s') && number.find('.') != std::string_view::npos &&
        std::from_chars(number.data(), number.data() + length, value).ec == std::errc{};
    result += time ? fmt::format("{:.1f}", value) : std::string(number);
  }
  return result;
}

// Beside the same seed without faults, if that was run.
std::string cost_text(const json::object& fault) {
  const double cost = fault.at("cost_seconds").to_number<double>();
  const json::value* const beside = fault.if_contains("cost_beside");
  const bool known = beside != nullptr && beside->as_string() == "baseline";
  const std::string_view than = known ? "than without faults" : "than before it";
  std::string text = cost > 0 ? fmt::format("the own share of clicks took {} longer in all {}",
                                            analysis::spoken(cost), than)
                              : fmt::format("clicks were not slower {}", than);
  const json::value* const others = fault.if_contains("overlapping");
  if (others != nullptr && others->to_number<std::uint64_t>() > 0) {
    text += fmt::format(", with {} in the same time",
                        analysis::counted(others->to_number<std::uint64_t>(), "other fault"));
  }
  const json::value* const lost = fault.if_contains("lost");
  if (lost != nullptr && lost->to_number<std::uint64_t>() > 0) {
    text += fmt::format("; {} lost with joiners that it killed",
                        analysis::counted(lost->to_number<std::uint64_t>(), "click"));
  }
  return text;
}

// When backlog and latency were as before; nothing for a fault that is shorter than an interval.
std::string back_text(const json::object& fault) {
  std::string text;
  for (const auto& [key, what] : {std::pair{"backlog_back_after_seconds", "the backlog"},
                                  std::pair{"own_p90_back_after_seconds", "the p90"}}) {
    const json::value* const back = fault.if_contains(key);
    if (back == nullptr) continue;
    text += back->is_null() ? fmt::format("; {} was not back before the end", what)
                            : fmt::format("; {} was back {} after its end", what,
                                          analysis::spoken(back->to_number<double>()));
  }
  return text;
}

// All faults together; or why their costs are no more than a hint.
std::string baseline_text(const json::object& details) {
  const json::value* const found = details.if_contains("baseline");
  if (found == nullptr || !found->is_object()) {
    return "\nCosts are beside the clicks before, whatever else happened then: `photonsim run "
           "--baseline` tells what the faults cost.\n";
  }
  const json::object& baseline = found->get_object();
  const double cost = baseline.at("cost_seconds").to_number<double>();
  return fmt::format(
      "\nBeside the same seed without faults: {} of own share, all clicks "
      "together; {} lost, {} without faults.\n",
      analysis::spoken(std::abs(cost)) + (cost < 0 ? " less" : " more"),
      analysis::counted(baseline.at("lost").to_number<std::uint64_t>(), "click"),
      baseline.at("lost_without_faults").to_number<std::uint64_t>());
}

// What the dearest faults of a run cost, when its backlog was back, and what was lost.
std::string faults_text(const json::object& details) {
  const json::value* const around = details.if_contains("around_faults");
  if (around == nullptr || !around->is_array() || around->as_array().empty()) return {};
  const json::object& all = details.at("faults").as_object();
  const bool clicks = details.at("generated").to_number<std::uint64_t>() > 0;  // no registry alone
  std::string text = fmt::format("\n{}, seed {}: {} of {} faults had an effect{}\n",
                                 escaped(std::string_view(details.at("scenario").as_string())),
                                 escaped(plain_at(details, "seed")), plain_at(all, "effective"),
                                 plain_at(all, "configured"),
                                 clicks ? "; " + losses_text(details) : std::string());
  if (!clicks) return text;
  for (const json::value& each : around->as_array()) {
    if (&each == around->as_array().data() + kFaultsShown) break;
    const json::object& fault = each.as_object();
    text += fmt::format("\n* {}: {}", escaped(with_short_times(fault.at("fault").as_string())),
                        cost_text(fault));
    text += back_text(fault);
  }
  return text + "\n" + baseline_text(details);
}

// How many configurations of one kind there are.
std::size_t points_with(const json::object& data, std::string_view column, bool value) {
  const json::array& values = data.at("points").as_object().at(column).as_array();
  return static_cast<std::size_t>(std::ranges::count(values, json::value(value)));
}

// Gates of runs; of campaigns also coverage and numbers of runs.
std::size_t unmet_requirements(const json::object& data) {
  std::size_t all = missed_gates(data).size();
  for (const json::value& campaign : data.at("campaigns").as_array()) {
    all += campaign.at("unmet").as_array().size();
  }
  return all;
}

}  // namespace

std::string markdown(const json::object& data) {
  const json::object& verdict = data.at("verdict").as_object();
  const auto count = [&](std::string_view name) {
    return verdict.at(name).to_number<std::uint64_t>();
  };
  const std::size_t doubtful = points_with(data, "doubtful", true);
  const std::size_t points = data.at("points").as_object().at("label").as_array().size();
  const std::size_t unmet = unmet_requirements(data);
  std::string text = fmt::format(
      "**{}: {}, {} failed{}**; {}, {} not stationary{}; {} checks of oracles, {}{}\n\n",
      escaped(std::string_view(data.at("file").as_string())),
      analysis::counted(count("runs"), "run"), count("failed"),
      unmet == 0 ? std::string()
                 : fmt::format(", {} not met", analysis::counted(unmet, "requirement")),
      points_with(data, "generated", true) == points ? std::string("a configuration for each seed")
                                                     : analysis::counted(points, "configuration"),
      points_with(data, "stationary", false),
      doubtful == 0 ? std::string() : fmt::format(", {} perhaps not: too short to tell", doubtful),
      analysis::grouped(count("checks")),
      analysis::counted(count("violations"), "failing violation"),
      count("not_counted") == 0
          ? std::string()
          : fmt::format(" and {} that do not count", analysis::grouped(count("not_counted"))));
  text += studies_text(data) + points_table(data);
  for (const json::value& details : data.at("details").as_array()) {
    if (points == 1 || data.at("details").as_array().size() <= kFaultsShown) {
      text += faults_text(details.as_object());
    }
  }
  return text + failures_text(data) + campaigns_text(data);
}

}  // namespace photonsim::report
