// Study files of tests: what they plan, or what is wrong with them.
#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "campaigns/studies/study.h"
#include "campaigns/studies/study_plan.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

namespace photonsim::campaigns {

using Folder = photon::testing::TemporaryFolder;

inline std::string base() {
  return "base = \"" + std::filesystem::absolute("scenarios/registry/quiet.toml").string() + "\"\n";
}

// The first problem of a study file with that text, as printed; empty: it can be run.
inline std::string problem_of(const std::string& text) {
  const Folder folder;
  StudyResult loaded = load_study(folder.write("study.toml", text));
  auto problems = std::move(loaded.problems);
  if (problems.empty()) problems = plan_study(std::move(loaded.study)).problems;
  return problems.empty() ? std::string() : scenarios::format(problems.front());
}

inline StudyPlan plan_of(const std::string& text) {
  const Folder folder;
  StudyResult loaded = load_study(folder.write("study.toml", base() + text));
  REQUIRE(loaded.problems.empty());
  PlanResult result = plan_study(std::move(loaded.study));
  INFO(scenarios::format(result.problems));
  REQUIRE(result.problems.empty());
  return std::move(result.plan);
}

}  // namespace photonsim::campaigns
