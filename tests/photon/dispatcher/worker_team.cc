#include "tests/photon/dispatcher/worker_team.h"

#include <algorithm>

#include "core_impl/photon/cell_log/cell_files.h"
#include "core_impl/runtime/file_name.h"

namespace photon::testing {
WorkerTeam::WorkerTeam(std::uint32_t workers, std::uint32_t partitions, std::uint64_t seed) {
  config.logs = kLogs;
  config.cell = kCell;
  config.partitions = partitions;
  config.joiners = {kJoiner};
  config.registry.replicas = {{kRegistry}};
  for (std::uint32_t i = 0; i < workers; ++i) {
    const NodeId self(10 + i);
    config.workers.push_back(self);
    auto& member = members_.emplace_back();
    member.harness = std::make_unique<Harness>(self, seed, volumes_);
    Harness* const harness = member.harness.get();
    harness->world = [this, harness](NodeId to, const Body& body) { serve(*harness, to, body); };
  }
}

void WorkerTeam::start(std::uint32_t worker) {
  Member& member = members_[worker];
  member.harness->wake_at(now_);
  member.harness->start([this, &member] {
    auto node = std::make_unique<DispatcherWorker>(config);
    member.worker = node.get();
    return node;
  });
}

void WorkerTeam::crash(std::uint32_t worker) {
  members_[worker].harness->crash([](const VolumeRequest&) { return 0; });
  members_[worker].worker = nullptr;
  members_[worker].paused = false;
}

void WorkerTeam::resume(std::uint32_t worker) {
  members_[worker].paused = false;
  members_[worker].harness->wake_at(now_);
}

bool WorkerTeam::step(std::int64_t until) {
  Member* next = nullptr;
  std::int64_t at = until;
  for (Member& member : members_) {
    const auto due = member.harness->next_at();
    if (member.paused || !due || *due >= at) continue;
    next = &member;
    at = *due;
  }
  now_ = std::max(now_, at);
  return next != nullptr && next->harness->step();
}

void WorkerTeam::run_for(Duration span) {
  const std::int64_t until = now_ + span.count();
  while (step(until)) {
  }
  now_ = until;
}

EventId WorkerTeam::write_click(std::uint16_t server) {
  const auto number = static_cast<std::uint32_t>(written_.size()) + 1;
  const EventId click = click_id(number);
  const logs::LogFile file{logs::LogType::foreign, server, 0};
  const Bytes record = framed_click(click, query_id(number), "click");
  (*volumes_)[kLogs.value()].add(view_of(file.name()), record);
  lengths_[server] += record.size();
  written_.push_back({server % config.partitions, file.number(), lengths_[server], click});
  return click;
}

JournalState WorkerTeam::journal(std::uint32_t partition) const {
  return read_journal(
      (*volumes_)[kCell.value()].content(view_of(partition_journal(kDispatcherPrefix, partition))));
}

std::optional<EventId> WorkerTeam::unprotected_click() const {
  for (std::uint32_t partition = 0; partition < config.partitions; ++partition) {
    const JournalState state = journal(partition);
    std::map<std::uint32_t, std::uint64_t> offsets;
    for (const OffsetRecord& record : state.offsets) offsets[record.file] = record.offset;
    std::set<EventId> saved;
    for (const SavedRecord& record : state.saved) saved.insert(record.click);
    for (const Written& written : written_) {
      if (written.partition != partition) continue;
      const bool passed = offsets.contains(written.file) && offsets[written.file] >= written.end;
      if (passed && !finished.contains(written.click) && !saved.contains(written.click)) {
        return written.click;
      }
    }
  }
  return std::nullopt;
}

std::uint64_t WorkerTeam::offset(std::uint16_t server) const {
  const logs::LogFile file{logs::LogType::foreign, server, 0};
  for (const OffsetRecord& record : journal(server % config.partitions).offsets) {
    if (record.file == file.number()) return record.offset;
  }
  return 0;
}

std::vector<std::uint32_t> WorkerTeam::shares() const {
  std::vector<std::uint32_t> shares;
  for (const Member& member : members_) {
    if (member.worker == nullptr) continue;
    shares.push_back(member.worker->partitions_open(member.harness->now()));
  }
  return shares;
}

void WorkerTeam::serve(Harness& asker, NodeId to, const Body& body) {
  if (body.type() == RegistryRequest::kType) {
    asker.deliver(to, Body::make(registry_.serve(body.as<RegistryRequest>())));
  }
  if (body.type() != JoinRequest::kType) return;
  const auto& request = body.as<JoinRequest>();
  ++joins[request.click];
  asked.push_back({asker.self(), request.request, request.click});
  JoinOutcome outcome = JoinOutcome::joined;
  if (joiner) {
    const auto scripted = joiner(request.click);
    if (!scripted) return;
    outcome = *scripted;
  }
  if (outcome == JoinOutcome::joined) {
    const bool first = registry_.ids.emplace(request.click, Token{to.value(), 1, 1}).second;
    if (!first) outcome = JoinOutcome::already_exists;
  }
  if (trace::is_success(outcome)) finished.insert(request.click);
  asker.deliver(to, Body::make(JoinReply{request.request, request.click, outcome}),
                std::chrono::milliseconds(20));
}

}  // namespace photon::testing
