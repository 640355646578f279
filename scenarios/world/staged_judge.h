// The judge of a run: on the simulation's thread, or as a stage on a thread of its own.
//
// What it says does not depend on that: it gets the same records in the same order, and a
// reader waits until it has taken all records so far.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "analysis/judge/judge.h"
#include "scenarios/world/record_stage.h"

namespace photonsim::scenarios {

enum class JudgeStage : std::uint8_t { on_the_thread_of_the_run, on_own_thread };

class StagedJudge {
 public:
  StagedJudge(photon::analysis::JudgeConfig config, photon::analysis::TracePlaces places,
              JudgeStage where)
      : judge_(std::move(config), std::move(places)) {
    if (where == JudgeStage::on_own_thread) stage_ = std::make_unique<RecordStage>(judge_);
  }

  // Where the records of the run go.
  photon::trace::Sink& records() {
    if (stage_ != nullptr) return *stage_;
    return judge_;
  }
  // The judge after all records so far. Throws what one of its checks throws, or StageFailed.
  const photon::analysis::Judge& settled() const {
    if (stage_ != nullptr) stage_->settle();
    return judge_;
  }
  // Once, after the last record. Throws like settled().
  void finish() {
    settled();
    judge_.finish();
  }

 private:
  photon::analysis::Judge judge_;
  std::unique_ptr<RecordStage> stage_{};  // its thread ends before the judge
};

}  // namespace photonsim::scenarios
