// A dispatcher with scripted joiners and registry, and an independent check of C-04.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "core_impl/photon/dispatcher/dispatcher_worker.h"
#include "tests/photon/dispatcher_joiner_harness.h"

namespace photon::testing {

class DispatcherWorld {
 public:
  static constexpr NodeId kSelf{10};
  static constexpr NodeId kRegistry{2};
  static constexpr VolumeId kLogs{1};
  static constexpr VolumeId kCell{2};

  struct Sent {
    std::int64_t at = 0;
    NodeId joiner;
    std::uint64_t request = 0;
    EventId click;
    std::uint32_t attempts = 0;
    Payload payload;
  };

  explicit DispatcherWorld(std::uint64_t seed = 1, std::uint32_t joiners = 4);

  void start();
  // Ends this life, a fraction of every write in flight surviving, and begins the next one.
  void restart(const Harness::Survival& survival = [](const VolumeRequest&) { return 0; });

  // Appends the click to the log of `server`, file `sequence`.
  void write_click(std::uint16_t server, std::uint16_t sequence, const EventId& click,
                   const EventId& query, std::string_view payload = "click");
  // Finds a click that the persisted state passes although it is neither finished nor saved.
  std::optional<EventId> unprotected_click() const;
  JournalState journal() const;
  std::map<EventId, std::vector<trace::ClickDone>> done() const;
  std::vector<Sent> sends_of(const EventId& click) const;

  Harness harness;
  DispatcherOptions config;
  TestRegistry registry;
  bool registry_answers = true;
  // A joiner's answer; nothing: it stays silent. Unset: it joins and registers.
  std::function<std::optional<JoinOutcome>(const Sent& sent)> joiner;
  Duration join_delay = std::chrono::milliseconds(20);
  std::vector<Sent> sent;
  std::set<EventId> finished;  // joined, by this test's own count
  DispatcherWorker* worker = nullptr;
  std::size_t most_sends = 0;
  std::size_t most_lookups = 0;

 private:
  struct Written {
    std::uint32_t file = 0;
    std::uint64_t end = 0;
    EventId click;
  };
  void serve(NodeId to, const Body& body);
  void serve_join(NodeId to, const JoinRequest& request);

  std::map<std::uint32_t, std::uint64_t> lengths_;
  std::vector<Written> written_;
};

}  // namespace photon::testing
