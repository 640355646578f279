#include "sim/network.h"

#include <algorithm>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/narrow.h"
#include "sim/body_digest.h"
#include "sim/purposes.h"

namespace photon::sim {

SenderStreams::SenderStreams(std::uint64_t seed, NodeId sender)
    : delay_(seed, purpose::kNetworkDelay, sender.value()),
      duplicate_(seed, purpose::kNetworkDuplicate, sender.value()),
      reorder_(seed, purpose::kNetworkReorder, sender.value()) {}

void SenderStreams::renew(std::uint64_t seed, NodeId sender) {
  const SenderStreams fresh(seed, sender);
  delay_ = fresh.delay_;
  duplicate_ = fresh.duplicate_;
  reorder_ = fresh.reorder_;
}

Network::Network(Kernel& kernel, const Topology& topology, const Setup& setup)
    : kernel_(kernel),
      delays_(setup.delays),
      effects_(setup.effects),
      slowness_(setup.slowness),
      datacenters_(topology.datacenters().size()),
      links_(datacenters_ * datacenters_),
      cut_count_(datacenters_ * datacenters_, 0),
      message_faults_(setup.seed, topology.processes().size(), setup.effects),
      effect_tracker_(setup.effects) {
  PHOTON_CHECK(topology.processes().size() <= kMaxArgument, "a sender fits into an event's tag");
  place_.reserve(topology.processes().size());
  for (const ProcessInfo& process : topology.processes()) place_.push_back(process.datacenter);
}

void Network::set_all_links(const LinkFaults& faults) {
  for (LinkFaults& link : links_) link = faults;
  faulty_links_ = faults.any();
}

void Network::set_link(DatacenterId from, DatacenterId to, const LinkFaults& faults) {
  PHOTON_CHECK(from.value() < datacenters_ && to.value() < datacenters_,
               "a link joins datacenters");
  links_[pair(from, to)] = faults;
  faulty_links_ = std::ranges::any_of(links_, &LinkFaults::any);
}

void Network::send(SenderStreams& streams, NodeId from, NodeId to, SimTime departure, Body body) {
  PHOTON_CHECK(to.value() < place_.size(), "a message is sent to a process that exists");
  PHOTON_CHECK(from.value() < place_.size(), "a message comes from a process that exists");
  PHOTON_CHECK(departure >= kernel_.now(), "a message leaves when its sender is done, or later");
  ++counters_.sent;
  if (statements_ == nullptr) return transmit(streams, from, to, departure, std::move(body), {});
  const std::optional<Statement> says = statements_->statement_in(body);
  const bool changed = says && held_.note(*says);
  transmit(streams, from, to, departure, std::move(body), says);
  if (changed && !held_.empty()) let_go(held_.release());
}

void Network::transmit(SenderStreams& streams, NodeId from, NodeId to, SimTime departure, Body body,
                       const std::optional<Statement>& says) {
  const std::uint64_t ordinal = streams.ordinal_++;
  const DatacenterId here = place_[from.value()];
  const DatacenterId there = place_[to.value()];
  if (is_cut(here, there)) {
    note_cut(here, there);
    return;
  }
  const auto words = streams.delay_.block(ordinal, streams.life_);
  const LinkFaults& link = links_[pair(here, there)];
  const bool faulty = from != to;
  if (faulty && link.loss.happens(words[1])) {
    ++counters_.lost;
    return;
  }
  MessageFate fate;
  if (faulty && message_faults_.any()) {
    fate = message_faults_.fate_of(
        {from, to, streams.life_, ordinal, departure, body, version_in(body), says});
    if (fate.lost) {
      ++counters_.lost;
      return;
    }
    if (fate.hold) {
      ++counters_.delayed;
      const MessageFate::Hold& hold = *fate.hold;
      held_.hold({hold.fault, from, to, departure, words[0], std::move(body)}, *says, hold.changes);
      return;
    }
    if (fate.leaves > departure || fate.late > Duration::zero()) ++counters_.delayed;
  }
  const SimTime leaves = std::max(departure, fate.leaves);
  const Duration usual = delays_.one_way(here, there, words[0]);
  const Slowness::Stretched way = slowness_.stretch(here, usual);
  SimTime arrival = leaves + way.takes + fate.late;
  PHOTON_CHECK(arrival >= departure, "a message arrives after it is sent");
  if (faulty && link.reorder.possible()) {
    const auto extra = streams.reorder_.block(ordinal, streams.life_);
    if (link.reorder.happens(extra[0])) {
      ++counters_.reordered;
      arrival += uniform_duration(extra[1], Duration{0}, link.reorder_delay);
    }
  }
  if (faulty && link.duplicate.possible()) {
    const auto copy = streams.duplicate_.block(ordinal, streams.life_);
    if (link.duplicate.happens(copy[0])) {
      ++counters_.duplicated;
      put(from, to, leaves + delay(here, there, copy[1]).takes, body);
    }
  }
  const std::uint64_t first_copy = next_number(here);
  for (const MessageFate::Copy& copy : fate.copies) {
    ++counters_.duplicated;
    put(from, to, leaves + delay(here, there, copy.word).takes + copy.late, body);
  }
  if (way.fault != kNoFault)
    effect_tracker_.late(next_number(here), way.fault, arrival - (way.takes - usual));
  if (!fate.delays.empty() || !fate.copies.empty()) {
    follow(fate, {from, to}, first_copy, {departure, leaves, arrival});
  }
  put(from, to, arrival, std::move(body));
}

void Network::release_held(std::uint32_t fault) { let_go(held_.release(fault)); }

void Network::let_go(std::vector<OvertakenMessages::Released> messages) {
  for (auto& [message, overtaken] : messages) {
    if (overtaken) effects_.took_effect(message.fault);
    const SimTime leaves = std::max(message.departure, kernel_.now());
    const Duration takes =
        delay(place_[message.from.value()], place_[message.to.value()], message.word).takes;
    put(message.from, message.to, leaves + takes, std::move(message.body));
  }
}

// Tracks the faults that concern a message, which is scheduled next.
void Network::follow(const MessageFate& fate, const EffectTracker::Link& link,
                     std::uint64_t first_copy, const Times& times) {
  const std::uint64_t message = next_number(place_[link.from.value()]);
  for (const MessageFate::Delay& each : fate.delays) {
    const SimTime leaves = std::max(times.departure, fate.leaves_without(each));
    const SimTime due = times.arrival - (times.leaves - leaves) - each.late;
    if (due >= times.arrival) continue;
    if (each.reorders) {
      effect_tracker_.reordered(message, each.fault, due, link);
    } else {
      effect_tracker_.late(message, each.fault, due);
    }
  }
  std::uint64_t number = first_copy;
  for (const MessageFate::Copy& copy : fate.copies) {
    effect_tracker_.duplicated(message, number++, copy.fault, copy.copying);
  }
}

void Network::taken(const Event& event, NodeId from, NodeId to, SimTime last) {
  effect_tracker_.arrived(number(place_[from.value()], kernel_.counter_of(event)),
                          {{from, to}, kernel_.now(), last});
}

void Network::missed(const Event& event, NodeId from) {
  effect_tracker_.forget(number(place_[from.value()], kernel_.counter_of(event)));
}

void Network::put(NodeId from, NodeId to, SimTime at, Body body) {
  if (place_[from.value()] != place_[to.value()]) {
    digest_of(body, scratch_);  // stored in the body: all copies of a broadcast share the work
    body = body.clone();
  }
  kernel_.schedule(at, place_[from.value()], ActorId(to.value()),
                   make_tag(EventKind::message, from.value()), body.release());
}

bool Network::arrives(NodeId from, NodeId to) {
  PHOTON_CHECK(from.value() < place_.size() && to.value() < place_.size(),
               "a message joins processes that exist");
  if (cuts_.empty()) return true;
  const DatacenterId here = place_[from.value()];
  const DatacenterId there = place_[to.value()];
  if (!is_cut(here, there)) return true;
  note_cut(here, there);
  return false;
}

void Network::note_cut(DatacenterId from, DatacenterId to) {
  ++counters_.cut;
  for (const Cut& cut : cuts_) {
    if (cut.from == from && cut.to == to) effects_.took_effect(cut.fault);
  }
}

void Network::cut(std::uint32_t fault, DatacenterId from, DatacenterId to) {
  PHOTON_CHECK(from.value() < datacenters_ && to.value() < datacenters_,
               "a cut separates datacenters");
  cuts_.push_back({fault, from, to});
  ++cut_count_[pair(from, to)];
}

void Network::heal(std::uint32_t fault, DatacenterId from, DatacenterId to) {
  PHOTON_CHECK(from.value() < datacenters_ && to.value() < datacenters_,
               "a cut separates datacenters");
  const auto removed = std::erase_if(cuts_, [=](const Cut& cut) {
    return cut.fault == fault && cut.from == from && cut.to == to;
  });
  PHOTON_CHECK(cut_count_[pair(from, to)] >= removed, "a cut heals once");
  cut_count_[pair(from, to)] = narrow<std::uint16_t>(cut_count_[pair(from, to)] - removed);
}

}  // namespace photon::sim
