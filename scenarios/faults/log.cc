// Faults of input logs and of output: keys, rules, lowering and generation.

#include "scenarios/faults/log.h"

#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core_impl/base/narrow.h"
#include "scenarios/config/config_names.h"
#include "scenarios/config/units.h"
#include "scenarios/deployment/deployment.h"
#include "scenarios/faults/all_faults.h"
#include "scenarios/faults/checks.h"
#include "scenarios/faults/lowering.h"
#include "scenarios/faults/modelled_fault.h"
#include "scenarios/faults/output_loss.h"
#include "scenarios/faults/servers.h"
#include "scenarios/faults/targets.h"

namespace photonsim::scenarios {
namespace log_faults {
namespace {

namespace sim = photon::sim;
using namespace schema;  // the notation of rows
using swarm::Draws;
using swarm::Targets;

constexpr std::array kDamageKinds{CountedKind{"log_damage", "A process read a damaged record."}};
// After a stall with a tail, each piece that it held is late by a delay of its own.
constexpr std::array kStallKinds{
    CountedKind{"log_stall",
                "A process asked how far a log reaches while due bytes were held back."},
    CountedKind{"log_stall.tail",
                "A process asked how far a log reaches while due bytes were held back."}};
constexpr std::array kTruncationKinds{
    CountedKind{"log_truncation", "A process was shown less of a log than before."}};
constexpr std::array kOutputLossKinds{
    CountedKind{LoseOutput::kName, "A joined record was lost."},
    CountedKind{"output_loss.returns_after", "A joined record that was lost is there again.",
                ShownBy::contract}};

constexpr std::array<std::string_view, 2> kDamages{"flip", "lose"};
constexpr std::array kLogDamageRows{
    row<&LogDamageFault::log>(
        {"log", Kind::kChoice, {}, "Which logs.", "SPEC A-26", kLogWords, {}, true}),
    row<&LogDamageFault::datacenter>(
        {"datacenter", Kind::kName, {}, "Whose copy; \"\" = the same records in all.", "M"}),
    row<&LogDamageFault::at>({"at",
                              Kind::kDuration,
                              kTime,
                              "It concerns records generated from then on.",
                              "M",
                              {},
                              {},
                              true}),
    row<&LogDamageFault::duration>({"for", Kind::kDuration, kSpan, "Duration.", "M", {}, {}, true}),
    row<&LogDamageFault::share>(
        {"share", Kind::kFraction, kUnit, "Share of these records, chosen at random.", "M"}),
    row<&LogDamageFault::how>({"how",
                               Kind::kChoice,
                               {},
                               "One bit is wrong, or the bytes are zeros.",
                               "SPEC A-26",
                               kDamages}),
};
constexpr std::array kLogStallRows{
    row<&LogStallFault::log>(
        {"log", Kind::kChoice, {}, "Which logs.", "SPEC A-21", kLogWords, {}, true}),
    row<&LogStallFault::server>(
        {"server", Kind::kName, {}, "The generating server, from 0; \"any\": all.", "M"}),
    row<&LogStallFault::datacenter>(
        {"datacenter", Kind::kName, {}, "Whose copy; \"\" = all.", "M"}),
    row<&LogStallFault::at>({"at", Kind::kDuration, kTime, "When it begins.", "M", {}, {}, true}),
    row<&LogStallFault::duration>({"for", Kind::kDuration, kSpan, "Duration.", "M", {}, {}, true}),
    row<&LogStallFault::tail>({"tail", Kind::kDuration, kShippingDelay,
                               "Mean of an exponential delay of each piece that was held.", "M"}),
};
constexpr std::array kLogTruncationRows{
    row<&LogTruncationFault::log>(
        {"log", Kind::kChoice, {}, "Which logs.", "SPEC A-20", kLogWords, {}, true}),
    row<&LogTruncationFault::server>(
        {"server", Kind::kName, {}, "The generating server, from 0; \"any\": all.", "M"}),
    row<&LogTruncationFault::datacenter>(
        {"datacenter", Kind::kName, {}, "Whose copy.", "SPEC A-24", {}, {}, true}),
    row<&LogTruncationFault::at>({"at", Kind::kDuration, kTime, "When.", "M", {}, {}, true}),
    row<&LogTruncationFault::duration>({"for",
                                        Kind::kDuration,
                                        kSpan,
                                        "It stays short for half of that, and is filled again in "
                                        "the other half.",
                                        "M",
                                        {},
                                        {},
                                        true}),
    row<&LogTruncationFault::bytes>(
        {"bytes", Kind::kCount, between(1, 1e12),
         "Bytes that the newest file of each server loses, at most all of it.", "M"}),
};
constexpr std::array kOutputLossRows{
    row<&OutputLossFault::datacenter>(
        {"datacenter", Kind::kName, {}, "Whose cell.", "SPEC A-26", {}, {}, true}),
    row<&OutputLossFault::at>({"at", Kind::kDuration, kTime, "When.", "M", {}, {}, true}),
    row<&OutputLossFault::records>({"records", Kind::kCount, between(1, 1e9),
                                    "How many joined records, of those that are durable.", "M"}),
    row<&OutputLossFault::returns_after>(
        {"returns_after",
         Kind::kDuration,
         kSpan,
         "Time until they return; clicks that were joined again meanwhile have two records.",
         "SPEC J-S1",
         {},
         "never"}),
};

void check(Validation& v, const std::string& path, const LogDamageFault& damage) {
  check_start(v, path + ".at", damage.at);
  check_log_place(v, path, damage.datacenter);
  if (damage.share > 0) return;
  v.refuse({path + ".share", path}, "no record is damaged", "a share above 0");
}

void check(Validation& v, const std::string& path, const LogStallFault& stall) {
  check_start(v, path + ".at", stall.at);
  check_log_place(v, path, stall.datacenter);
  check_log_server(v, path, stall.log, stall.server);
}

void check(Validation& v, const std::string& path, const LogTruncationFault& truncation) {
  check_start(v, path + ".at", truncation.at);
  check_log_place(v, path, truncation.datacenter);
  check_log_server(v, path, truncation.log, truncation.server);
}

void check(Validation& v, const std::string& path, const OutputLossFault& loss) {
  check_start(v, path + ".at", loss.at);
  check_log_place(v, path, loss.datacenter);
  if (const auto& after = loss.returns_after) {
    check_start(v, path + ".returns_after", loss.at + *after);
  }
}

namespace models = photon::models;
using photon::SimTime;

// The number of a copy of the logs, by its datacenter; none for all.
std::optional<std::uint32_t> place_of(const Deployment& deployment, const std::string& name) {
  for (std::uint32_t place = 0; place < deployment.pipelines.size(); ++place) {
    const auto datacenter = deployment.pipelines[place].datacenter;
    if (deployment.topology.datacenter(datacenter).name == name) return place;
  }
  return std::nullopt;
}

photon::logs::LogType type_of(LogKind log) {
  return log == LogKind::kQueries ? photon::logs::LogType::primary : photon::logs::LogType::foreign;
}

std::string_view events_of(LogKind log) { return log == LogKind::kQueries ? "query" : "click"; }

std::string where(const std::string& datacenter) {
  return datacenter.empty() ? "in all copies" : "in " + datacenter;
}

std::optional<std::uint16_t> address_of(const Config& config, LogKind log,
                                        const std::string& name) {
  const std::optional<std::uint64_t> server = server_number(name);
  if (!server) return std::nullopt;
  return photon::narrow<std::uint16_t>(1 + servers_before(config, log) + *server);  // from 1 on
}

photon::DatacenterId datacenter_of_copy(const Lowering& lowering, const std::string& name) {
  return name.empty() ? photon::DatacenterId{} : datacenter_named(lowering.topology, name);
}

// Copies and servers that a fault of logs concerns.
template <class Entry>
std::string concerned(const Entry& entry) {
  return fmt::format("of the {} logs of server {} {}", events_of(entry.log), entry.server,
                     where(entry.datacenter));
}

sim::Action modelled(const Lowering& lowering, std::string text, const std::string& datacenter) {
  return ModelledFault{lowering.key, &lowering.numbers, std::move(text),
                       datacenter_of_copy(lowering, datacenter)};
}

void model(const Modelling& modelling, const LogDamageFault& damage) {
  const bool flips = damage.how == DamageKind::kFlip;
  modelling.faults.damages.push_back(
      {modelling.key, type_of(damage.log), place_of(modelling.deployment, damage.datacenter),
       SimTime(damage.at), SimTime(damage.at + damage.duration), damage.share,
       flips ? models::RecordDamage::flipped : models::RecordDamage::lost});
}

void model(const Modelling& modelling, const LogStallFault& stall) {
  modelling.faults.stalls.push_back(
      {modelling.key, type_of(stall.log), address_of(modelling.config, stall.log, stall.server),
       place_of(modelling.deployment, stall.datacenter), SimTime(stall.at),
       SimTime(stall.at + stall.duration), stall.tail});
}

void model(const Modelling& modelling, const LogTruncationFault& truncation) {
  modelling.faults.truncations.push_back(
      {modelling.key, type_of(truncation.log),
       address_of(modelling.config, truncation.log, truncation.server),
       place_of(modelling.deployment, truncation.datacenter).value_or(0), SimTime(truncation.at),
       SimTime(truncation.at + truncation.duration), truncation.bytes});
}

// It needs a key only for its random draws.
void model(const Modelling& /*modelling*/, const OutputLossFault& /*loss*/) {}

ScriptedFault lower(const Lowering& lowering, const LogDamageFault& damage,
                    std::size_t /*number*/) {
  const std::string text = fmt::format(
      "{} {} of the {} records {}", damage.how == DamageKind::kFlip ? "of a bit in" : "to zeros of",
      format_real(damage.share), events_of(damage.log), where(damage.datacenter));
  return {fault_of({damage.at, damage.duration}, modelled(lowering, text, damage.datacenter),
                   kDamageKinds.front().name)};
}

ScriptedFault lower(const Lowering& lowering, const LogStallFault& stall, std::size_t /*number*/) {
  const CountedKind& kind = stall.tail > Duration::zero() ? kStallKinds[1] : kStallKinds[0];
  return {fault_of({stall.at, stall.duration},
                   modelled(lowering, concerned(stall), stall.datacenter), kind.name)};
}

ScriptedFault lower(const Lowering& lowering, const LogTruncationFault& truncation,
                    std::size_t /*number*/) {
  const std::string text = fmt::format("by {} bytes {}", truncation.bytes, concerned(truncation));
  return {fault_of({truncation.at, truncation.duration},
                   modelled(lowering, text, truncation.datacenter), kTruncationKinds.front().name)};
}

ScriptedFault lower(const Lowering& lowering, const OutputLossFault& loss, std::size_t /*number*/) {
  const Pipeline& pipeline =
      lowering.deployment.pipelines.at(place_of(lowering.deployment, loss.datacenter).value_or(0));
  LoseOutput action;
  action.seed = lowering.seed;
  action.key = lowering.key;
  action.datacenter = pipeline.datacenter;
  action.cell = pipeline.cell;
  action.records = loss.records;
  if (!loss.returns_after) return {fault_of({loss.at, sim::kForever}, action)};
  action.after = LoseOutput::After::returned;
  return {fault_of({loss.at, *loss.returns_after}, action, kOutputLossKinds.back().name)};
}

void generate_damage(Config& config, const Targets& targets, Draws& draws) {
  LogDamageFault damage;
  damage.log = draws.one_of({LogKind::kQueries, LogKind::kClicks});
  damage.datacenter = draws.chance(0.6) ? targets.pipeline(draws) : std::string();
  damage.at = targets.when(draws);
  damage.duration = draws.time(1s, 60s);
  damage.share = draws.share(0.01, 0.5);
  damage.how = draws.one_of({DamageKind::kFlip, DamageKind::kLose});
  config.faults.of<LogDamageFault>().push_back(damage);
}

void generate_stall(Config& config, const Targets& targets, Draws& draws) {
  LogStallFault stall;
  stall.log = draws.one_of({LogKind::kQueries, LogKind::kClicks});
  stall.datacenter = draws.chance(0.5) ? targets.pipeline(draws) : std::string();
  stall.at = targets.when(draws);
  stall.duration = draws.time(500ms, 30s);
  stall.tail = draws.chance(0.5) ? draws.time(10ms, 3s) : 0s;
  config.faults.of<LogStallFault>().push_back(stall);
}

void generate_truncation(Config& config, const Targets& targets, Draws& draws) {
  LogTruncationFault truncation;
  truncation.log = draws.one_of({LogKind::kQueries, LogKind::kClicks});
  truncation.datacenter = targets.pipeline(draws);
  truncation.at = targets.when(draws);
  truncation.duration = draws.time(200ms, 40s);
  truncation.bytes = draws.size(10, 200'000);
  config.faults.of<LogTruncationFault>().push_back(truncation);
}

void generate_truncations(Config& config, const Targets& targets, Draws& draws) {
  if (config.registry_only() || !draws.chance(0.3)) return;
  for (std::uint64_t i = draws.size(1, 4); i > 0; --i) generate_truncation(config, targets, draws);
}

void generate_output_loss(Config& config, const Targets& targets, Draws& draws) {
  config.faults.of<OutputLossFault>().push_back(
      {targets.pipeline(draws), targets.when(draws), draws.size(1, 20)});
}

constexpr std::array kStallGenerators{FaultGenerator{12, generate_stall, Needs::pipelines}};
constexpr std::array kDamageGenerators{FaultGenerator{13, generate_damage, Needs::pipelines}};
constexpr std::array kOutputLossGenerators{
    FaultGenerator{14, generate_output_loss, Needs::pipelines}};
constexpr std::array kTruncationGenerators{FaultGenerator{.number = 19,
                                                          .add = generate_truncation,
                                                          .needs = Needs::pipelines,
                                                          .all = generate_truncations,
                                                          .part = 15}};

void add_incomplete(const Faults& faults, Consequences& all) {
  for (const LogDamageFault& damage : faults.of<LogDamageFault>()) {
    if (damage.log == LogKind::kClicks) all.incomplete_clicks = true;
  }
}

// What a stall held comes in a tail of its own.
void add_tails(const Faults& faults, Consequences& all) {
  for (const LogStallFault& stall : faults.of<LogStallFault>()) all.logs_late += stall.tail;
}

}  // namespace

constinit const FaultTable kLogDamages{.schema = fault_rows<kLogDamageRows, LogDamageFault>(
                                           "Records of input logs that cannot be read."),
                                       .script = script_of<LogDamageFault>(),
                                       .kinds = kDamageKinds,
                                       .check = check_entry<LogDamageFault, check>,
                                       .turn = 12,
                                       .lower = lower_entry<LogDamageFault, lower>,
                                       .model = model_entry<LogDamageFault, model>,
                                       .consequences = add_incomplete,
                                       .generators = kDamageGenerators};

constinit const FaultTable kLogStalls{.schema = fault_rows<kLogStallRows, LogStallFault>(
                                          "Input logs of which nothing arrives for a while."),
                                      .script = script_of<LogStallFault>(),
                                      .kinds = kStallKinds,
                                      .check = check_entry<LogStallFault, check>,
                                      .turn = 13,
                                      .lower = lower_entry<LogStallFault, lower>,
                                      .model = model_entry<LogStallFault, model>,
                                      .consequences = add_tails,
                                      .generators = kStallGenerators};

constinit const FaultTable kLogTruncations{
    .schema = fault_rows<kLogTruncationRows, LogTruncationFault>(
        "Input logs that lose their end in one datacenter, and are filled again there."),
    .script = script_of<LogTruncationFault>(),
    .kinds = kTruncationKinds,
    .check = check_entry<LogTruncationFault, check>,
    .turn = 14,
    .lower = lower_entry<LogTruncationFault, lower>,
    .model = model_entry<LogTruncationFault, model>,
    .generators = kTruncationGenerators};

constinit const FaultTable kOutputLosses{
    .schema = fault_rows<kOutputLossRows, OutputLossFault>("Joined records that a cell loses."),
    .script = script_of<OutputLossFault>(),
    .kinds = kOutputLossKinds,
    .check = check_entry<OutputLossFault, check>,
    .turn = 15,
    .lower = lower_entry<OutputLossFault, lower>,
    .model = model_entry<OutputLossFault, model>,
    .generators = kOutputLossGenerators};

}  // namespace log_faults

}  // namespace photonsim::scenarios
