// Several dispatcher workers on one cell and one set of logs, with one joiner and one
// registry for all.
//
// Each is a process with its own queue; they step in order of time. A paused one does not step:
// when it resumes, everything due is delivered late, its own writes in flight included.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "core_impl/photon/dispatcher/dispatcher_worker.h"
#include "tests/photon/dispatcher_joiner_harness.h"

namespace photon::testing {

class WorkerTeam {
 public:
  static constexpr NodeId kRegistry{2};
  static constexpr NodeId kJoiner{20};
  static constexpr VolumeId kLogs{1};
  static constexpr VolumeId kCell{2};

  struct Asked {
    NodeId worker;
    std::uint64_t request = 0;
    EventId click;
  };

  WorkerTeam(std::uint32_t workers, std::uint32_t partitions, std::uint64_t seed = 1);

  void start(std::uint32_t worker);
  void crash(std::uint32_t worker);
  void pause(std::uint32_t worker) { members_[worker].paused = true; }
  void resume(std::uint32_t worker);
  // The next worker to step, if that is before `until`.
  bool step(std::int64_t until);
  void run_for(Duration span);

  // Appends a click with the next id to the first log file of `server`.
  EventId write_click(std::uint16_t server);
  JournalState journal(std::uint32_t partition) const;
  // Finds a click that the persisted state of its partition passes although it is neither finished
  // nor saved (C-04).
  std::optional<EventId> unprotected_click() const;
  // The persisted offset of the server's first log file.
  std::uint64_t offset(std::uint16_t server) const;
  // How many partitions each live worker may work on.
  std::vector<std::uint32_t> shares() const;

  const DispatcherWorker& worker(std::uint32_t number) const { return *members_[number].worker; }
  Harness& harness(std::uint32_t number) { return *members_[number].harness; }
  std::size_t written() const { return written_.size(); }

  DispatcherOptions config;
  // A joiner's answer; nothing: silence. Unset: it joins and registers.
  std::function<std::optional<JoinOutcome>(const EventId& click)> joiner;
  std::set<EventId> finished;            // joined, by this test's own count
  std::map<EventId, std::size_t> joins;  // requests, by click
  std::vector<Asked> asked;              // all joins, in order

 private:
  struct Member {
    std::unique_ptr<Harness> harness;
    DispatcherWorker* worker = nullptr;
    bool paused = false;
  };
  struct Written {
    std::uint32_t partition = 0;
    std::uint32_t file = 0;
    std::uint64_t end = 0;
    EventId click;
  };
  void serve(Harness& asker, NodeId to, const Body& body);

  std::shared_ptr<HarnessVolumes> volumes_ = std::make_shared<HarnessVolumes>();
  std::vector<Member> members_;
  TestRegistry registry_;
  std::map<std::uint16_t, std::uint64_t> lengths_;
  std::vector<Written> written_;
  std::int64_t now_ = 0;
};

}  // namespace photon::testing
