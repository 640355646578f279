// [[faults.link]], [[faults.late_configuration]], [[faults.bandwidth]]: keys, rules, lowering and
// generation.

#include "scenarios/faults/link.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core_impl/base/narrow.h"
#include "core_impl/base/shuffle.h"
#include "scenarios/config/units.h"
#include "scenarios/faults/all_faults.h"
#include "scenarios/faults/checks.h"
#include "scenarios/faults/lowering.h"
#include "scenarios/faults/targets.h"
#include "scenarios/schema/config_validate_names.h"
#include "sim/purposes.h"

namespace photonsim::scenarios {
namespace link_faults {
namespace {

namespace sim = photon::sim;
using namespace schema;  // the notation of rows
using swarm::Draws;
using swarm::Targets;

// The effect of that type; those that make messages late have a delay.
using MakeEffect = sim::MessageEffect (*)(Duration delay);
template <class Effect>
sim::MessageEffect make([[maybe_unused]] Duration delay) {
  if constexpr (requires(Effect effect) { effect.delay; }) {
    return Effect{delay};
  } else {
    return Effect{};
  }
}

// Messages between some processes share a link of limited bandwidth.
struct BandwidthFault {
  static constexpr std::string_view kTable = "faults.bandwidth";
  std::vector<std::string> from{"any"};  // as in LinkFault
  std::vector<std::string> to{"any"};
  std::uint64_t rate{0};  // bytes a second
  Duration at{0};
  Duration duration{0};  // key "for"
  bool operator==(const BandwidthFault&) const = default;
};
constexpr std::array kBandwidthKinds{CountedKind{
    "bandwidth", "Another event reached the receiver between the usual arrival and the real one."}};

struct LinkKind {
  LinkFaultKind kind;
  std::string_view word;
  CountedKind counted;
  MakeEffect effect;
  bool has_delay = false;
};
// By enumerator.
constexpr std::array kKinds{
    LinkKind{LinkFaultKind::kLoss, "loss", {"link.loss", "A message was lost."}, make<sim::Loss>},
    LinkKind{LinkFaultKind::kReplyLoss,
             "reply_loss",
             {"link.reply_loss", "A reply was lost."},
             make<sim::ReplyLoss>},
    LinkKind{LinkFaultKind::kDuplication,
             "duplication",
             {"link.duplication", "Both copies of a message came."},
             make<sim::Duplication>},
    LinkKind{
        LinkFaultKind::kLateDuplication,
        "late_duplication",
        {"link.late_duplication", "The copy came after the message, and another event in between."},
        make<sim::LateDuplication>,
        true},
    LinkKind{LinkFaultKind::kReordering,
             "reordering",
             {"link.reordering", "A message that the sender sent later came before it."},
             make<sim::Reordering>,
             true},
    LinkKind{LinkFaultKind::kDelay,
             "delay",
             {"link.delay",
              "Another event reached the receiver between the usual arrival and the real one."},
             make<sim::FixedDelay>,
             true},
    LinkKind{LinkFaultKind::kClog,
             "clog",
             {"link.clog",
              "Another event reached the receiver between the usual arrival and the real one."},
             make<sim::Clog>},
    LinkKind{LinkFaultKind::kSwizzle,
             "swizzle",
             {"link.swizzle", "A second process was clogged, with the effect of a clog.",
              ShownBy::swarm, Counts::as_series},
             make<sim::Clog>}};
static_assert(in_order(kKinds, &LinkKind::kind));
constexpr auto kWords = words_of(kKinds);
constexpr auto kCounted = counted_of(kKinds);
constexpr std::array kLateKinds{
    CountedKind{kLateConfigurationName, "A newer version of the configuration came late."}};

const LinkKind& kind_of(LinkFaultKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

constexpr std::array kLinkFaultRows{
    row<&LinkFault::kind>(
        {"kind",
         Kind::kChoice,
         {},
         "loss: messages are lost. reply_loss: only replies. duplication: messages arrive twice. "
         "late_duplication: the copy arrives up to `delay` later. reordering: messages arrive up "
         "to `delay` later. delay: later by `delay`. clog: they are held back until the fault "
         "ends. swizzle: `from` are clogged one by one, and unclogged in another order.",
         "SPEC J.1",
         kWords,
         {},
         true}),
    row<&LinkFault::from>({"from",
                           Kind::kNames,
                           {},
                           "Senders: \"any\", datacenters, regions, roles (\"joiner\", "
                           "\"us-east1/joiner\"), processes, shards (\"registry/2\").",
                           "M"}),
    row<&LinkFault::to>({"to", Kind::kNames, {}, "Receivers, named likewise.", "M"}),
    row<&LinkFault::share>({"share", Kind::kFraction, kUnit,
                            "Share of the messages; of a swizzle, of the senders.", "M"}),
    row<&LinkFault::delay>({"delay", Kind::kDuration, kSpan, "See kind.", "M"}),
    row<&LinkFault::at>({"at", Kind::kDuration, kTime, "When it begins.", "M", {}, {}, true}),
    row<&LinkFault::duration>({"for", Kind::kDuration, kSpan, "How long.", "M", {}, {}, true}),
};
constexpr std::array kLateConfigurationRows{
    row<&LateConfigurationFault::processes>(
        {"processes",
         Kind::kNames,
         {},
         "Processes that learn the number of shards late, named as "
         "in faults.link.",
         "SPEC B-60c"}),
    row<&LateConfigurationFault::at>(
        {"at", Kind::kDuration, kTime, "When it begins.", "M", {}, {}, true}),
    row<&LateConfigurationFault::duration>(
        {"for",
         Kind::kDuration,
         kSpan,
         "How long newer versions of the configuration are held back.",
         "M",
         {},
         {},
         true}),
};

constexpr std::array kBandwidthRows{
    row<&BandwidthFault::from>(
        {"from", Kind::kNames, {}, "Senders, named as in faults.link.", "M"}),
    row<&BandwidthFault::to>({"to", Kind::kNames, {}, "Receivers, named likewise.", "M"}),
    row<&BandwidthFault::rate>({"rate",
                                Kind::kBytes,
                                between(1, 1e12),
                                "Bytes a second that the link transmits.",
                                "M",
                                {},
                                {},
                                true}),
    row<&BandwidthFault::at>({"at", Kind::kDuration, kTime, "When it begins.", "M", {}, {}, true}),
    row<&BandwidthFault::duration>({"for", Kind::kDuration, kSpan, "How long.", "M", {}, {}, true}),
};

void check_ends(Validation& v, const std::string& path, const std::vector<std::string>& from,
                const std::vector<std::string>& to) {
  for (const auto& [key, names] : {std::pair{".from", &from}, {".to", &to}}) {
    if (names->empty()) {
      v.refuse({path + key, path}, "this fault concerns no process", "[\"any\"], or some names");
    }
    for (std::size_t n = 0; n < names->size(); ++n) {
      check_party(v, fmt::format("{}{}.{}", path, key, n), (*names)[n]);
    }
  }
}

void check(Validation& v, const std::string& path, const LinkFault& link) {
  check_start(v, path + ".at", link.at);
  check_ends(v, path, link.from, link.to);
  if (link.share <= 0) {
    v.refuse({path + ".share", path}, "no message is concerned", "a share above 0");
  }
  if (!kind_of(link.kind).has_delay && link.delay != LinkFault{}.delay) {
    v.refuse({path + ".delay", path + ".kind"}, "this kind has no delay",
             "delay belongs to delay, reordering and late_duplication");
  }
}

void check(Validation& v, const std::string& path, const LateConfigurationFault& late) {
  check_start(v, path + ".at", late.at);
  check_has_configuration(v, path);
  if (late.processes.empty()) {
    v.refuse({path + ".processes", path}, "this fault concerns no process",
             "[\"any\"], or some names");
  }
  for (std::size_t n = 0; n < late.processes.size(); ++n) {
    check_party(v, fmt::format("{}.processes.{}", path, n), late.processes[n]);
  }
}

// The lists of random faults take the numbers below (sim/random_faults.h).
constexpr std::uint32_t kFirstSwizzle = 0x40000000;

// In the first half of the time they are clogged one by one, in the second half unclogged.
std::vector<sim::Fault> swizzle_of(const LinkFault& link, const sim::LinkFault& whole,
                                   const sim::Topology& topology,
                                   const photon::RandomStream& stream) {
  std::vector<photon::NodeId> clogged = whole.from;
  photon::shuffle(clogged, [&](std::uint64_t left) { return stream.word(left, 0); });
  const double share = std::ceil(link.share * static_cast<double>(clogged.size()));
  clogged.resize(std::max<std::size_t>(1, static_cast<std::size_t>(share)));
  std::vector<photon::NodeId> let_go = clogged;
  photon::shuffle(let_go, [&](std::uint64_t left) { return stream.word(left, 1); });
  const auto count = static_cast<std::int64_t>(clogged.size());
  const Duration step = link.duration / (2 * count);
  std::vector<sim::Fault> faults;
  for (std::int64_t i = 0; i < count; ++i) {
    const photon::NodeId node = clogged[static_cast<std::size_t>(i)];
    const auto later = std::ranges::find(let_go, node) - let_go.begin();
    sim::LinkFault action = whole;
    action.from = {node};
    action.target = topology.process(node).path;
    faults.push_back({photon::SimTime(link.at + i * step), (count - i) * step + (later + 1) * step,
                      std::move(action), kKinds.back().counted.name});
  }
  return faults;
}

ScriptedFault lower(const Lowering& lowering, const LinkFault& link, std::size_t number) {
  const LinkKind& kind = kind_of(link.kind);
  sim::LinkFault action;
  action.from = parties(lowering.config, link.from, lowering.topology);
  action.to = parties(lowering.config, link.to, lowering.topology);
  const bool swizzle = link.kind == LinkFaultKind::kSwizzle;
  action.effect = {kind.effect(link.delay), photon::Chance(swizzle ? 1.0 : link.share)};
  action.target = fmt::format("{} -> {}", fmt::join(link.from, ","), fmt::join(link.to, ","));
  if (link.share < 1) action.target += fmt::format(", {} of them", format_real(link.share));
  if (swizzle) {
    const auto item = photon::narrow<std::uint32_t>(number);
    return swizzle_of(link, action, lowering.topology,
                      {lowering.seed, sim::purpose::kFaultPlan, kFirstSwizzle + item});
  }
  return {fault_of({link.at, link.duration}, std::move(action), kind.counted.name)};
}

ScriptedFault lower(const Lowering& lowering, const LateConfigurationFault& late,
                    std::size_t /*number*/) {
  return {fault_of(
      {late.at, late.duration},
      late_configuration_for(parties(lowering.config, late.processes, lowering.topology),
                             fmt::format("{}", fmt::join(late.processes, ",")), lowering.topology),
      kLateConfigurationName)};
}

void check(Validation& v, const std::string& path, const BandwidthFault& link) {
  check_start(v, path + ".at", link.at);
  check_ends(v, path, link.from, link.to);
}

ScriptedFault lower(const Lowering& lowering, const BandwidthFault& link, std::size_t /*number*/) {
  sim::LinkFault action;
  action.from = parties(lowering.config, link.from, lowering.topology);
  action.to = parties(lowering.config, link.to, lowering.topology);
  action.effect = {sim::LimitedBandwidth{link.rate}, photon::Chance(1.0)};
  action.target = fmt::format("{} -> {}, {} a second", fmt::join(link.from, ","),
                              fmt::join(link.to, ","), format_bytes(link.rate));
  return {fault_of({link.at, link.duration}, std::move(action), kBandwidthKinds.front().name)};
}

void hold_messages(const Faults& faults, Consequences& all) {
  for (const LinkFault& link : faults.of<LinkFault>()) {
    all.answers_held += link.duration + link.delay;
  }
}

void generate_link(Config& config, const Targets& targets, Draws& draws) {
  LinkFault link;
  link.kind =
      draws.one_of({LinkFaultKind::kLoss, LinkFaultKind::kReplyLoss, LinkFaultKind::kDuplication,
                    LinkFaultKind::kLateDuplication, LinkFaultKind::kReordering,
                    LinkFaultKind::kDelay, LinkFaultKind::kClog, LinkFaultKind::kSwizzle});
  link.from = {draws.chance(0.3) ? "any" : targets.party(draws)};
  link.to = {draws.chance(0.4) ? "any" : targets.party(draws)};
  link.share = draws.chance(0.3) ? 1.0 : draws.share(0.01, 1.0);
  link.at = targets.when(draws);
  link.duration = draws.time(200ms, 20s);
  if (kind_of(link.kind).has_delay) link.delay = draws.time(5ms, 10s);
  config.faults.of<LinkFault>().push_back(link);
}

void generate_late_configuration(Config& config, const Targets& targets, Draws& draws) {
  LateConfigurationFault late;
  late.processes = {draws.chance(0.2) ? "any" : targets.party(draws)};
  late.at = targets.about_a_reshard(draws);
  // All requests of a registry-only workload wait meanwhile.
  late.duration = draws.time(200ms, targets.has_logs() ? 40s : 5s);
  config.faults.of<LateConfigurationFault>().push_back(late);
}

void generate_bandwidth(Config& config, const Targets& targets, Draws& draws) {
  BandwidthFault link;
  link.from = {draws.chance(0.3) ? "any" : targets.party(draws)};
  link.to = {draws.chance(0.4) ? "any" : targets.party(draws)};
  link.rate = draws.size(1'000, 1'000'000);
  link.at = targets.when(draws);
  link.duration = draws.time(200ms, 20s);
  config.faults.of<BandwidthFault>().push_back(link);
}

void generate_bandwidths(Config& config, const Targets& targets, Draws& draws) {
  if (!draws.chance(0.25)) return;
  for (std::uint64_t i = draws.size(1, 3); i > 0; --i) generate_bandwidth(config, targets, draws);
}

constexpr std::array kBandwidthGenerators{FaultGenerator{
    .number = 20, .add = generate_bandwidth, .all = generate_bandwidths, .part = 17}};
// Faults of links have two turns among the classes, since there are many kinds of them.
constexpr std::array kLinkGenerators{FaultGenerator{8, generate_link},
                                     FaultGenerator{9, generate_link}};
constexpr std::array kLateGenerators{
    FaultGenerator{16, generate_late_configuration, Needs::dynamic_sharding}};

}  // namespace

constinit const FaultTable kLinkFaults{.schema = fault_rows<kLinkFaultRows, LinkFault>(
                                           "A fault of the messages between some processes."),
                                       .script = script_of<LinkFault>(),
                                       .kinds = kCounted,
                                       .check = check_entry<LinkFault, check>,
                                       .turn = 9,
                                       .lower = lower_entry<LinkFault, lower>,
                                       .consequences = hold_messages,
                                       .generators = kLinkGenerators};

constinit const FaultTable kLateConfigurations{
    .schema = fault_rows<kLateConfigurationRows, LateConfigurationFault>(
        "Some processes learn of a change of the number of shards late."),
    .script = script_of<LateConfigurationFault>(),
    .kinds = kLateKinds,
    .check = check_entry<LateConfigurationFault, check>,
    .turn = 10,
    .lower = lower_entry<LateConfigurationFault, lower>,
    .consequences = hold_answers<LateConfigurationFault>,
    .generators = kLateGenerators};

constinit const FaultTable kBandwidths{
    .schema = fault_rows<kBandwidthRows, BandwidthFault>(
        "Messages between some processes share a link of limited bandwidth: each takes its bytes "
        "to "
        "transmit, after those sent before it. Counted as bandwidth."),
    .script = script_of<BandwidthFault>(),
    .kinds = kBandwidthKinds,
    .check = check_entry<BandwidthFault, check>,
    .turn = 11,
    .lower = lower_entry<BandwidthFault, lower>,
    .consequences = hold_answers<BandwidthFault>,
    .generators = kBandwidthGenerators};

}  // namespace link_faults

photon::sim::LinkFault late_configuration_for(std::vector<photon::NodeId> receivers,
                                              std::string target,
                                              const photon::sim::Topology& topology) {
  photon::sim::LinkFault action;
  for (const photon::sim::ProcessInfo& process : topology.processes())
    action.from.push_back(process.id);
  action.to = std::move(receivers);
  action.effect = {photon::sim::LateVersion{}, photon::Chance(1.0)};
  action.target = std::move(target);
  return action;
}

}  // namespace photonsim::scenarios
