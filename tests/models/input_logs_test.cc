#include "models/input_logs.h"

#include "models/clocks.h"
#include "models/synthetic_workload.h"
#include "tests/models/workload_check.h"
#include "tests/support/catch.h"

namespace photon::models {
namespace {

using std::chrono::seconds;

struct Fixture {
  HostClocks clocks{1, {}};
  SyntheticWorkload workload{options(), clocks};
  Shipping shipping{Shipping::Options{}, 2};
  InputLogs volume{pointers(), shipping, 0};

  static SyntheticWorkload::Options options() {
    SyntheticWorkload::Options out;
    out.seed = 41;
    out.end = SimTime(seconds(30));
    out.query_servers = 2;
    out.click_servers = 2;
    return out;
  }
  std::vector<EventLog*> pointers() {
    std::vector<EventLog*> out;
    for (const auto& log : workload.logs()) out.push_back(log.get());
    return out;
  }
  IoResult ask(VolumeOperation operation, std::string_view file, std::uint64_t offset = 0,
               std::uint32_t length = 0, ReadForm form = ReadForm::bytes) {
    VolumeRequest request;
    request.form = form;
    request.operation = operation;
    request.file = FileName(file.data(), file.size());
    request.offset = offset;
    request.length = length;
    IoResult result;
    volume.serve({}, request, result);
    return result;
  }
};

TEST_CASE("A-20 before its first piece has arrived a file is missing") {
  Fixture fixture;
  CHECK(fixture.ask(VolumeOperation::stat, "primary/00001/00000").status == IoStatus::missing);
  CHECK(fixture.ask(VolumeOperation::read, "primary/00001/00000", 0, 10).status ==
        IoStatus::missing);
  CHECK(fixture.ask(VolumeOperation::stat, "nowhere").status == IoStatus::missing);
  const IoResult listed = fixture.ask(VolumeOperation::list, "");
  CHECK(listed.status == IoStatus::ok);
  CHECK(listed.files.empty());
}

TEST_CASE("C-08 a process sees exactly what has been shipped: names, lengths and bytes") {
  Fixture fixture;
  const auto first = fixture.volume.copies().advance();
  const FileName name = fixture.volume.log(first.log).file().name();
  const std::string_view text(name.data(), name.size());
  const IoResult stat = fixture.ask(VolumeOperation::stat, text);
  CHECK(stat.status == IoStatus::ok);
  CHECK(stat.length == first.length);
  const IoResult listed = fixture.ask(VolumeOperation::list, text.substr(0, 8));
  REQUIRE(listed.files.size() == 1);
  CHECK(listed.files[0].name == name);
  CHECK(listed.files[0].length == first.length);
  CHECK(fixture.ask(VolumeOperation::list, text.front() == 'p' ? "foreign/" : "primary/")
            .files.empty());

  const Bytes whole = testing::read_whole(fixture.volume.log(first.log), fixture.workload.end());
  const IoResult all = fixture.ask(VolumeOperation::read, text, 0, 1U << 30U);
  CHECK(all.status == IoStatus::ok);
  REQUIRE(all.data.size() == first.length);
  CHECK(all.length == first.length);
  CHECK(std::equal(all.data.begin(), all.data.end(), whole.begin()));
  const IoResult middle = fixture.ask(VolumeOperation::read, text, 5, 7);
  CHECK(middle.data == Bytes(whole.begin() + 5, whole.begin() + 12));
  const IoResult tail = fixture.ask(VolumeOperation::read, text, first.length - 2, 100);
  CHECK(tail.data.size() == 2);
  const IoResult after = fixture.ask(VolumeOperation::read, text, first.length, 100);
  CHECK(after.status == IoStatus::ok);
  CHECK(after.data.empty());
}

TEST_CASE("C-08 who asks for records gets the range that the bytes would come from") {
  Fixture fixture;
  const auto first = fixture.volume.copies().advance();
  EventLog& log = fixture.volume.log(first.log);
  const FileName name = log.file().name();
  const auto read = [&](ReadForm form, std::uint64_t offset, std::uint32_t length) {
    return fixture.ask(VolumeOperation::read, {name.data(), name.size()}, offset, length, form);
  };
  for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{5}, first.length - 2}) {
    for (const std::uint32_t length : {1U, 70U, 1U << 30U}) {
      CAPTURE(offset, length);
      const IoResult range = read(ReadForm::records, offset, length);
      const IoResult bytes = read(ReadForm::bytes, offset, length);
      REQUIRE(range.range.log == &log);
      CHECK(range.data.empty());
      CHECK(range.length == bytes.length);
      CHECK(range.bytes_read() == bytes.bytes_read());
      Bytes made;
      range.range.log->read(range.range.begin, range.bytes_read(), made);
      CHECK(made == bytes.data);
    }
  }
  CHECK(read(ReadForm::records, first.length, 10).range.log == nullptr);
}

TEST_CASE("files are listed in name order, by prefix, once all have arrived") {
  Fixture fixture;
  while (fixture.volume.copies().next()) static_cast<void>(fixture.volume.copies().advance());
  const IoResult all = fixture.ask(VolumeOperation::list, "");
  REQUIRE(all.files.size() == 4);
  CHECK(std::is_sorted(all.files.begin(), all.files.end(),
                       [](const FileInfo& l, const FileInfo& r) { return l.name < r.name; }));
  CHECK(fixture.ask(VolumeOperation::list, "primary/").files.size() == 2);
  CHECK(fixture.ask(VolumeOperation::list, "primary/00002").files.size() == 1);
}

TEST_CASE("input logs are read-only: everything else is answered `unavailable`") {
  Fixture fixture;
  static_cast<void>(fixture.volume.copies().advance());
  using enum VolumeOperation;
  for (const auto operation : {append, sync, replace, remove, fence}) {
    CHECK(fixture.ask(operation, "primary/00001/00000").status == IoStatus::unavailable);
    CHECK(fixture.ask(operation, "new file").status == IoStatus::unavailable);
  }
}

}  // namespace
}  // namespace photon::models
