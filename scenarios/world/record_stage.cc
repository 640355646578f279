#include "scenarios/world/record_stage.h"

#include "core_impl/base/check.h"

namespace photonsim::scenarios {
namespace {

// A check that fails on a stage's thread ends the stage. The run is repeated on one core, where the
// check fails again and its place and event are reported (runner.cc).
class StageCheckSink final : public photon::CheckSink {
 public:
  [[noreturn]] void check_failed(const photon::CheckSite&, std::string_view) override {
    throw StageFailed();
  }
};

}  // namespace

RecordStage::RecordStage(photon::trace::Sink& sink) : sink_(sink), thread_([this] { work(); }) {}

RecordStage::~RecordStage() {
  filled_.fetch_or(kEnd, std::memory_order_release);
  filled_.notify_one();
  thread_.join();
}

void RecordStage::settle() {
  if (blocks_[begun_ % kBlocks].count > 0) publish();
  await(begun_);
  if (failed_.load(std::memory_order_acquire)) throw StageFailed();
}

// The next block is free afterwards.
void RecordStage::publish() {
  filled_.store(++begun_, std::memory_order_release);
  filled_.notify_one();
  if (begun_ >= kBlocks) await(begun_ - kBlocks + 1);
  blocks_[begun_ % kBlocks].count = 0;
  if (failed_.load(std::memory_order_acquire)) throw StageFailed();
}

void RecordStage::await(std::uint64_t blocks) {
  std::uint64_t done = handed_on_.load(std::memory_order_acquire);
  while (done < blocks) {
    handed_on_.wait(done, std::memory_order_acquire);
    done = handed_on_.load(std::memory_order_acquire);
  }
}

// After a failure blocks are taken and dropped, so that the run never waits for this thread.
void RecordStage::work() noexcept {
  StageCheckSink checks;
  const photon::ScopedCheckSink scope(checks);
  bool failed = false;
  for (std::uint64_t done = 0;;) {
    const std::uint64_t filled = filled_.load(std::memory_order_acquire);
    if (filled == done) {
      filled_.wait(filled, std::memory_order_acquire);
      continue;
    }
    if ((filled & ~kEnd) == done) return;
    const Block& block = blocks_[done % kBlocks];
    if (!failed) {
      try {
        for (std::size_t i = 0; i < block.count; ++i) sink_.record(block.records[i]);
      } catch (...) {
        failed = true;
        failed_.store(true, std::memory_order_release);
      }
    }
    handed_on_.store(++done, std::memory_order_release);
    handed_on_.notify_one();
  }
}

}  // namespace photonsim::scenarios
