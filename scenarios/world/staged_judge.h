// The judge of a run, on the run's thread or as a stage on a core of its own.
//
// What it says does not depend on that: it gets the same records in the same order, and whoever
// reads it waits until it has taken all records so far.
#pragma once

#include <memory>
#include <utility>

#include "analysis/judge/judge.h"
#include "scenarios/world/record_stage.h"

namespace photonsim::scenarios {

class StagedJudge {
 public:
  StagedJudge(photon::analysis::JudgeConfig config, photon::analysis::TracePlaces places,
              bool on_own_core)
      : judge_(std::move(config), std::move(places)),
        stage_(on_own_core ? std::make_unique<RecordStage>(judge_) : nullptr) {}

  // Where the records of the run go.
  photon::trace::Sink& records() {
    return stage_ == nullptr ? static_cast<photon::trace::Sink&>(judge_) : *stage_;
  }
  // The judge after all records so far. Throws StageFailed.
  const photon::analysis::Judge& settled() const {
    if (stage_ != nullptr) stage_->settle();
    return judge_;
  }
  // Once, after the last record. Throws StageFailed.
  void finish() {
    settled();
    judge_.finish();
  }

 private:
  photon::analysis::Judge judge_;
  std::unique_ptr<RecordStage> stage_;  // its thread ends before the judge
};

}  // namespace photonsim::scenarios
