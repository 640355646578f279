#include "analysis/trace_files/draft_file.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include <sys/stat.h>

#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

namespace photon::analysis::testing {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;
using Scratch = photon::testing::TemporaryFolder;

std::string content(const std::string& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

DraftFile drafted(const std::string& name, const char* text) {
  auto draft = DraftFile::create(name);
  REQUIRE(draft.has_value());
  std::fputs(text, draft.value().stream());
  return std::move(draft).value();
}

}  // namespace

TEST_CASE("draft: no file has the final name before the end, and a dropped draft leaves nothing") {
  const Scratch scratch;
  const std::string file = scratch.file("f");
  {
    DraftFile draft = drafted(file, "new");
    CHECK_FALSE(fs::exists(file));
    CHECK(scratch.names().size() == 1);
  }
  CHECK(scratch.names().empty());
  REQUIRE(drafted(file, "new").replace().has_value());
  CHECK(scratch.names() == Names{"f"});
  CHECK(content(file) == "new");
}

TEST_CASE("draft: two writers of one name do not interfere, nor does a file called NAME.part") {
  const Scratch scratch;
  const std::string file = scratch.file("f");
  scratch.write("f.part", "a user's own");
  DraftFile one = drafted(file, "one");
  DraftFile other = drafted(file, "other, which is longer");
  REQUIRE(one.replace().has_value());
  CHECK(content(file) == "one");
  REQUIRE(other.replace().has_value());
  CHECK(content(file) == "other, which is longer");
  CHECK(scratch.names() == Names{"f", "f.part"});
  CHECK(content(scratch.file("f.part")) == "a user's own");
}

TEST_CASE("draft: a free name is used, a taken one is left alone") {
  const Scratch scratch;
  const std::string file = scratch.file("f");
  DraftFile late = drafted(file, "late");
  REQUIRE(drafted(file, "first").take_free_name().value());
  CHECK_FALSE(late.take_free_name().value());
  CHECK(content(file) == "first");
  CHECK(scratch.names() == Names{"f"});
}

TEST_CASE("draft: links are followed, also dangling ones; permissions are kept") {
  const Scratch scratch;
  fs::create_symlink("f", scratch.file("link"));
  CHECK(target_of(scratch.file("link")) == scratch.file("f"));
  REQUIRE(drafted(scratch.file("link"), "new").replace().has_value());
  CHECK(fs::is_symlink(scratch.file("link")));
  CHECK(content(scratch.file("f")) == "new");
  fs::permissions(scratch.file("f"), fs::perms::owner_read | fs::perms::owner_write);
  REQUIRE(drafted(scratch.file("link"), "newer").replace().has_value());
  CHECK(fs::status(scratch.file("f")).permissions() ==
        (fs::perms::owner_read | fs::perms::owner_write));
}

TEST_CASE("draft: a pipe is written and stays a pipe") {
  const Scratch scratch;
  const std::string pipe = scratch.file("pipe");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  std::string read;
  std::thread reader([&] { read = content(pipe); });
  const auto done = drafted(pipe, "through").replace();
  reader.join();
  CHECK(done.has_value());
  CHECK(read == "through");
  CHECK(scratch.names() == Names{"pipe"});
  CHECK(fs::is_fifo(pipe));
}

TEST_CASE("draft: a path that cannot be written is reported at once") {
  const Scratch scratch;
  scratch.write("plain", "no folder");
  for (const std::string& file : {scratch.file(""), scratch.file("plain/f")}) {
    auto draft = DraftFile::create(file);
    REQUIRE_FALSE(draft.has_value());
    CHECK_THAT(draft.error().message(),
               Catch::Contains(file) && Catch::Contains("cannot be written"));
  }
  CHECK(scratch.names() == Names{"plain"});
}

TEST_CASE("draft: missing folders are created, also through a link") {
  const Scratch scratch;
  fs::create_symlink("far/off", scratch.file("link"));
  for (const char* name : {"a/b/file", "link"}) {
    auto draft = DraftFile::create(scratch.file(name));
    REQUIRE(draft.has_value());
    CHECK(draft.assume_value().replace().has_value());
  }
  CHECK(fs::is_regular_file(scratch.file("a/b/file")));
  CHECK(fs::is_regular_file(scratch.file("far/off")));
}

}  // namespace photon::analysis::testing
