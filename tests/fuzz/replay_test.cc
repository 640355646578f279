// Replays the seeds, and every input that once broke a target, without a fuzzer.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/base/throwing_check_sink.h"
#include "tests/fuzz/targets.h"
#include "tests/support/catch.h"

namespace photon::fuzz {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  if (!fs::exists(folder)) return files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

std::string content_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

Outcome run(const Target& target, const fs::path& file) {
  CAPTURE(file);
  const std::string content = content_of(file);
  const photon::testing::ChecksThrow checks;
  Outcome outcome = Outcome::refused;
  REQUIRE_NOTHROW(outcome = target.run(std::as_bytes(std::span(content))));
  return outcome;
}

TEST_CASE("J-S17 seeds of the fuzzer get through: they hold today's formats") {
  for (const Target& target : all_targets()) {
    CAPTURE(target.name);
    const auto seeds = files_in(fs::path("tests/fuzz/corpus") / target.name);
    CHECK_FALSE(seeds.empty());
    for (const fs::path& seed : seeds) {
      CAPTURE(seed);
      CHECK(run(target, seed) == Outcome::accepted);
    }
  }
}

TEST_CASE("J-S17 inputs that once broke a target pass") {
  std::size_t replayed = 0;
  for (const Target& target : all_targets()) {
    CAPTURE(target.name);
    for (const fs::path& finding : files_in(fs::path("tests/fuzz/findings") / target.name)) {
      run(target, finding);
      ++replayed;
    }
  }
  CHECK(replayed > 0);
}

TEST_CASE("J-S17 every folder of seeds and findings belongs to a target") {
  for (const char* kind : {"tests/fuzz/corpus", "tests/fuzz/findings"}) {
    for (const fs::path& folder : files_in(kind)) {
      CAPTURE(folder);
      CHECK(find_target(folder.filename().string()) != nullptr);
    }
  }
}

}  // namespace
}  // namespace photon::fuzz
