// Where the records of a run go, in this order: the judge, if there is one, before what reads its
// evidence. The judge gets some at a time, unless something reads it after each: drain() before
// anything else asks it.
#pragma once

#include <optional>

#include "analysis/judge/judge_queue.h"
#include "core_impl/trace/record.h"
#include "scenarios/world/master_watch.h"
#include "scenarios/world/state_watch.h"
#include "sim/check_failed.h"

namespace photonsim::scenarios {

class RecordTee final : public photon::trace::Sink {
 public:
  RecordTee(photon::analysis::Judge* judge, photon::trace::Sink* importance, MasterWatch& masters,
            StateWatch& states, photon::trace::Sink* window)
      : importance_(importance), masters_(masters), states_(states), window_(window) {
    if (judge == nullptr) return;
    queue_.emplace(*judge);
    judge_ = importance == nullptr ? static_cast<photon::trace::Sink*>(&*queue_) : judge;
  }
  void record(const photon::trace::Record& record) override {
    if (judge_ != nullptr) judge_->record(record);
    if (importance_ != nullptr) importance_->record(record);
    masters_.record(record);
    states_.record(record);
    if (window_ != nullptr) window_->record(record);
  }

  // The judge receives all records up to now.
  void drain() {
    if (queue_) queue_->drain();
  }
  // Of a run that a failed check has ended: the first one is reported.
  void drain_after_failure() {
    try {
      drain();
    } catch (const photon::sim::CheckFailed&) {
    }
  }

 private:
  std::optional<photon::analysis::JudgeQueue> queue_{};
  photon::trace::Sink* judge_ = nullptr;
  photon::trace::Sink* importance_;
  MasterWatch& masters_;
  StateWatch& states_;
  photon::trace::Sink* window_;
};

}  // namespace photonsim::scenarios
