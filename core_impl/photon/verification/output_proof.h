// Reads one life's whole output file, to find clicks in it or to prove that they are not there.
//
// What is proven is about the moment of the last read: it lasts only if nobody can append any more,
// which is to say if the file is fenced (SPEC F-06). A damaged record may be any click, so a file
// with damage proves nothing about clicks that are not found in it; an incomplete record at its end
// was never durable, and is none.
#pragma once

#include <cstdint>

#include "core_impl/logs/log_reader.h"
#include "core_impl/photon/verification/verification_messages.h"
#include "core_impl/runtime/context.h"

namespace photon {

class OutputProof {
 public:
  OutputProof(VolumeId cell, const FileName& file, std::uint32_t read_chunk)
      : cell_(cell), file_(file), read_chunk_(read_chunk) {}

  enum class Progress : std::uint8_t { not_mine, reading, done };

  // Looks for those of `clicks` whose presence is not `present`; both outlive the proof.
  void start(Context& context) { read(context); }
  Progress on_io(Context& context, Ticket ticket, IoResult& result,
                 const PooledVector<EventId>& clicks, PooledVector<Presence>& presences);

 private:
  void read(Context& context);

  VolumeId cell_;
  FileName file_;
  std::uint32_t read_chunk_;
  std::uint32_t length_ = 0;  // of the read under way
  Ticket ticket_{};
  logs::LogReader reader_{};
};

}  // namespace photon
