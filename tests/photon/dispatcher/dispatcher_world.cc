#include "tests/photon/dispatcher/dispatcher_world.h"

#include <algorithm>

#include "core_impl/photon/cell_log/cell_files.h"
#include "core_impl/runtime/file_name.h"

namespace photon::testing {
DispatcherWorld::DispatcherWorld(std::uint64_t seed, std::uint32_t joiners) : harness(kSelf, seed) {
  config.workers = {kSelf};
  config.logs = kLogs;
  config.cell = kCell;
  for (std::uint32_t i = 0; i < joiners; ++i) config.joiners.push_back(NodeId(20 + i));
  config.registry.replicas = {{kRegistry}};
  harness.world = [this](NodeId to, const Body& body) { serve(to, body); };
}

void DispatcherWorld::start() {
  harness.start([this] {
    auto node = std::make_unique<DispatcherWorker>(config);
    worker = node.get();
    return node;
  });
}

void DispatcherWorld::restart(const Harness::Survival& survival) {
  harness.crash(survival);
  start();
}

void DispatcherWorld::write_click(std::uint16_t server, std::uint16_t sequence,
                                  const EventId& click, const EventId& query,
                                  std::string_view payload) {
  const logs::LogFile file{logs::LogType::foreign, server, sequence};
  const Bytes record = framed_click(click, query, payload);
  harness.volumes[kLogs.value()].add(view_of(file.name()), record);
  auto& length = lengths_[file.number()];
  length += record.size();
  written_.push_back(Written{file.number(), length, click});
}

void DispatcherWorld::serve(NodeId to, const Body& body) {
  if (body.type() == RegistryRequest::kType) {
    if (worker != nullptr && harness.alive()) {
      most_lookups = std::max(most_lookups, worker->registry().outstanding_lookups());
    }
    if (registry_answers) {
      harness.deliver(to, Body::make(registry.serve(body.as<RegistryRequest>())));
    }
  } else if (body.type() == JoinRequest::kType) {
    serve_join(to, body.as<JoinRequest>());
  } else if (body.type() == JoinGroupRequest::kType) {
    for (const JoinRequest& each : body.as<JoinGroupRequest>().members) serve_join(to, each);
  }
}

void DispatcherWorld::serve_join(NodeId to, const JoinRequest& request) {
  sent.push_back(Sent{nanoseconds_of(harness.now()), to, request.request, request.click,
                      request.attempts, request.payload});
  if (harness.alive()) most_sends = std::max(most_sends, worker->outstanding_sends());
  JoinOutcome outcome = JoinOutcome::joined;
  if (joiner) {
    const auto scripted = joiner(sent.back());
    if (!scripted.has_value()) return;
    outcome = *scripted;
  }
  if (outcome == JoinOutcome::joined) {
    const bool first = registry.ids.emplace(request.click, Token{to.value(), 1, 1}).second;
    if (!first) outcome = JoinOutcome::already_exists;
  }
  if (trace::is_success(outcome)) finished.insert(request.click);
  harness.deliver(to, Body::make(JoinReply{request.request, request.click, outcome}), join_delay);
}

JournalState DispatcherWorld::journal() const {
  const auto volume = harness.volumes.find(kCell.value());
  if (volume == harness.volumes.end()) return {};
  return read_journal(volume->second.content(view_of(partition_journal(kDispatcherPrefix, 0))));
}

std::optional<EventId> DispatcherWorld::unprotected_click() const {
  const JournalState state = journal();
  std::map<std::uint32_t, std::uint64_t> offsets;
  for (const OffsetRecord& record : state.offsets) offsets[record.file] = record.offset;
  std::set<EventId> saved;
  for (const SavedRecord& record : state.saved) saved.insert(record.click);
  for (const Written& written : written_) {
    const bool passed = offsets.contains(written.file) && offsets[written.file] >= written.end;
    const bool safe = finished.contains(written.click) || saved.contains(written.click) ||
                      written.click.stamp < registry.boundary;
    if (passed && !safe) return written.click;
  }
  return std::nullopt;
}

std::map<EventId, std::vector<trace::ClickDone>> DispatcherWorld::done() const {
  std::map<EventId, std::vector<trace::ClickDone>> all;
  for (const auto& decision : harness.decided<trace::ClickDone>()) {
    all[decision.click].push_back(decision);
  }
  return all;
}

std::vector<DispatcherWorld::Sent> DispatcherWorld::sends_of(const EventId& click) const {
  std::vector<Sent> some;
  std::ranges::copy_if(sent, std::back_inserter(some),
                       [&](const Sent& one) { return one.click == click; });
  return some;
}

}  // namespace photon::testing
