// A stage of a run on a thread of its own: takes records from the run's thread and hands them to
// another sink there, in their order.
//
// Records wait in a ring of bounded size; when it is full the run waits. The sink belongs to the
// stage's thread until the stage is settled. What the sink throws ends the stage: the run learns of
// it as StageFailed, some records later.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <thread>

#include "core_impl/trace/record.h"

namespace photonsim::scenarios {

// The sink of a stage has thrown. Which event it was about is not known on the run's thread.
class StageFailed final : public std::exception {
 public:
  const char* what() const noexcept override { return "a stage of the run failed"; }
};

class RecordStage final : public photon::trace::Sink {
 public:
  static constexpr std::size_t kRecords = 256;  // of a block: what crosses at a time
  static constexpr std::size_t kBlocks = 64;    // 1.8 MB in all

  // `sink` outlives this object. Its failed checks throw, whatever the run's own do.
  explicit RecordStage(photon::trace::Sink& sink);
  // Ends the thread after the blocks that are full: settle() first if the rest counts.
  ~RecordStage() override;

  // Throws StageFailed.
  void record(const photon::trace::Record& record) override {
    Block& block = blocks_[begun_ % kBlocks];
    block.records[block.count++] = record;
    if (block.count == kRecords) publish();
  }
  // Returns when the sink has taken all records so far. Throws StageFailed.
  void settle();

 private:
  static constexpr std::uint64_t kEnd = std::uint64_t{1} << 63U;
  static constexpr std::size_t kLine = 64;  // bytes of a line of the processor's cache

  struct Block {
    std::size_t count = 0;
    std::array<photon::trace::Record, kRecords> records;
  };

  void publish();
  void await(std::uint64_t blocks);
  void work() noexcept;

  photon::trace::Sink& sink_;
  std::unique_ptr<std::array<Block, kBlocks>> ring_ =
      std::make_unique<std::array<Block, kBlocks>>();
  std::array<Block, kBlocks>& blocks_ = *ring_;
  std::uint64_t begun_ = 0;                              // number of the block that is being filled
  alignas(kLine) std::atomic<std::uint64_t> filled_{0};  // blocks; with kEnd: no more will come
  alignas(kLine) std::atomic<std::uint64_t> handed_on_{0};  // blocks
  std::atomic<bool> failed_{false};
  std::thread thread_;  // the last member: it uses the others
};

}  // namespace photonsim::scenarios
