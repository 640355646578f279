#include "core_impl/logs/directory_scan.h"

#include <vector>

#include "tests/support/catch.h"

namespace photon::logs {
namespace {

FileInfo listed(std::uint16_t server, std::uint16_t sequence, std::uint64_t length) {
  return {LogFile{LogType::foreign, server, sequence}.name(), length};
}

std::vector<std::uint32_t> grown(const DirectoryScan& scan) {
  PooledVector<std::uint32_t> out;
  scan.append_grown(out);
  return {out.begin(), out.end()};
}

}  // namespace

TEST_CASE(
    "C-02 files are discovered, growth is detected, and examined files are not listed again") {
  DirectoryScan scan(LogType::foreign);
  CHECK(std::string_view(scan.prefix().data(), scan.prefix().size()) == "foreign/");
  scan.observe(std::vector{listed(1, 0, 100), listed(3, 0, 0)});
  REQUIRE(scan.size() == 2);
  CHECK(grown(scan) == std::vector<std::uint32_t>{0});
  scan.examined(0, 100);
  CHECK(grown(scan).empty());
  scan.observe(std::vector{listed(1, 0, 150), listed(2, 0, 10), listed(3, 0, 5)});
  REQUIRE(scan.size() == 3);
  // Name order: server 1, 2, 3; the index of a file is the order of its discovery.
  CHECK(grown(scan) == std::vector<std::uint32_t>{0, 2, 1});
  CHECK(scan[2].name == LogFile{LogType::foreign, 2, 0}.name());
  CHECK(scan[1].name == LogFile{LogType::foreign, 3, 0}.name());
}

TEST_CASE("C-07 after a rotation the old file's tail is still named") {
  DirectoryScan scan(LogType::foreign);
  scan.observe(std::vector{listed(1, 0, 100)});
  scan.examined(0, 100);
  scan.observe(std::vector{listed(1, 0, 130), listed(1, 1, 20)});  // grew and overflowed in between
  CHECK(grown(scan) == std::vector<std::uint32_t>{0, 1});
}

TEST_CASE("C-02 stale listings, vanished files and other names do no harm") {
  DirectoryScan scan(LogType::foreign);
  scan.observe(std::vector{listed(1, 0, 100), listed(2, 0, 100)});
  scan.examined(0, 100);
  scan.examined(0, 40);  // never moves back
  std::vector<FileInfo> listing{listed(1, 0, 60)};
  listing.push_back({FileName("foreign/readme"), 7});
  listing.push_back({LogFile{LogType::primary, 1, 0}.name(), 7});
  scan.observe(listing);
  CHECK(scan.size() == 2);
  CHECK(scan[0].length == 100);
  CHECK(grown(scan) == std::vector<std::uint32_t>{1});
  CHECK(scan.unknown_names() == 2);
  CHECK(grown(scan) == std::vector<std::uint32_t>{1});
}

TEST_CASE("C-05 a restored file is known before it is listed") {
  DirectoryScan scan(LogType::foreign);
  const std::uint32_t index = scan.add(LogFile{LogType::foreign, 5, 2}.name());
  CHECK(scan.add(LogFile{LogType::foreign, 5, 2}.name()) == index);
  scan.examined(index, 500);
  scan.observe(std::vector{listed(5, 1, 10), listed(5, 2, 500)});
  CHECK(grown(scan) == std::vector<std::uint32_t>{1});
  scan.observe(std::vector{listed(5, 1, 10), listed(5, 2, 501)});
  CHECK(grown(scan) == std::vector<std::uint32_t>{1, index});
}

}  // namespace photon::logs
