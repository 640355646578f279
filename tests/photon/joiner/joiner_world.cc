#include "tests/photon/joiner/joiner_world.h"

#include <algorithm>
#include <string>

#include "core_impl/base/record_codec.h"
#include "core_impl/photon/cell_log/cell_files.h"

namespace photon::testing {
namespace {

template <class Record>
std::vector<Record> records_of(const HarnessVolume& volume, std::string_view prefix) {
  std::vector<Record> all;
  for (const Bytes& content : volume.contents(prefix)) {
    for_each_record(content, [&](std::span<const std::byte> body) {
      Record record;
      if (!decode_record(body, record)) return false;
      all.push_back(std::move(record));
      return true;
    });
  }
  return all;
}

}  // namespace

JoinerWorld::JoinerWorld(std::uint64_t seed) : harness(kSelf, seed) {
  config.incarnations = kIncarnations;
  config.cell = kCell;
  config.registry.replicas = {{kRegistry}};
  config.event_store.log_store = kLogStore;
  for (std::uint32_t i = 0; i < 2000; ++i) {
    queries[query_id(i)] = bytes_of("query " + std::to_string(i));
  }
  harness.world = [this](NodeId to, const Body& body) { serve(to, body); };
}

void JoinerWorld::start() {
  harness.start([this] {
    auto node = std::make_unique<Joiner>(config, *adapter);
    joiner = node.get();
    return node;
  });
}

void JoinerWorld::restart(const Harness::Survival& survival) {
  harness.crash(survival);
  start();
}

std::uint64_t JoinerWorld::ask(std::uint32_t number, std::uint32_t attempts) {
  JoinRequest request{++last_request_, click_id(number), query_id(number), attempts,
                      bytes_of("click " + std::to_string(number))};
  harness.deliver(kDispatcher, Body::make(std::move(request)));
  return last_request_;
}

void JoinerWorld::ask_again(std::uint64_t request, std::uint32_t number) {
  harness.deliver(kDispatcher,
                  Body::make(JoinRequest{request, click_id(number), query_id(number), 0,
                                         bytes_of("click " + std::to_string(number))}));
}

void JoinerWorld::measure() {
  if (!harness.alive()) return;
  most_window = std::max(most_window, joiner->window());
  most_inserts = std::max(most_inserts, joiner->registry().outstanding_inserts());
  most_in_flight = std::max(most_in_flight, joiner->in_flight());
}

void JoinerWorld::serve(NodeId to, const Body& body) {
  measure();
  if (body.type() == IncarnationRequest::kType && grants) {
    const auto& ask = body.as<IncarnationRequest>();
    if (ask.request != granted_request_) ++granted_;
    granted_request_ = ask.request;
    for (const std::string_view prefix : {kOutputPrefix, kUnjoinablePrefix}) {
      VolumeRequest fence;
      fence.operation = VolumeOperation::fence;
      fence.file = directory_of(prefix, kSelf);
      fence.epoch = granted_;
      static_cast<void>(harness.volumes[kCell.value()].execute(fence));
    }
    harness.deliver(to, Body::make(IncarnationGrant{ask.address, ask.request, granted_}));
  } else if (body.type() == RegistryRequest::kType) {
    serve_registry(to, body.as<RegistryRequest>());
  } else if (body.type() == QueryRequest::kType) {
    serve_query(to, body.as<QueryRequest>());
  } else if (body.type() == JoinReply::kType) {
    replies.push_back(body.as<JoinReply>());
  } else if (body.type() == AttemptOver::kType) {
    over.push_back(body.as<AttemptOver>());
  }
}

void JoinerWorld::serve_registry(NodeId to, const RegistryRequest& request) {
  if (!registry_receives) return;
  const RegistryReply reply = registry.serve(request);
  const int copies = reply_copies ? reply_copies(request) : 1;
  for (int i = 0; i < copies; ++i) {
    harness.deliver(to, Body::make(reply), std::chrono::milliseconds(1 + 7 * i));
  }
}

void JoinerWorld::serve_query(NodeId to, const QueryRequest& request) {
  const auto found = queries.find(request.query);
  QueryReply reply{request.request, request.query, request.tier, missing_status, EventId{}, {}};
  if (failing.contains(request.query)) {
    reply.status = QueryStatus::error;
  } else if (found != queries.end()) {
    reply.status = QueryStatus::found;
    reply.returned = request.query;
    reply.payload = found->second;
  }
  harness.deliver(to, Body::make(std::move(reply)), query_delay);
}

std::vector<JoinOutcome> JoinerWorld::answers_of(std::uint64_t request) const {
  std::vector<JoinOutcome> answers;
  for (const JoinReply& reply : replies) {
    if (reply.request == request) answers.push_back(reply.outcome);
  }
  return answers;
}

std::vector<JoinedRecord> JoinerWorld::output() const {
  const auto volume = harness.volumes.find(kCell.value());
  if (volume == harness.volumes.end()) return {};
  return records_of<JoinedRecord>(volume->second, kOutputPrefix);
}

std::vector<UnjoinableRecord> JoinerWorld::unjoinable() const {
  const auto volume = harness.volumes.find(kCell.value());
  if (volume == harness.volumes.end()) return {};
  return records_of<UnjoinableRecord>(volume->second, kUnjoinablePrefix);
}

std::size_t JoinerWorld::outputs_of(std::uint32_t number) const {
  const auto records = output();
  return static_cast<std::size_t>(std::ranges::count_if(
      records, [&](const JoinedRecord& record) { return record.click == click_id(number); }));
}

}  // namespace photon::testing
