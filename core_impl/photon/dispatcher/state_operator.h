// The operator: lets a datacenter's dispatchers begin without their state, at the present end of
// the logs. A person uses it when the state is lost and another pipeline has covered the time.
//
// Files that exist now are known at their present length, less a record that is not complete; later
// files are read from the beginning; the retry store is empty. Clicks that verification brought
// back are read again. The operator is one more owner of each partition: it fences the partition,
// so that its present owner stops, writes the new journal and releases it (leases/README.md). The
// journal names the skipped ranges.
//
// Nothing is done twice: an operator that dies halfway does not continue; a person must check
// the rest.
//
// Paper: Photon section 3.2.2; SPEC C-32.
#pragma once

#include <cstdint>
#include <optional>

#include "core_impl/photon/intake/state_store.h"
#include "core_impl/runtime/context.h"

namespace photon {

// The ranges that an operator skipped, read or not.
struct PassedOver {
  std::uint32_t files = 0;
  std::uint64_t bytes = 0;
};

class StateOperator final : public Node {
 public:
  struct Options {
    VolumeId logs{};
    VolumeId cell{};
    std::uint32_t partitions = 1;
    LocalTime at{};  // when, by the operator's own clock
    Duration retry_delay = std::chrono::milliseconds(200);
  };
  explicit StateOperator(const Options& options) : options_(options) {}

  void on_start(Context& context) override;
  void on_message(Context& context, NodeId from, const Body& body) override;
  void on_timer(Context& context, TimerKind kind) override;
  void on_io(Context& context, Ticket ticket, IoResult& result) override;

  // Empty until every partition has its new journal.
  const std::optional<PassedOver>& outcome() const { return outcome_; }

 private:
  static constexpr TimerKind kTimer = 0;
  enum class Step : std::uint8_t { waiting, listing, measuring, looking, fencing, writing, done };
  struct File {
    FileName name{};
    std::uint64_t length = 0;  // up to the last complete record, once it is measured
  };

  void submit(Context& context);
  void advance(const IoResult& result);
  void measure(const IoResult& result);
  void read_head(const IoResult& result);
  void next_partition();
  Bytes new_journal(Context& context) const;

  Options options_;
  Step step_ = Step::waiting;
  PooledVector<File> files_;
  std::size_t file_ = 0;  // the file being measured
  std::uint32_t partition_ = 0;
  std::uint64_t epoch_ = 0;  // for that partition
  std::uint32_t round_ = 0;  // the highest one known
  std::optional<PassedOver> outcome_;
};

}  // namespace photon
