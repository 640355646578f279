// Records on their way to the judge, some at a time: the judge then finds its own code and data in
// the processor's caches, and what a record will need can be fetched ahead (Judge::record_all).
//
// The judge lags behind the trace by less than kMost records: drain() before it is asked anything.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "analysis/judge/judge.h"
#include "core_impl/trace/record.h"

namespace photon::analysis {

class JudgeQueue final : public trace::Sink {
 public:
  static constexpr std::size_t kMost = Judge::kTogether;

  explicit JudgeQueue(Judge& judge) : judge_(judge) {}

  void record(const trace::Record& record) override {
    waiting_[size_++] = record;
    if (size_ == kMost) drain();
  }
  // Gives all of them to the judge.
  void drain() { judge_.record_all({waiting_.data(), std::exchange(size_, 0)}); }

 private:
  Judge& judge_;
  std::size_t size_ = 0;
  std::array<trace::Record, kMost> waiting_;
};

}  // namespace photon::analysis
