// The auditor of one datacenter: reads the joined records in its cell as they are written, clears
// their tokens, and answers which clicks are there.
//
// Invariants:
//  * A token is cleared only after its record was read from the output, where it is durable, and
//    only if it is the very token of that record (F-12, F-13).
//  * `absent` with an owner follows from a read of that owner's whole file that was submitted after
//    the question came (output_proof.h). Each of its bytes was sound, or lies in a part of the file
//    of which every record had been read and its token cleared before the damage. The lost records
//    are not known any more, but none bore a token that the registry still stores. (A removal takes
//    effect only on the stored token, F-09, so tokens cleared meanwhile are safe as well.)
//  * Damage that was not read before is a gap for ever: it is saved with the cleared offsets.
//  * Without an owner it answers from its memory, which a crash empties and which is filled again
//    from the first byte. Before that is done, and for clicks too old for its memory, it does not
//    know whether they are absent.
//
// Memory: the clicks it has seen (output_index.h), and a row for each life of a joiner that ever
// wrote. All rows are in each save, with 24 bytes: the state of 600,000 lives fits a record.
//
// Durable state: how far each output file has been cleared, one file in the cell, replaced whole.
// It saves work, because clearing a token twice does no harm. It is also the proof for records that
// are damaged later. If it is lost, only that proof is lost.
//
// Paper: Photon section 3.3.3; SPEC F-02, F-06, F-07, F-12, F-13, F-14.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "core_impl/base/slab.h"
#include "core_impl/logs/record_source.h"
#include "core_impl/photon/joiner/joined_record.h"
#include "core_impl/photon/registry_client/registry_client.h"
#include "core_impl/photon/verification/output_index.h"
#include "core_impl/photon/verification/output_proof.h"
#include "core_impl/photon/verification/verification_messages.h"
#include "core_impl/runtime/accepts.h"
#include "core_impl/runtime/volume_retry.h"

namespace photon {

struct AuditorOptions {
  VolumeId cell{};
  RegistryClientOptions registry{};  // timers are set by the auditor
  Duration scan_period = std::chrono::seconds(1);
  Duration save_period = std::chrono::seconds(10);
  Duration memory = std::chrono::hours(24);  // older clicks are not asked about any more
  std::uint32_t max_clears = 1000;           // under way
  std::uint32_t read_chunk = 64U << 10U;
  std::uint32_t max_concurrent_reads = 16;
};

struct AuditorStatistics {
  std::uint64_t seen = 0;     // joined records read, counted again after a restart
  std::uint64_t cleared = 0;  // tokens
  std::uint64_t queries = 0;
  std::uint64_t proofs = 0;  // files read whole
};

class Auditor final : public Node {
 public:
  using Inbox = Accepts<RegistryReply, ShardingReply, OutputQuery>;
  enum Timer : TimerKind { kScan = 0, kRegistry = 1, kSharding = 2, kSave = 3 };

  explicit Auditor(AuditorOptions options);

  void on_start(Context& context) override;
  void on_message(Context& context, NodeId from, const Body& body) override {
    Inbox::dispatch(*this, context, from, body);
  }
  void on_timer(Context& context, TimerKind kind) override;
  void on_io(Context& context, Ticket ticket, IoResult& result) override;

  void on(Context& context, NodeId from, const RegistryReply& reply);
  void on(Context& context, NodeId from, const ShardingReply& reply);
  void on(Context& context, NodeId from, const OutputQuery& query);

  const AuditorStatistics& statistics() const { return statistics_; }
  const OutputIndex& index() const { return index_; }

  // How far an output file has been cleared.
  struct Cleared {
    static constexpr std::uint64_t kNoGap = ~std::uint64_t{0};
    std::uint64_t offset = 0;
    std::uint64_t gap = kNoGap;  // from here on records were lost before they were read

    template <class Self, class Visitor>
    static void each_field(Self& self, Visitor&& visit) {
      visit(self.offset, self.gap);
    }
  };
  // One row of the durable state.
  struct Row {
    OutputOwner owner{};
    Cleared cleared{};

    template <class Self, class Visitor>
    static void each_field(Self& self, Visitor&& visit) {
      visit(self.owner, self.cleared);
    }
  };

 private:
  struct Search {
    NodeId from = kNoNode;
    OutputQuery query{};
    OutputReply reply{};
    OutputProof proof;
  };
  using Place = logs::RecordSource::Place;

  void pump(Context& context);
  void take(const logs::RecordSource::Taken& taken);
  void note_gap(const OutputOwner& owner, std::uint64_t begin, std::uint64_t end);
  Presence testify(const OutputOwner& owner, const OutputProof::Damage& damage) const;
  void search(Context& context, NodeId from, const OutputQuery& query, OutputReply reply);
  void load(Context& context);
  void on_state(Context& context, const IoResult& result);
  void save(Context& context);
  void on_saved(const IoResult& result);

  AuditorOptions options_;
  RegistryClient registry_;
  VolumeRetry load_;  // of the state, with the timer kSave
  logs::RecordSource output_;
  OutputIndex index_;
  bool complete_ = false;                   // has read everything that existed when this life began
  std::map<OutputOwner, Cleared> cleared_;  // as durable or about to be
  Slab<Place> clearing_;
  PooledVector<Search> searches_;
  std::optional<Ticket> saving_;
  bool loaded_ = false;
  bool unsaved_ = false;
  AuditorStatistics statistics_;
};

}  // namespace photon
