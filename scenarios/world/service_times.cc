#include "scenarios/world/service_times.h"

#include <string_view>

#include "core_impl/paxos/messages.h"
#include "core_impl/paxos/snapshot_file.h"
#include "core_impl/paxos/value.h"
#include "core_impl/photon/pipeline_messages.h"
#include "core_impl/photon/registry/transaction.h"
#include "core_impl/photon/registry_messages.h"
#include "scenarios/deployment/deployment.h"

namespace photonsim::scenarios {
namespace {

using photon::Body;
using photon::IoResult;
using photon::VolumeOperation;
using photon::VolumeRequest;
using photon::sim::ServiceTimes;

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20U;
// SPEC gives no figure for these, and no scenario sets them.
constexpr Duration kMapEntry = std::chrono::microseconds(1);
constexpr Duration kInputByte = std::chrono::nanoseconds(5);  // of log records read or cached

std::uint64_t one(const Body&) { return 1; }

template <class M>
std::uint64_t list_items(const Body& body) {
  const M& message = body.as<M>();
  if constexpr (requires { message.items; }) return message.items.size();
  if constexpr (requires { message.results; }) return message.results.size();
  if constexpr (requires { message.members; }) return message.members.size();
  if constexpr (requires { message.entries; }) return message.entries.size();
  if constexpr (requires { message.batch; }) return message.batch.bytes();
}

// The operations that a follower will apply. Other messages of PaxosDB cost no time.
std::uint64_t accepted_operations(const Body& body) {
  const auto& payload = body.as<photon::paxos::Envelope>().payload;
  const auto* accept = std::get_if<photon::paxos::Accept>(&payload);
  if (accept == nullptr) return 0;
  std::uint64_t operations = 0;
  for (const photon::SharedBytes& value : accept->values) {
    const auto command = photon::paxos::command_in(value);
    if (command.empty()) continue;
    operations += photon::TransactionReader(command).header().operations;
  }
  return operations;
}

bool is_snapshot(const VolumeRequest& request) {
  return photon::paxos::is_snapshot_name({request.file.data(), request.file.size()});
}
std::uint64_t snapshot_bytes_written(const VolumeRequest& request, const IoResult&) {
  return is_snapshot(request) ? request.data.size() : 0;
}
std::uint64_t snapshot_bytes_read(const VolumeRequest& request, const IoResult& result) {
  return is_snapshot(request) ? result.data.size() : 0;
}
std::uint64_t bytes_read(const VolumeRequest&, const IoResult& result) {
  return result.bytes_read();
}

std::uint32_t number_of(Role role) { return static_cast<std::uint32_t>(role); }

void add_registry(const Service& service, ServiceTimes& times) {
  const std::uint32_t role = number_of(Role::kRegistry);
  const Duration operation = service.registry_operation;
  times.add(ServiceTimes::Message{role, photon::RegistryRequest::kType, operation,
                                  list_items<photon::RegistryRequest>});
  times.add(
      ServiceTimes::Message{role, photon::paxos::Envelope::kType, operation, accepted_operations});
  const Duration snapshot = service.registry_snapshot;
  times.add(ServiceTimes::Answer{role, VolumeOperation::replace, snapshot, snapshot_bytes_written,
                                 kMebibyte});
  times.add(
      ServiceTimes::Answer{role, VolumeOperation::read, snapshot, snapshot_bytes_read, kMebibyte});
}

void add_event_store(const Service& service, ServiceTimes& times) {
  const std::uint32_t cache = number_of(Role::kCache);
  times.add(ServiceTimes::Message{cache, photon::QueryRequest::kType, service.cache_lookup, one});
  times.add(ServiceTimes::Message{cache, photon::CacheFill::kType, kInputByte,
                                  list_items<photon::CacheFill>});
  const std::uint32_t store = number_of(Role::kLogStore);
  times.add(ServiceTimes::Message{store, photon::QueryRequest::kType, service.log_lookup, one});
  times.add(
      ServiceTimes::Message{store, photon::MapPut::kType, kMapEntry, list_items<photon::MapPut>});
  times.add(ServiceTimes::Answer{number_of(Role::kReader), VolumeOperation::read, kInputByte,
                                 bytes_read});
}

// A dispatcher's step is its work for one click: when its look-up is answered, or, without
// look-ups, when its joiner answers.
void add_dispatcher(const Config& config, ServiceTimes& times) {
  const std::uint32_t role = number_of(Role::kDispatcher);
  const Duration step = config.service.dispatcher_step;
  if (config.dispatcher.pre_lookup) {
    times.add(ServiceTimes::Message{role, photon::RegistryReply::kType, step,
                                    list_items<photon::RegistryReply>});
  } else {
    times.add(ServiceTimes::Message{role, photon::JoinReply::kType, step, one});
  }
}

}  // namespace

ServiceTimes service_times(const Config& config) {
  ServiceTimes times;
  add_registry(config.service, times);
  add_event_store(config.service, times);
  add_dispatcher(config, times);
  const std::uint32_t joiner = number_of(Role::kJoiner);
  const Duration step = config.service.joiner_step;
  times.add(ServiceTimes::Message{joiner, photon::JoinRequest::kType, step, one});
  times.add(ServiceTimes::Message{joiner, photon::JoinGroupRequest::kType, step,
                                  list_items<photon::JoinGroupRequest>});
  return times;
}

}  // namespace photonsim::scenarios
