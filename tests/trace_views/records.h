// Handmade traces for windows: two datacenters with two processes each, and any record that the
// test needs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core_impl/trace/consensus.h"
#include "core_impl/trace/environment.h"
#include "core_impl/trace/pipeline.h"
#include "core_impl/trace/registry.h"
#include "trace_views/window.h"

namespace photonsim::trace_views::testing {

using namespace std::chrono_literals;
using photon::Duration;
using photon::EventId;
using photon::NodeId;
using photon::SimTime;

namespace trace = photon::trace;
namespace analysis = photon::analysis;

inline constexpr NodeId kEastReplica{0}, kWestReplica{1}, kEastJoiner{2}, kWestJoiner{3};

constexpr SimTime at(Duration since_start) { return SimTime(since_start); }
constexpr EventId click_id(std::uint32_t n) {
  return {n, 7, photon::Stamp(std::chrono::seconds(1'600'000'000) + Duration(n))};
}

inline analysis::TracePlaces places() {
  return {{"us-east1", "us-west1"},
          {"us-east1/registry/0", "us-west1/registry/0", "us-east1/joiner/0", "us-west1/joiner/0"},
          {"us-east1/cell", "us-west1/cell"}};
}

class Records {
 public:
  template <class Payload>
  void emit(SimTime when, trace::Source source, NodeId node, const Payload& payload,
            NodeId peer = photon::kNoNode, std::uint32_t message = 0) {
    trace::Header header;
    header.at = when;
    header.local = photon::from_nanoseconds<photon::LocalTime>(photon::nanoseconds_of(when) + 250);
    header.node = node;
    header.peer = peer;
    header.incarnation = photon::Incarnation(node == photon::kNoNode ? 0 : life_[node.value()]);
    header.datacenter = photon::DatacenterId(node.value() % 2 == 0 ? 0 : 1);
    header.source = source;
    header.message = message;
    list.push_back(trace::Record::make(header, payload));
  }
  template <class Payload>
  void decide(SimTime when, NodeId node, const Payload& payload) {
    emit(when, trace::Source::decision, node, payload);
  }
  template <class Payload>
  void environment(SimTime when, NodeId node, const Payload& payload) {
    emit(when, trace::Source::environment, node, payload);
  }
  template <class Payload>
  void sent(SimTime when, NodeId from, NodeId to, std::uint32_t number, const Payload& payload) {
    emit(when, trace::Source::sent, from, payload, to, number);
  }
  template <class Payload>
  void delivered(SimTime when, NodeId from, NodeId to, std::uint32_t number,
                 const Payload& payload) {
    emit(when, trace::Source::delivered, to, payload, from, number);
  }
  void start(SimTime when, NodeId node) {
    ++life_[node.value()];
    environment(when, node, trace::ProcessStarted{1});
  }
  void crash(SimTime when, NodeId node, std::uint32_t fault = 0, std::uint32_t in_order = 0) {
    environment(when, node, trace::ProcessCrashed{fault, in_order});
  }
  void start_all() {
    for (std::uint32_t i = 0; i < 4; ++i) start(at(0s), NodeId(i));
  }

  std::vector<trace::Record> list{};

 private:
  std::uint32_t life_[4] = {0, 0, 0, 0};
};

inline trace::JoinAsk join_ask(std::uint32_t click, std::uint64_t request = 1) {
  return {click_id(click), click_id(1000 + click), request, 0};
}

inline WindowOptions window_of(SimTime from, SimTime until) {
  WindowOptions options;
  options.span = {from, until};
  return options;
}

inline Window collected(const Records& records, WindowOptions options, Run run = {}) {
  run.places = places();
  WindowCollector collector(std::move(options), run.places);
  for (const trace::Record& record : records.list) collector.record(record);
  return collector.finish(run);
}

}  // namespace photonsim::trace_views::testing
