// What the tests of the program treat as progress, and what not.
#include "tests/cli/program.h"

#include <fcntl.h>
#include <unistd.h>

#include "cli/commands/progress.h"
#include "tests/support/catch.h"

namespace photonsim::cli::testing {

namespace {

// What ProgressLine writes where there is no terminal.
std::string shown(const std::string& what, double share, const std::string& text,
                  const std::string& finish) {
  const Folder folder;
  const std::string file = folder.file("stderr");
  const int usual = ::dup(STDERR_FILENO);
  const int target = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  REQUIRE(usual >= 0);
  REQUIRE(::dup2(target, STDERR_FILENO) == STDERR_FILENO);
  {
    ProgressLine line(what);
    line.show(share, text, finish);
  }
  ::dup2(usual, STDERR_FILENO);
  ::close(usual);
  ::close(target);
  return text_of(file);
}

}  // namespace

TEST_CASE("the tests of the program: lines about progress are separated from all others") {
  const std::string campaign = "12 of 240 runs ended, 0 failed";
  for (const std::string& line :
       {shown("campaign", 0.01, campaign, "adding up"),
        shown("campaign", 0.5, campaign, "adding up"), shown("campaign", 1, campaign, "adding up"),
        shown("swarm-7", 1, "20 of 20 s simulated, 5 clicks, 0.1 M events", "draining"),
        shown("a.trace", 1, "3 of 3 MB read, 0.1 M records", "judging the end")}) {
    std::string err = "first\n" + line + "last";
    CHECK(take_progress(err) == line);
    CHECK(err == "first\nlast");
  }
  std::string others =
      "photonsim: error: 2 of 2 runs failed. First failure: a.toml, seed 1: it lost a click\n"
      "x.db: of 11 runs it has 5 already\n"
      "campaign: 12 of 240 runs ended, 0 failed, and something else\n"
      "campaign: 12 of 240 runs ended, 0 failed";  // not a whole line
  const std::string before = others;
  CHECK(take_progress(others).empty());
  CHECK(others == before);
}

}  // namespace photonsim::cli::testing
