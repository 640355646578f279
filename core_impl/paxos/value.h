// What a slot of the log holds: nothing (a no-op), a command of the embedding server, or an
// admission, by which the group takes a replica's new disk in the place of its old one.
//
// A value is a byte string, so that acceptors need not know what they accept. Its first byte says
// its kind; the empty value is the no-op. A replica that passes an admission in the log learns from
// it which votes count in the slots after it (generations.h).
//
// SPEC B-16, B-18.
#pragma once

#include <optional>
#include <span>

#include "core_impl/base/bytes.h"
#include "core_impl/paxos/types.h"

namespace photon::paxos {

// From the next slot on, `replica` votes with `generation` and with no older one.
struct Admission {
  ReplicaIndex replica = 0;
  Generation generation = kFirstGeneration;

  friend bool operator==(const Admission&, const Admission&) = default;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.replica, self.generation);
  }
};

// `command` is not empty.
SharedBytes command_value(std::span<const std::byte> command);
SharedBytes admission_value(const Admission& admission);

// The command in a value; empty if it holds none.
std::span<const std::byte> command_in(const SharedBytes& value);
// The admission in a value, if it holds one. A value that only begins like one, or that names a
// replica or generation that no group has, holds none: on every replica alike. No master proposes
// such a value.
std::optional<Admission> admission_in(const SharedBytes& value);

}  // namespace photon::paxos
