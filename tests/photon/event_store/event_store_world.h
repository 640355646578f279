// A whole EventStore in one datacenter: reader, log store, cache nodes and one client process.
//
// Deterministic: messages and volume requests take effect in the order they were made, time
// advances from timer to timer. Messages can be lost, duplicated, and delayed past later ones, by a
// moment or by many seconds; processes crash and restart.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core_impl/photon/event_store/cache_node.h"
#include "core_impl/photon/event_store/client.h"
#include "core_impl/photon/event_store/log_store.h"
#include "core_impl/photon/event_store/reader.h"
#include "tests/photon/event_store/primary_logs.h"
#include "tests/support/known_files.h"

namespace photon::testing {

// The process that embeds the client, as the joiner does.
class Asker final : public Node {
 public:
  static constexpr TimerKind kTimer = 0;
  explicit Asker(const EventStoreClientOptions& config) : client_(config) {}
  void on_start(Context&) override {}
  void on_message(Context& context, NodeId, const Body& body) override {
    if (body.type() == QueryProgress::kType) {
      return client_.on_progress(context, body.as<QueryProgress>());
    }
    client_.on_reply(context, body.as<QueryReply>());
    drain();
  }
  void on_timer(Context& context, TimerKind) override {
    client_.on_timer(context);
    drain();
  }
  void on_io(Context&, Ticket, IoResult&) override {}
  void lookup(Context& context, const EventId& id, std::uint64_t tag) {
    client_.lookup(context, id, tag);
  }
  const EventStoreClient& client() const { return client_; }
  std::vector<EventStoreClient::Outcome> outcomes;

 private:
  void drain() {
    while (auto outcome = client_.take_result()) outcomes.push_back(*outcome);
  }
  EventStoreClient client_;
};

class EventStoreWorld {
 public:
  static constexpr NodeId kReader{1};
  static constexpr NodeId kLogStore{2};
  static constexpr NodeId kAsker{20};

  struct Options {
    MapSpacing spacing{};
    std::uint32_t caches = 3;
    std::uint64_t cache_bytes = std::uint64_t{1} << 20U;
    std::uint64_t seed = 1;
    std::uint32_t loss_percent = 0;
    ReadForm form = ReadForm::bytes;  // of the logs, for processes that take either
  };
  explicit EventStoreWorld(const Options& options);

  FakeDisk& logs() { return disks_[kLogs]; }
  void run_for(Duration span);
  void crash(NodeId node);    // with some prefix of a pending append kept
  void restart(NodeId node);  // requires that it has crashed
  bool is_up(NodeId node) const;
  NodeId cache(std::uint32_t index) const { return NodeId{10 + index}; }
  std::uint32_t caches() const { return options_.caches; }

  void lookup(const EventId& id, std::uint64_t tag);
  // Runs until the look-up has ended.
  EventStoreClient::Outcome lookup_now(const EventId& id);
  std::vector<EventStoreClient::Outcome> take_outcomes();
  // Everything before this place of the file has been claimed findable.
  std::uint64_t claimed(logs::LogFile file) const;
  const EventStoreClient::Statistics& client_stats();
  const KnownFiles& known() const { return known_; }

 private:
  struct Process {
    FakeContext context;
    std::function<std::unique_ptr<Node>()> make;
    std::unique_ptr<Node> node;
    std::size_t decisions_seen = 0;
  };
  struct Letter {
    NodeId from;
    NodeId to;
    Body body;
  };

  void add(NodeId id, std::function<std::unique_ptr<Node>()> make);
  Process* find(NodeId id);
  void settle();
  bool settle_once(Process& process);
  void post(NodeId from, FakeContext::Sent& letter);
  bool deliver_one();
  void release_late();

  Options options_;
  RandomStream random_;
  std::uint64_t draws_ = 0;
  MonotonicTime now_{};
  std::map<VolumeId, FakeDisk> disks_;
  KnownFiles known_;
  std::vector<std::unique_ptr<Process>> processes_;
  std::deque<Letter> letters_;
  std::multimap<MonotonicTime, Letter> late_;  // by arrival time
  std::map<std::uint32_t, std::uint64_t> claims_;
  std::uint64_t tags_ = std::uint64_t{1} << 40U;
};

}  // namespace photon::testing
