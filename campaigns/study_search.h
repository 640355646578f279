// Runs a study with [search]: evaluates its first points, chooses the next ones where those
// promise most, and at the end confirms the best with seeds that the search has not used.
//
// What it chooses depends on the runs alone, not on the number of processes; a search that was
// killed goes on from the results file. (Another compiler may choose other points: a Gaussian
// process is not computed bit by bit the same. The file then keeps both.)
#pragma once

#include <functional>
#include <vector>

#include "analysis/optimisation/search_space.h"
#include "campaigns/studies/search_evaluations.h"
#include "campaigns/study_engine.h"

namespace photonsim::campaigns {

class StudySearch {
 public:
  // `on_growth`: called when the study has more points, before they run. False: it stops the
  // search.
  using OnGrowth = std::function<bool()>;
  StudySearch(StudyEngine& engine, OnGrowth on_growth);

  // As StudyEngine::run(), whose error() and is_complete() say how it ended.
  void run();

 private:
  // Nothing is left to choose, or the study cannot grow.
  bool choose_more();
  void confirm();
  SearchEvaluations evaluations() const;

  StudyEngine& engine_;
  const Search& search_;
  OnGrowth on_growth_;
  bool stopped_ = false;
  std::vector<photon::analysis::SearchPoint> places_{};  // of the engine's points
};

}  // namespace photonsim::campaigns
