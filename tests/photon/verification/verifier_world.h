// A verifier with scripted auditors, registrars of lives and a registry.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "core_impl/photon/verification/verifier.h"
#include "tests/photon/dispatcher_joiner_harness.h"

namespace photon::testing {

class VerifierWorld {
 public:
  static constexpr NodeId kSelf{10};
  static constexpr NodeId kIncarnations{1};  // of the verifier and of all joiners
  static constexpr NodeId kRegistry{2};
  static constexpr NodeId kEast{30};  // auditors
  static constexpr NodeId kWest{31};
  static constexpr VolumeId kLogs{1};
  static constexpr VolumeId kCell{2};
  static constexpr Token kOwner{20, 3, 7};  // of joiner 20 in its life 3

  explicit VerifierWorld(std::uint64_t seed = 1);

  void start();
  void restart(const Harness::Survival& survival = [](const VolumeRequest&) { return 0; });

  // A click of the input, `age` old at time zero of the test.
  EventId write_click(std::uint32_t number, Duration age = std::chrono::hours(1),
                      std::uint16_t server = 1);
  // A click that was registered and not written.
  EventId write_lost(std::uint32_t number, const Token& owner = kOwner);
  // Clicks that all lives of the verifier have brought back, in order.
  std::vector<EventId> brought_back() const;
  std::vector<trace::ClickVerified> verdicts() const {
    return harness.decided<trace::ClickVerified>();
  }
  // Intents, removals and returns as they took effect: for tests of their order.
  enum class Step : std::uint8_t { intent, removal, returned };
  std::vector<Step> steps;

  Harness harness;
  VerifierOptions config;
  TestRegistry registry;
  bool registry_answers = true;
  bool removals_answered = true;
  // An auditor's report of a click; nothing: it is silent. `owner`: with the proof's owner.
  using Testimony =
      std::function<std::optional<Presence>(NodeId auditor, const OutputOwner& owner)>;
  Testimony testimony = [](NodeId, const OutputOwner&) { return Presence::absent; };
  // The latest life of joiner 20 that is dead and fenced; nothing: no answer.
  std::optional<std::uint32_t> dead_until = 3;
  // The answer of a living joiner when asked about its attempt; nothing: it is silent.
  std::function<std::optional<AttemptOver>(const AttemptQuery&)> word_of_owner;
  std::uint64_t proofs_asked = 0;
  Verifier* verifier = nullptr;

 private:
  void serve(NodeId to, const Body& body);
  void serve_query(NodeId to, const OutputQuery& query);
  void serve_registry(NodeId to, const RegistryRequest& request);
  void watch(const VolumeRequest& request);

  std::uint32_t granted_ = 0;
  std::uint64_t granted_request_ = 0;
};

}  // namespace photon::testing
