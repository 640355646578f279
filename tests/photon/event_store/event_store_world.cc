#include "tests/photon/event_store/event_store_world.h"

#include <utility>

#include "tests/support/catch.h"

namespace photon::testing {

EventStoreWorld::EventStoreWorld(const Options& options)
    : options_(options), random_(options.seed, Purpose::test, 77) {
  EventStoreReaderOptions reader;
  reader.logs = kLogs;
  reader.cell = kCell;
  reader.log_store = kLogStore;
  reader.spacing = options.spacing;
  reader.read_bytes = 3000;
  LogStoreOptions store;
  store.logs = kLogs;
  store.cell = kCell;
  store.spacing = options.spacing;
  store.read_bytes = 5000;
  EventStoreClientOptions client;
  client.log_store = kLogStore;
  client.timer = Asker::kTimer;
  for (std::uint32_t i = 0; i < options.caches; ++i) {
    reader.cache_nodes.push_back(cache(i));
    client.cache_nodes.push_back(cache(i));
  }
  CacheNodeOptions one_cache;
  one_cache.capacity_bytes = options.cache_bytes;
  add(kLogStore, [store] { return std::make_unique<LogStore>(store); });
  for (std::uint32_t i = 0; i < options.caches; ++i) {
    add(cache(i), [one_cache] { return std::make_unique<CacheNode>(one_cache); });
  }
  add(kReader, [reader] { return std::make_unique<EventStoreReader>(reader); });
  add(kAsker, [client] { return std::make_unique<Asker>(client); });
}

void EventStoreWorld::add(NodeId id, std::function<std::unique_ptr<Node>()> make) {
  processes_.push_back(
      std::unique_ptr<Process>(new Process{FakeContext(id), std::move(make), nullptr}));
  FakeContext& context = processes_.back()->context;
  if (options_.form == ReadForm::records) {
    context.answered = [this, &context](const VolumeRequest& request, IoResult& result) {
      if (request.volume != kLogs || result.data.empty()) return;
      known_.convert(request, context.disks[kLogs].at(text(request.file)), result);
    };
  }
  restart(id);
}

EventStoreWorld::Process* EventStoreWorld::find(NodeId id) {
  for (const auto& process : processes_) {
    if (process->context.self() == id) return process.get();
  }
  return nullptr;
}

bool EventStoreWorld::is_up(NodeId node) const {
  return const_cast<EventStoreWorld*>(this)->find(node)->node != nullptr;
}

void EventStoreWorld::crash(NodeId node) {
  Process& process = *find(node);
  std::swap(process.context.disks, disks_);
  process.context.crash(uniform_below(random_.word(draws_++), 40));
  std::swap(process.context.disks, disks_);
  process.node.reset();
}

void EventStoreWorld::restart(NodeId node) {
  Process& process = *find(node);
  REQUIRE(process.node == nullptr);
  process.context.set_now(now_);
  process.node = process.make();
  process.node->on_start(process.context);
}

// Executes the process's requests: its messages are queued, its oldest volume request takes effect,
// its decisions are recorded. False if there was no request.
bool EventStoreWorld::settle_once(Process& process) {
  if (process.node == nullptr) return false;
  FakeContext& context = process.context;
  bool busy = !context.sent.empty();
  for (FakeContext::Sent& letter : std::exchange(context.sent, {})) {
    post(context.self(), letter);
  }
  if (!context.pending.empty()) {
    std::swap(context.disks, disks_);
    context.complete(*process.node);
    std::swap(context.disks, disks_);
    busy = true;
  }
  const auto progress = context.decided<trace::ReaderProgress>();
  for (const auto& claim : progress) {
    std::uint64_t& reach = claims_[claim.file];
    reach = std::max(reach, claim.offset);
  }
  context.decisions.clear();
  return busy;
}

void EventStoreWorld::post(NodeId from, FakeContext::Sent& letter) {
  const std::uint64_t word = random_.word(draws_++);
  if (word % 100 < options_.loss_percent) return;
  // Loss also brings late and repeated messages.
  const bool lossy = options_.loss_percent > 0;
  if (lossy && word % 13 == 0) {
    const Duration delay(uniform_below(random_.word(draws_++), 20'000'000'000));
    late_.emplace(now_ + delay, Letter{from, letter.to, std::move(letter.body)});
    return;
  }
  if (lossy && word % 7 == 0) letters_.push_front({from, letter.to, letter.body});
  if (lossy && word % 11 == 0) letters_.push_back({from, letter.to, letter.body.clone()});
  if (!lossy || word % 7 != 0) letters_.push_back({from, letter.to, letter.body});
}

bool EventStoreWorld::deliver_one() {
  if (letters_.empty()) return false;
  const Letter letter = std::move(letters_.front());
  letters_.pop_front();
  Process* process = find(letter.to);
  REQUIRE(process != nullptr);
  if (process->node != nullptr) {
    process->node->on_message(process->context, letter.from, letter.body);
  }
  return true;
}

void EventStoreWorld::release_late() {
  while (!late_.empty() && late_.begin()->first <= now_) {
    letters_.push_back(std::move(late_.begin()->second));
    late_.erase(late_.begin());
  }
}

void EventStoreWorld::settle() {
  bool busy = true;
  while (busy) {
    busy = deliver_one();
    for (const auto& process : processes_) busy = settle_once(*process) || busy;
  }
}

void EventStoreWorld::run_for(Duration span) {
  const MonotonicTime end = now_ + span;
  settle();
  while (true) {
    Process* next = nullptr;
    MonotonicTime due = end;
    if (!late_.empty()) due = std::min(due, late_.begin()->first);
    for (const auto& process : processes_) {
      if (process->node == nullptr) continue;
      const auto kind = process->context.next_timer();
      if (!kind || *process->context.timer(*kind) > due) continue;
      if (next != nullptr && *process->context.timer(*kind) == due) continue;
      next = process.get();
      due = *process->context.timer(*kind);
    }
    now_ = std::max(now_, due);
    for (const auto& process : processes_) process->context.set_now(now_);
    release_late();
    if (next != nullptr) next->context.fire(*next->node, *next->context.next_timer());
    settle();
    if (next == nullptr && now_ == end) return;
  }
}

void EventStoreWorld::lookup(const EventId& id, std::uint64_t tag) {
  Process& process = *find(kAsker);
  static_cast<Asker&>(*process.node).lookup(process.context, id, tag);
}

std::vector<EventStoreClient::Outcome> EventStoreWorld::take_outcomes() {
  return std::exchange(static_cast<Asker&>(*find(kAsker)->node).outcomes, {});
}

EventStoreClient::Outcome EventStoreWorld::lookup_now(const EventId& id) {
  const std::uint64_t tag = tags_++;
  lookup(id, tag);
  for (int waits = 0; waits < 1000; ++waits) {
    run_for(std::chrono::milliseconds(10));
    for (auto& outcome : take_outcomes()) {
      if (outcome.tag == tag) return outcome;
    }
  }
  FAIL("a look-up did not end within 10 s");
  return {};
}

std::uint64_t EventStoreWorld::claimed(logs::LogFile file) const {
  const auto claim = claims_.find(file.number());
  return claim == claims_.end() ? 0 : claim->second;
}

const EventStoreClient::Statistics& EventStoreWorld::client_stats() {
  return static_cast<Asker&>(*find(kAsker)->node).client().statistics();
}

}  // namespace photon::testing
