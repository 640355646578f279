// The bytes of a Perfetto trace, decoded again as its importer does it.
#include "trace_views/perfetto.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <protozero/pbf_message.hpp>

#include "tests/support/catch.h"
#include "tests/trace_views/sample_window.h"
#include "trace_views/perfetto_fields.h"

namespace photonsim::trace_views::testing {
namespace {

namespace pf = perfetto;

struct Track {
  std::string name{};
  std::uint64_t parent = 0;
  std::optional<std::int32_t> pid{};  // of a process or a thread
  std::optional<std::int32_t> tid{};
};

struct Event {
  std::uint64_t at = 0;
  std::uint64_t track = 0;
  pf::Type type{};
  std::string name{};
  std::string category{};
  std::vector<std::uint64_t> flows{};
  std::vector<std::uint64_t> last_of_flows{};
  std::map<std::string, std::string> annotations{};
};

struct Decoded {
  std::map<std::uint64_t, Track> tracks{};
  std::vector<Event> events{};  // as an importer sorts them: by time, stable
  bool begins_anew = false;     // the first packet resets the incremental state
  std::set<std::uint32_t> sequences{};
};

// Reads every field of a message, and fails on an unknown one.
template <class Fields, class Read>
void each_field(protozero::data_view bytes, Read&& read) {
  protozero::pbf_message<Fields> message(bytes);
  while (message.next()) REQUIRE(read(message));
}

void decode_thread_or_process(protozero::data_view bytes, Track& track, bool thread) {
  protozero::pbf_reader message(bytes);
  while (message.next()) {
    const auto tag = message.tag();
    if (tag == 1) {
      track.pid = message.get_int32();
    } else if (thread && tag == 2) {
      track.tid = message.get_int32();
    } else {
      REQUIRE(tag == (thread ? 5U : 6U));
      track.name = message.get_string();
    }
  }
}

void decode_track(protozero::data_view bytes, Decoded& decoded) {
  std::uint64_t uuid = 0;
  Track track;
  each_field<pf::Descriptor>(bytes, [&](auto& message) {
    switch (message.tag()) {
      case pf::Descriptor::uuid:
        uuid = message.get_uint64();
        return true;
      case pf::Descriptor::name:
        track.name = message.get_string();
        return true;
      case pf::Descriptor::parent_uuid:
        track.parent = message.get_uint64();
        return true;
      case pf::Descriptor::process:
      case pf::Descriptor::thread: {
        const bool thread = message.tag() == pf::Descriptor::thread;
        decode_thread_or_process(message.get_view(), track, thread);
        return true;
      }
    }
    return false;
  });
  CHECK(uuid != 0);
  CHECK(decoded.tracks.emplace(uuid, track).second);
}

void decode_annotation(protozero::data_view bytes, Event& event) {
  std::string name;
  std::string value;
  each_field<pf::Annotation>(bytes, [&](auto& message) {
    switch (message.tag()) {
      case pf::Annotation::name:
        name = message.get_string();
        return true;
      case pf::Annotation::string_value:
        value = message.get_string();
        return true;
      case pf::Annotation::uint_value:
        value = std::to_string(message.get_uint64());
        return true;
    }
    return false;
  });
  CHECK(event.annotations.emplace(name, value).second);
}

void decode_event(protozero::data_view bytes, Event& event) {
  each_field<pf::Event>(bytes, [&](auto& message) {
    switch (message.tag()) {
      case pf::Event::type:
        event.type = static_cast<pf::Type>(message.get_enum());
        return true;
      case pf::Event::track_uuid:
        event.track = message.get_uint64();
        return true;
      case pf::Event::name:
        event.name = message.get_string();
        return true;
      case pf::Event::categories:
        event.category = message.get_string();
        return true;
      case pf::Event::flow_ids:
        event.flows.push_back(message.get_fixed64());
        return true;
      case pf::Event::terminating_flow_ids:
        event.last_of_flows.push_back(message.get_fixed64());
        return true;
      case pf::Event::debug_annotations:
        decode_annotation(message.get_view(), event);
        return true;
    }
    return false;
  });
}

Decoded decoded(const std::string& bytes) {
  Decoded all;
  bool first = true;
  each_field<pf::Trace>(protozero::data_view(bytes), [&](auto& trace) {
    Event event;
    bool is_event = false;
    each_field<pf::Packet>(trace.get_view(), [&](auto& packet) {
      switch (packet.tag()) {
        case pf::Packet::timestamp:
          event.at = packet.get_uint64();
          return true;
        case pf::Packet::trusted_packet_sequence_id:
          all.sequences.insert(packet.get_uint32());
          return true;
        case pf::Packet::sequence_flags:
          all.begins_anew = first && packet.get_uint32() == pf::kIncrementalStateCleared;
          return true;
        case pf::Packet::track_descriptor:
          decode_track(packet.get_view(), all);
          return true;
        case pf::Packet::track_event:
          is_event = true;
          decode_event(packet.get_view(), event);
          return true;
      }
      return false;
    });
    if (is_event) all.events.push_back(event);
    first = false;
    return true;
  });
  std::ranges::stable_sort(all.events, {}, &Event::at);
  return all;
}

// "life 1 1000..2100" of each slice of a track, and instants inside it indented by their depth.
std::vector<std::string> outline(const Decoded& all, const std::string& track_name) {
  std::vector<std::string> lines;
  std::vector<std::size_t> open;  // lines of slices
  for (const Event& event : all.events) {
    if (all.tracks.at(event.track).name != track_name) continue;
    const std::string at = std::to_string(event.at / 1'000'000);
    switch (event.type) {
      case pf::Type::slice_begin:
        lines.push_back(std::string(2 * open.size(), ' ') + event.name + " " + at);
        open.push_back(lines.size() - 1);
        break;
      case pf::Type::slice_end:
        REQUIRE_FALSE(open.empty());
        lines[open.back()] += ".." + at;
        open.pop_back();
        break;
      case pf::Type::instant:
        lines.push_back(std::string(2 * open.size(), ' ') + "* " + event.name + " " + at);
        break;
    }
  }
  CHECK(open.empty());
  return lines;
}

}  // namespace

TEST_CASE("Perfetto: datacenters are processes, processes are threads of them") {
  const Decoded all = decoded(perfetto_trace(sample_window()));
  CHECK(all.begins_anew);
  CHECK(all.sequences == std::set<std::uint32_t>{1});
  std::map<std::int32_t, std::string> processes;
  for (const auto& [uuid, track] : all.tracks) {
    if (track.pid && !track.tid) processes[*track.pid] = track.name;
    if (track.parent != 0) CHECK(all.tracks.contains(track.parent));
  }
  CHECK(processes.size() == 3);
  std::set<std::string> threads;
  for (const auto& [uuid, track] : all.tracks) {
    if (!track.tid) continue;
    REQUIRE(processes.contains(*track.pid));
    CHECK_FALSE(processes.contains(*track.tid));  // it would be a main thread
    threads.insert(processes[*track.pid] + " " + track.name);
  }
  CHECK(threads == std::set<std::string>{"us-east1 registry/0", "us-west1 joiner/0"});
  for (const Event& event : all.events) CHECK(all.tracks.contains(event.track));
}

TEST_CASE("Perfetto: slices nest and are closed, also where one ends as the next begins") {
  const Decoded all = decoded(perfetto_trace(sample_window()));
  CHECK(outline(all, "registry/0") ==
        std::vector<std::string>{
            "life 1 900..2100", "  master, ballot 7 900..2000", "    * join request 1100",
            "    * partition began 1200", "    * join request 1300", "    paused 1400..1700",
            "      * process paused 1400", "      * slot applied 1700",
            "  master, ballot 8 2000..2100", "    * mastership ended 2000",
            "    * master elected 2000", "    * process ended: by force 2100", "life 2 2100..4500",
            "  master, ballot 9 2100..4500", "    * process started 2100",
            "    * master elected 2100", "    * join request 4500", "    * join request 4500"});
  CHECK(outline(all, "fault 0") ==
        std::vector<std::string>{"partition us-east1 | us-west1 1200..4500"});
  CHECK(outline(all, "fault 1").size() == 1);
  const auto outlined = outline(all, "violations");
  REQUIRE(outlined.size() == 1);  // the other one is not of this window
  CHECK_THAT(outlined[0], Catch::StartsWith("* VIOLATION J-S1: a second output record"));
}

TEST_CASE("Perfetto: a flow for each message that arrived, from its sending to its delivery") {
  const Window window = sample_window();
  const Decoded all = decoded(perfetto_trace(window));
  std::map<std::uint64_t, const Event*> begun;
  std::map<std::uint64_t, const Event*> ended;
  for (const Event& event : all.events) {
    for (const std::uint64_t flow : event.flows) CHECK(begun.emplace(flow, &event).second);
    for (const std::uint64_t flow : event.last_of_flows) {
      CHECK(begun.contains(flow));  // an importer drops a flow that ends before it begins
      CHECK(ended.emplace(flow, &event).second);
    }
  }
  const auto arrived = std::ranges::count_if(window.messages, [](const Message& message) {
    return message.sent != kNoIndex && message.delivered != kNoIndex;
  });
  CHECK(arrived == 3);
  CHECK(begun.size() == 3);
  REQUIRE(ended.size() == 3);
  for (const auto& [flow, event] : ended) {
    CHECK(begun.at(flow)->at < event->at);
    CHECK(begun.at(flow)->annotations.at("click") == event->annotations.at("click"));
    CHECK(begun.at(flow)->track != event->track);
  }
}

TEST_CASE("Perfetto: a record is an instant with all of its fields") {
  const Window window = sample_window();
  const Decoded all = decoded(perfetto_trace(window));
  const auto instants = std::ranges::count(all.events, pf::Type::instant, &Event::type);
  // The violation stands on its own track and with its process.
  CHECK(static_cast<std::size_t>(instants) == window.records.size() + 2);
  const auto durable = std::ranges::find_if(all.events, [](const Event& event) {
    return event.name == "joined record" && event.annotations.at("source") == "durable";
  });
  REQUIRE(durable != all.events.end());
  CHECK(durable->at == 3'000'000'000);
  CHECK(durable->category == "pipeline");
  CHECK(durable->annotations.at("click") == analysis::describe(click_id(1)));
  CHECK(durable->annotations.at("token") == "3.1.9 (us-west1/joiner/0)");
  CHECK(durable->annotations.at("life") == "1");
}

}  // namespace photonsim::trace_views::testing
