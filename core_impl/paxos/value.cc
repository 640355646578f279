#include "core_impl/paxos/value.h"

#include "core_impl/base/check.h"
#include "core_impl/base/codec.h"

namespace photon::paxos {
namespace {

enum class ValueKind : std::uint8_t { command = 1, admission = 2 };

bool is_of(const SharedBytes& value, ValueKind kind) {
  return !value.empty() && value.view().front() == static_cast<std::byte>(kind);
}

}  // namespace

SharedBytes command_value(std::span<const std::byte> command) {
  PHOTON_CHECK(!command.empty(), "the empty command is the no-op");
  Bytes bytes;
  bytes.reserve(command.size() + 1);
  Encoder encode(bytes);
  encode(ValueKind::command);
  encode.raw(command);
  return SharedBytes(bytes);
}

SharedBytes admission_value(const Admission& admission) {
  Bytes bytes;
  Encoder encode(bytes);
  encode(ValueKind::admission, admission);
  return SharedBytes(bytes);
}

std::span<const std::byte> command_in(const SharedBytes& value) {
  return is_of(value, ValueKind::command) ? value.view().subspan(1) : std::span<const std::byte>();
}

std::optional<Admission> admission_in(const SharedBytes& value) {
  if (!is_of(value, ValueKind::admission)) return std::nullopt;
  Admission admission;
  Decoder decode(value.view().subspan(1));
  decode(admission);
  if (!decode.ok() || decode.remaining() != 0) return std::nullopt;
  const bool possible = admission.replica < kMaxReplicas &&
                        admission.generation >= kFirstGeneration &&
                        admission.generation <= kMaxGeneration;
  if (!possible) return std::nullopt;
  return admission;
}

}  // namespace photon::paxos
