// What a worker process says on its pipe is read as it was meant, or not at all.
#include "campaigns/worker_message.h"

#include "tests/support/catch.h"

namespace photonsim::campaigns {
namespace {

std::string text_of(const WorkerMessage& message) {
  const photon::Bytes frame = frame_of(message);
  return {reinterpret_cast<const char*>(frame.data()), frame.size()};
}

WorkerMessage ended_run() {
  WorkerMessage message{WorkerMessage::Kind::ended, 7, {}, 0, {}};
  message.record.exit_code = 3;
  message.record.what = "two\nlines\tand a zero";
  message.record.what += '\0';
  message.record.marks = {{"a.b", 18446744073709551615U}};
  return message;
}

}  // namespace

TEST_CASE("worker messages: each kind is read as it was said, one after the other") {
  const WorkerMessage begun{WorkerMessage::Kind::begun, 7, {}, 0, {}};
  const WorkerMessage refused{WorkerMessage::Kind::refused, 8, "no such file", 2, {}};
  const std::string said = text_of(begun) + text_of(ended_run()) + text_of(refused);
  std::string_view rest = said;
  WorkerMessage message;
  REQUIRE(take_message(rest, message) == Taken::whole);
  CHECK(message.kind == WorkerMessage::Kind::begun);
  CHECK(message.run == 7);
  REQUIRE(take_message(rest, message) == Taken::whole);
  CHECK(message.kind == WorkerMessage::Kind::ended);
  CHECK(message.record == ended_run().record);
  REQUIRE(take_message(rest, message) == Taken::whole);
  CHECK(message.kind == WorkerMessage::Kind::refused);
  CHECK(message.text == "no such file");
  CHECK(message.exit_code == 2);
  CHECK(rest.empty());
  CHECK(take_message(rest, message) == Taken::partial);
}

TEST_CASE("worker messages: a frame that is not whole is waited for, one that changed is refused") {
  const std::string said = text_of(ended_run());
  WorkerMessage message;
  for (std::size_t size = 0; size < said.size(); ++size) {
    std::string_view rest = std::string_view(said).substr(0, size);
    REQUIRE(take_message(rest, message) == Taken::partial);
    REQUIRE(rest.size() == size);
  }
  constexpr std::size_t kLength = 4;  // a length that changed asks for more, or for too much
  for (std::size_t place = 0; place < said.size(); ++place) {
    std::string changed = said;
    changed[place] = static_cast<char>(changed[place] ^ 0x55);
    std::string_view rest = changed;
    const Taken taken = take_message(rest, message);
    CAPTURE(place);
    CHECK(taken != Taken::whole);
    if (place >= kLength) CHECK(taken == Taken::garbled);
  }
}

}  // namespace photonsim::campaigns
