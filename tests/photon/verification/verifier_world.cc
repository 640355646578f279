#include "tests/photon/verification/verifier_world.h"

#include <algorithm>

#include "core_impl/base/record_codec.h"
#include "core_impl/photon/cell_log/cell_files.h"
#include "core_impl/runtime/file_name.h"

namespace photon::testing {
VerifierWorld::VerifierWorld(std::uint64_t seed) : harness(kSelf, seed) {
  config.incarnations = kIncarnations;
  config.logs = kLogs;
  config.cell = kCell;
  config.auditors = {kEast, kWest};
  config.registrars = {{kOwner.address, kIncarnations}};
  config.registry.replicas = {{kRegistry}};
  config.recheck = Backoff{std::chrono::seconds(10), 2000, std::chrono::minutes(1), 0};
  harness.world = [this](NodeId to, const Body& body) { serve(to, body); };
  harness.io_fate = [this](const VolumeRequest& request) {
    watch(request);
    return IoFate::done;
  };
}

void VerifierWorld::start() {
  harness.start([this] {
    auto node = std::make_unique<Verifier>(config);
    verifier = node.get();
    return node;
  });
}

void VerifierWorld::restart(const Harness::Survival& survival) {
  harness.crash(survival);
  start();
}

EventId VerifierWorld::write_click(std::uint32_t number, Duration age, std::uint16_t server) {
  const EventId click = click_id(number, -age);
  const logs::LogFile file{logs::LogType::foreign, server, 0};
  harness.volumes[kLogs.value()].add(view_of(file.name()),
                                     framed_click(click, query_id(number), "click"));
  return click;
}

EventId VerifierWorld::write_lost(std::uint32_t number, const Token& owner) {
  const EventId click = write_click(number);
  registry.ids[click] = owner;
  return click;
}

std::vector<EventId> VerifierWorld::brought_back() const {
  std::vector<EventId> clicks;
  const auto cell = harness.volumes.find(kCell.value());
  if (cell == harness.volumes.end()) return clicks;
  for (const Bytes& content : cell->second.contents(logs::kReinjectedPrefix)) {
    for_each_record(content, [&](std::span<const std::byte> body) {
      logs::ReinjectedEvent event;
      if (!decode_record(body, event)) return false;
      clicks.push_back(event.event.id);
      return true;
    });
  }
  return clicks;
}

// Called when a request is completed, just before it takes effect.
void VerifierWorld::watch(const VolumeRequest& request) {
  if (request.operation != VolumeOperation::append) return;
  if (view_of(request.file).starts_with(logs::kReinjectedPrefix)) {
    steps.push_back(Step::returned);
  } else if (!read_journal(request.data).intents.empty()) {
    steps.push_back(Step::intent);
  }
}

void VerifierWorld::serve(NodeId to, const Body& body) {
  if (body.type() == IncarnationRequest::kType) {
    const auto& ask = body.as<IncarnationRequest>();
    if (ask.request != granted_request_) ++granted_;
    granted_request_ = ask.request;
    harness.deliver(to, Body::make(IncarnationGrant{ask.address, ask.request, granted_}));
  } else if (body.type() == IncarnationQuery::kType) {
    if (!dead_until.has_value()) return;
    const auto& ask = body.as<IncarnationQuery>();
    const bool dead = ask.incarnation <= *dead_until;
    harness.deliver(to, Body::make(IncarnationAnswer{
                            ask.address, ask.incarnation,
                            dead ? Liveness::dead_and_fenced : Liveness::maybe_alive}));
  } else if (body.type() == OutputQuery::kType) {
    serve_query(to, body.as<OutputQuery>());
  } else if (body.type() == AttemptQuery::kType) {
    const auto said = word_of_owner ? word_of_owner(body.as<AttemptQuery>()) : std::nullopt;
    if (said.has_value()) harness.deliver(to, Body::make(*said));
  } else if (body.type() == RegistryRequest::kType) {
    serve_registry(to, body.as<RegistryRequest>());
  }
}

void VerifierWorld::serve_query(NodeId to, const OutputQuery& query) {
  if (query.owner.incarnation != 0) ++proofs_asked;
  OutputReply reply;
  reply.request = query.request;
  for (std::size_t i = 0; i < query.clicks.size(); ++i) {
    const auto said = testimony(to, query.owner);
    if (!said.has_value()) return;
    reply.presences.push_back(*said);
  }
  harness.deliver(to, Body::make(std::move(reply)));
}

void VerifierWorld::serve_registry(NodeId to, const RegistryRequest& request) {
  if (!registry_answers) return;
  const std::size_t before = registry.removed.size();
  RegistryReply reply = registry.serve(request);
  for (std::size_t i = before; i < registry.removed.size(); ++i) steps.push_back(Step::removal);
  const bool removal = std::ranges::any_of(request.items, [](const RegistryItem& item) {
    return item.operation == RegistryOperation::remove;
  });
  if (!removal || removals_answered) harness.deliver(to, Body::make(std::move(reply)));
}

}  // namespace photon::testing
