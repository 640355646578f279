#include "scenarios/world/scripted_links.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core_impl/base/check.h"
#include "scenarios/language/config_names.h"
#include "scenarios/language/units.h"
#include "scenarios/world/fault_kinds.h"
#include "sim/purposes.h"

namespace photonsim::scenarios {
namespace {

namespace sim = photon::sim;
using LinkKind = sim::MessageFault::Kind;

// The lists of random faults take the numbers below (sim/random_faults.h).
constexpr std::uint32_t kFirstSwizzle = 0x40000000;

bool is_meant(const Config& config, const PartyName& party, const sim::ProcessInfo& process,
              const sim::Topology& topology) {
  if (!party.place.empty()) {
    const std::vector<std::string> places = expand_name(config, party.place);
    const std::string& here = topology.datacenter(process.datacenter).name;
    if (std::ranges::find(places, here) == places.end()) return false;
  }
  if (party.role.empty()) return true;
  std::string pattern = "*/" + party.role;
  if (party.number) pattern += fmt::format("/{}", *party.number);
  return sim::matches_path(pattern, process.path);
}

struct Meaning {
  LinkKind effect;
  std::string_view kind;  // as reports count it
};

Meaning meaning_of(LinkFaultKind kind) {
  switch (kind) {
    case LinkFaultKind::kLoss:
      return {LinkKind::loss, fault_kinds::kMessageLoss};
    case LinkFaultKind::kReplyLoss:
      return {LinkKind::reply_loss, fault_kinds::kReplyLoss};
    case LinkFaultKind::kDuplication:
      return {LinkKind::duplication, fault_kinds::kMessageDuplication};
    case LinkFaultKind::kLateDuplication:
      return {LinkKind::late_duplication, fault_kinds::kLateDuplication};
    case LinkFaultKind::kReordering:
      return {LinkKind::reordering, fault_kinds::kMessageReordering};
    case LinkFaultKind::kDelay:
      return {LinkKind::delay, fault_kinds::kMessageDelay};
    case LinkFaultKind::kClog:
      return {LinkKind::clog, fault_kinds::kClog};
    case LinkFaultKind::kSwizzle:
      break;
  }
  return {LinkKind::clog, fault_kinds::kSwizzle};
}

// A random order, the same for the same stream and draw.
template <class T>
std::vector<T> shuffled(std::vector<T> items, const photon::RandomStream& stream,
                        std::uint32_t draw) {
  for (std::size_t i = items.size(); i > 1; --i) {
    std::swap(items[i - 1], items[photon::uniform_below(stream.word(i, draw), i)]);
  }
  return items;
}

// In the first half of the time one after the other is clogged, in the second they are let go.
std::vector<sim::Fault> swizzle_of(const LinkFault& link, const sim::LinkFault& whole,
                                   const sim::Topology& topology,
                                   const photon::RandomStream& stream) {
  std::vector<photon::NodeId> clogged = shuffled(whole.from, stream, 0);
  const double share = std::ceil(link.share * static_cast<double>(clogged.size()));
  clogged.resize(std::max<std::size_t>(1, static_cast<std::size_t>(share)));
  const std::vector<photon::NodeId> let_go = shuffled(clogged, stream, 1);
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
                      std::move(action), fault_kinds::kSwizzle});
  }
  return faults;
}

}  // namespace

photon::RandomStream swizzle_stream(std::uint64_t seed, std::uint32_t number) {
  return {seed, photon::sim::purpose::kFaultPlan, kFirstSwizzle + number};
}

std::vector<photon::NodeId> parties(const Config& config, const std::vector<std::string>& names,
                                    const sim::Topology& topology) {
  std::set<photon::NodeId> meant;
  for (const std::string& name : names) {
    const std::optional<PartyName> party = parse_party(config, name);
    PHOTON_CHECK(party.has_value(), "the scenario was validated, so its names mean something");
    for (const sim::ProcessInfo& process : topology.processes()) {
      if (is_meant(config, *party, process, topology)) meant.insert(process.id);
    }
  }
  return {meant.begin(), meant.end()};
}

std::vector<sim::Fault> link_faults(const Config& config, const LinkFault& link,
                                    const sim::Topology& topology,
                                    const photon::RandomStream& stream) {
  const Meaning meaning = meaning_of(link.kind);
  sim::LinkFault action;
  action.from = parties(config, link.from, topology);
  action.to = parties(config, link.to, topology);
  const bool swizzle = link.kind == LinkFaultKind::kSwizzle;
  action.effect = {meaning.effect, photon::Chance(swizzle ? 1.0 : link.share), link.delay};
  action.target = fmt::format("{} -> {}", fmt::join(link.from, ","), fmt::join(link.to, ","));
  if (link.share < 1) action.target += fmt::format(", {} of them", format_real(link.share));
  if (swizzle) return swizzle_of(link, action, topology, stream);
  return {{photon::SimTime(link.at), link.duration, std::move(action), meaning.kind}};
}

sim::LinkFault late_configuration_for(std::vector<photon::NodeId> who, std::string target,
                                      const sim::Topology& topology) {
  sim::LinkFault action;
  for (const sim::ProcessInfo& process : topology.processes()) action.from.push_back(process.id);
  action.to = std::move(who);
  action.effect = {LinkKind::late_version, photon::Chance(1.0), Duration::zero()};
  action.target = std::move(target);
  return action;
}

sim::Fault late_configuration(const Config& config, const LateConfigurationFault& fault,
                              const sim::Topology& topology) {
  return {photon::SimTime(fault.at), fault.duration,
          late_configuration_for(parties(config, fault.who, topology),
                                 fmt::format("{}", fmt::join(fault.who, ",")), topology),
          fault_kinds::kLateConfiguration};
}

}  // namespace photonsim::scenarios
