#include "core_impl/paxos/messages.h"

#include <type_traits>
#include <utility>

#include "core_impl/base/narrow.h"

namespace photon::paxos {

void Prepare::facts(trace::FactSink& sink) const {
  sink.fact(trace::PaxosPrepare{ballot.value(), from_slot, released.value(), group});
}

void Promise::facts(trace::FactSink& sink) const {
  sink.fact(trace::PaxosPromise{ballot.value(), from_slot, accepted.size(), group});
  for (const Reported& entry : accepted) {
    sink.fact(trace::PaxosReported{ballot.value(), entry.ballot.value(), entry.slot,
                                   entry.value.hash(), group});
  }
}

void Accept::facts(trace::FactSink& sink) const {
  Slot slot = first_slot;
  for (const SharedBytes& value : values) {
    sink.fact(trace::PaxosAccept{ballot.value(), slot++, value.hash(), group});
  }
}

void Accepted::facts(trace::FactSink& sink) const {
  if (value_hashes.empty()) {
    sink.fact(trace::PaxosGranted{ballot.value(), nanoseconds_of(sent_at), group});
  }
  Slot slot = first_slot;
  for (const std::uint64_t value_hash : value_hashes) {
    sink.fact(trace::PaxosAccepted{ballot.value(), slot++, value_hash, group});
  }
}

void Heartbeat::facts(trace::FactSink& sink) const {
  sink.fact(trace::PaxosHeartbeat{ballot.value(), nanoseconds_of(sent_at), group});
}

void HeartbeatAck::facts(trace::FactSink& sink) const {
  sink.fact(trace::PaxosGranted{ballot.value(), nanoseconds_of(sent_at), group});
}

void Envelope::facts(trace::FactSink& sink) const {
  std::visit(
      [&](const auto& typed) {
        if constexpr (requires { typed.facts(sink); }) typed.facts(sink);
      },
      payload);
}

bool Envelope::is_reply() const {
  return std::visit(
      [](const auto& typed) {
        return requires { std::decay_t<decltype(typed)>::kIsReply; };
      },
      payload);
}

Body envelope(Message message) {
  return std::visit([](auto& typed) { return Body::make(Envelope{std::move(typed)}); }, message);
}

void encode_message(const Message& message, Encoder& encoder) {
  encoder(narrow<std::uint8_t>(message.index()));
  std::visit([&](const auto& typed) { typed.each_field(typed, encoder); }, message);
}

}  // namespace photon::paxos
