// Where the records of a run go, in this order: the judge, if there is one, before what reads its
// evidence.
#pragma once

#include "core_impl/trace/record.h"
#include "scenarios/world/master_watch.h"
#include "scenarios/world/state_watch.h"

namespace photonsim::scenarios {

class RecordTee final : public photon::trace::Sink {
 public:
  RecordTee(photon::trace::Sink* judge, photon::trace::Sink* importance, MasterWatch& masters,
            StateWatch& states, photon::trace::Sink* window)
      : judge_(judge),
        importance_(importance),
        masters_(masters),
        states_(states),
        window_(window) {}
  void record(const photon::trace::Record& record) override {
    if (judge_ != nullptr) judge_->record(record);
    if (importance_ != nullptr) importance_->record(record);
    masters_.record(record);
    states_.record(record);
    if (window_ != nullptr) window_->record(record);
  }

 private:
  photon::trace::Sink* judge_;
  photon::trace::Sink* importance_;
  MasterWatch& masters_;
  StateWatch& states_;
  photon::trace::Sink* window_;
};

}  // namespace photonsim::scenarios
