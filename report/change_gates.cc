#include "report/change_gates.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "campaigns/studies/condition.h"
#include "campaigns/studies/gates.h"
#include "campaigns/studies/metric_names.h"
#include "campaigns/studies/override_text.h"
#include "scenarios/language/loader_document.h"

namespace photonsim::report {
namespace {

using scenarios::Member;
using scenarios::Report;
using scenarios::Value;

class GateReader {
 public:
  GateReader(ChangeGates& gates, Report& report) : gates_(gates), report_(report) {}

  void read(const Value& root) {
    for (const Member& member : root.members) {
      if (member.name != "more" && member.name != "less") {
        report_.add(member.place, fmt::format("a file of gates has no table '{}'", member.name),
                    "write [more] or [less], and below it \"latency.own.p99\" = \"5%\"");
      } else if (member.value.type != Value::Type::kTable) {
        report_.add(
            member.place, fmt::format("'{}' is not a table", member.name),
            fmt::format("write [{}], and below it \"latency.own.p99\" = \"5%\"", member.name));
      } else {
        for (const Member& each : member.value.members) gate(each, member.name == "more");
      }
    }
    if (gates_.list.empty() && report_.empty()) {
      report_.add({0, 1, 1}, "this file has no gate",
                  "write [more], and below it \"latency.own.p99\" = \"5%\"");
    }
  }

 private:
  void gate(const Member& member, bool more) {
    if (!campaigns::is_metric(member.name)) {
      return report_.add(member.place, fmt::format("there is no metric '{}'", member.name),
                         campaigns::metric_hint(member.name));
    }
    const bool list = member.value.type == Value::Type::kArray;
    const auto text = list ? std::nullopt : campaigns::override_text(member.value);
    const auto accepted = text ? campaigns::quantity_of(*text) : std::nullopt;
    if (!accepted || *accepted < 0) {
      return report_.add(
          member.value.place,
          fmt::format("the accepted change of '{}' is not a quantity from 0 on", member.name),
          "as in \"5%\" of the value before, or \"100ms\"");
    }
    const bool relative = text->ends_with('%') || text->ends_with("ppm");
    if (!relative && *accepted != 0 && !campaigns::has_unit_of(*text, member.name)) {
      return report_.add(
          member.value.place,
          fmt::format("the accepted change of '{}' has another unit than it", member.name),
          "as in \"5%\" of the value before, or \"100ms\" of a latency");
    }
    gates_.list.push_back(
        {member.name, *accepted, relative, more,
         fmt::format("at most {} {} of {}", *text, more ? "more" : "less", member.name)});
  }

  ChangeGates& gates_;
  Report& report_;
};

}  // namespace

ChangeGates load_change_gates(const std::string& file) {
  ChangeGates gates;
  std::ifstream stream(file, std::ios::binary);
  std::error_code error;
  if (!stream || std::filesystem::is_directory(file, error)) {
    gates.problems.push_back({.file = file,
                              .message = "this file of gates cannot be read",
                              .hint = "give the path of a TOML file with [more] or [less]"});
    return gates;
  }
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  scenarios::Sources sources;
  Report report(sources);
  const Value root = scenarios::parse_toml(text, sources.add(file, text), report);
  if (report.empty()) GateReader(gates, report).read(root);
  gates.problems = report.diagnostics();
  return gates;
}

}  // namespace photonsim::report
