// Failures minimized in the pool.
#include "campaigns/reduce/minimize.h"

#include <chrono>
#include <fstream>
#include <sstream>

#include "campaigns/reduce/shrink.h"
#include "scenarios/language/loader.h"
#include "tests/campaigns/silent_listener.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

namespace photonsim::campaigns::testing {
namespace {

using Catch::Contains;
using namespace std::chrono_literals;

// A registry that loses a majority of its disks; two of the crashes are not needed for that.
scenarios::Config failing() {
  const std::string lost = R"(",at="1s",restart_after="100ms",lose_disk=true})";
  const scenarios::LoadResult loaded = scenarios::load(
      "scenarios/registry/quiet.toml",
      std::vector<std::string>{"run.duration=3s", "run.warm_up=0s", "workload.registry.rate=20",
                               R"(faults.crash=[{process="registry/0@us-west1)" + lost +
                                   R"(,{process="registry/0@us-west2)" + lost +
                                   R"(,{process="registry/0@us-central1)" + lost +
                                   R"(,{process="registry/0@us-east4",at="2s"}])"});
  if (!loaded) FAIL(scenarios::format(loaded.diagnostics()));
  return loaded.config();
}

std::string text_of(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("minimizing in the pool gives the same repro for any number of jobs", "[sweep]") {
  const photon::testing::TemporaryFolder folder;
  const scenarios::Config config = failing();
  SilentListener listener;
  std::vector<std::string> texts;
  for (const unsigned jobs : {1U, 3U}) {
    const std::string file = folder.file("small.toml");
    std::remove(file.c_str());
    PoolLimits limits;
    limits.jobs = jobs;
    const auto repro = minimize({config, file, "photonsim repro a", "m", limits, 600s}, listener);
    REQUIRE(repro);
    CHECK(repro->file == file);
    CHECK_THAT(repro->line, Contains(": 3 of 4 faults and operations left after "));
    texts.push_back(text_of(file));
  }
  CHECK(texts.front() == texts.back());
  CHECK(scenarios::load_text(texts.front(), "small").ok());
}

TEST_CASE("minimizing ends on a stop request, and says when there was no time") {
  const photon::testing::TemporaryFolder folder;
  const scenarios::Config config = failing();
  SilentListener listener;
  const std::string file = folder.file("small.toml");
  const auto late = minimize({config, file, "photonsim repro a", "m", {}, 1us}, listener);
  REQUIRE(late);
  CHECK(late->file.empty());
  CHECK_THAT(late->line, Contains("no minimized repro: there was no time for it"));
  listener.stop = true;
  CHECK_FALSE(minimize({config, file, "photonsim repro a", "m", {}, 600s}, listener));
  CHECK(text_of(file).empty());
}

}  // namespace photonsim::campaigns::testing
