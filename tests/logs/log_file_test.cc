#include "core_impl/logs/log_file.h"

#include "core_impl/base/record_codec.h"
#include "core_impl/logs/event.h"
#include "core_impl/logs/primary_view.h"
#include "core_impl/runtime/file_name.h"
#include "tests/support/catch.h"

namespace photon::logs {
namespace {

std::string_view text(const FileName& name) { return view_of(name); }

}  // namespace

TEST_CASE("A-22 names and numbers of log files convert both ways, and names order like files") {
  const LogFile file{LogType::foreign, 12, 3};
  CHECK(text(file.name()) == "foreign/00012/00003");
  CHECK(LogFile::parse(text(file.name())) == file);
  CHECK(LogFile::from_number(file.number()) == file);
  const LogFile reinjected{LogType::reinjected, 12, 3};
  CHECK(text(reinjected.name()) == "reinjected/00012/00003");
  CHECK(LogFile::parse(text(reinjected.name())) == reinjected);
  CHECK(reinjected.number() != file.number());
  for (const LogType type : {LogType::primary, LogType::foreign, LogType::reinjected}) {
    const LogFile largest{type, 0xffff, 0x3fff};
    CHECK(LogFile::from_number(largest.number()) == largest);
  }
  CHECK(text(LogFile{LogType::primary, 9, 10}.name()) >
        text(LogFile{LogType::primary, 9, 9}.name()));
  CHECK(text(LogFile{LogType::primary, 10, 0}.name()) >
        text(LogFile{LogType::primary, 9, 99}.name()));
}

TEST_CASE("A-22 names of other files are refused") {
  for (const std::string_view name :
       {"", "primary/", "primary/00001", "primary/00001/0000x", "primary/99999/00001",
        "primary/00001/16384", "secondary/00001/00001", "primary/00001/00001/",
        "primary/-0001/00001"}) {
    INFO(name);
    CHECK_FALSE(LogFile::parse(name).has_value());
  }
}

TEST_CASE("A-01 a primary event is read in place as its codec wrote it") {
  PrimaryEvent event{{3, 4, from_nanoseconds<Stamp>(5)}, {}};
  Bytes payload;
  for (int i = 0; i < 40; ++i) payload.push_back(static_cast<std::byte>(i));
  event.payload = payload;
  Bytes framed;
  append_encoded(event, framed);
  const RecordView view = view_record(framed);
  REQUIRE(view.status == RecordStatus::complete);
  const auto seen = view_primary(view.body);
  REQUIRE(seen.has_value());
  CHECK(seen->id == event.id);
  CHECK(seen->payload == event.payload.view());
  const auto cut = view.body.first(view.body.size() - 1);
  CHECK_FALSE(view_primary(cut).has_value());
  CHECK(primary_id(RecordContent{view.body, nullptr}) == event.id);
  CHECK_FALSE(primary_id(RecordContent{cut, nullptr}).has_value());
}

TEST_CASE("A-01 a body cut at any byte is no primary event") {
  Bytes body;
  Encoder encode(body);
  SECTION("with a payload") {
    encode(PrimaryEvent{{3, 4, from_nanoseconds<Stamp>(5)}, Payload(Bytes(7, std::byte{1}))});
  }
  SECTION("without one") { encode(PrimaryEvent{{3, 4, from_nanoseconds<Stamp>(5)}, {}}); }
  REQUIRE(view_primary(body).has_value());
  for (std::size_t length = 0; length < body.size(); ++length) {
    CAPTURE(length);
    CHECK_FALSE(view_primary(std::span(body).first(length)).has_value());
  }
}

}  // namespace photon::logs
