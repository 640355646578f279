// A joiner with scripted EventStore, registry and output storage around it.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "core_impl/photon/joiner/joined_record.h"
#include "core_impl/photon/joiner/joiner.h"
#include "core_impl/photon/joiner/standard_adapters.h"
#include "tests/photon/dispatcher_joiner_harness.h"

namespace photon::testing {

class JoinerWorld {
 public:
  static constexpr NodeId kSelf{20};
  static constexpr NodeId kDispatcher{10};
  static constexpr NodeId kIncarnations{1};
  static constexpr NodeId kRegistry{2};
  static constexpr NodeId kLogStore{3};
  static constexpr VolumeId kCell{2};

  explicit JoinerWorld(std::uint64_t seed = 1);

  void start();
  void restart(const Harness::Survival& survival = [](const VolumeRequest&) { return 0; });
  // The dispatcher asks for the join of click `number` with its query. Returns the request number.
  std::uint64_t ask(std::uint32_t number, std::uint32_t attempts = 0);
  void ask_again(std::uint64_t request, std::uint32_t number);  // the network duplicates it

  std::vector<JoinOutcome> answers_of(std::uint64_t request) const;
  // All records in the output files of all lives.
  std::vector<JoinedRecord> output() const;
  std::vector<UnjoinableRecord> unjoinable() const;
  std::size_t outputs_of(std::uint32_t number) const;

  Harness harness;
  JoinerOptions config;
  CombineAdapter combine;
  const Adapter* adapter = &combine;
  TestRegistry registry;
  std::map<EventId, Bytes> queries;
  QueryStatus missing_status = QueryStatus::not_found;
  std::set<EventId> failing;  // queries whose look-up is an error, there or not
  bool grants = true;
  Duration query_delay = std::chrono::milliseconds(5);
  // How often a registry reply is delivered; unset: once.
  std::function<int(const RegistryRequest&)> reply_copies;
  bool registry_receives = true;  // false: requests are lost
  std::vector<JoinReply> replies;
  std::vector<AttemptOver> over;  // its answers about its attempts
  Joiner* joiner = nullptr;
  std::size_t most_window = 0;
  std::size_t most_inserts = 0;
  std::size_t most_in_flight = 0;

 private:
  void serve(NodeId to, const Body& body);
  void serve_registry(NodeId to, const RegistryRequest& request);
  void serve_query(NodeId to, const QueryRequest& request);
  void measure();

  std::uint64_t last_request_ = 0;
  std::uint32_t granted_ = 0;
  std::uint64_t granted_request_ = 0;
};

}  // namespace photon::testing
