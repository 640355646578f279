// Reads one life's whole output file, to find clicks in it or to prove that they are not there.
//
// The proof is about the moment of the last read: it lasts only if nothing can be appended any
// more, that is, if the file is fenced (SPEC F-06). A damaged record may be any click, so a damaged
// file proves nothing about clicks that are not found in it. Then the proof reports where the
// damage ends, for the auditor, which may know the lost records (auditor.h). An incomplete record
// at the end of the file was never durable, and does not count.
#pragma once

#include <cstdint>
#include <optional>

#include "core_impl/logs/log_reader.h"
#include "core_impl/photon/verification/verification_messages.h"
#include "core_impl/runtime/context.h"

namespace photon {

class OutputProof {
 public:
  OutputProof(VolumeId cell, const FileName& file, std::uint32_t read_chunk)
      : cell_(cell), file_(file), read_chunk_(read_chunk) {}

  enum class Progress : std::uint8_t { not_mine, reading, done };

  struct Damage {
    std::uint64_t begin = 0;  // of the last stretch of damaged bytes
    std::uint64_t end = 0;
  };

  // Searches for those of `clicks` whose presence is not `present`; both outlive the proof. Those
  // not found are then absent, or `indeterminate` if there is damage, or unknown.
  void start(Context& context) { read(context); }
  Progress on_io(Context& context, Ticket ticket, IoResult& result,
                 const PooledVector<EventId>& clicks, PooledVector<Presence>& presences);

  // Once it is done, and where the whole file could be read.
  const std::optional<Damage>& damage() const { return damage_; }

 private:
  void read(Context& context);

  VolumeId cell_;
  FileName file_;
  std::uint32_t read_chunk_;
  std::uint32_t length_ = 0;  // of the read under way
  Ticket ticket_{};
  logs::LogReader reader_{};
  std::optional<Damage> damage_{};
};

}  // namespace photon
