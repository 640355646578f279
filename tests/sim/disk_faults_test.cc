// Faults of single volumes, as the fault model at the head of sim/volumes.h states them.
#include "sim/disk_faults.h"

#include "tests/sim/sim_world.h"
#include "tests/support/catch.h"

namespace photon::sim {
namespace {

using Kind = VolumeFault::Kind;

constexpr VolumeId kHostDisk{0};
constexpr VolumeId kSharedCell{1};

Fault disk_fault(Duration when, Duration lasting, VolumeId volume, Kind kind, double share = 1) {
  return {at(when), lasting, DiskFault{volume, {kind, Chance(share), 10'000}}, {}};
}

// Process 0, which sends requests at given times and keeps the answers.
struct Writer {
  explicit Writer(std::vector<Fault> faults, std::uint64_t seed = 1) : world(seed) {
    world.hooks[0].start = [this](Context& given) { context = &given; };
    world.hooks[0].io = [this](Context&, Ticket, IoResult& result) {
      answers.push_back(result);
      answered.push_back(world.run.now());
    };
    world.run.set_faults(std::move(faults));
    world.run.start();
  }
  // Asks at `when`, and waits for a second.
  IoResult ask(Duration when, VolumeRequest request) {
    world.to(when);
    context->submit(std::move(request));
    const std::size_t before = answers.size();
    world.to(when + 1s);
    REQUIRE(answers.size() == before + 1);
    return answers.back();
  }
  std::string stored(Duration when, VolumeId volume, const char* file = "f") {
    VolumeRequest read = request(VolumeOperation::read, volume.value(), file);
    read.length = 1U << 20U;
    const IoResult result = ask(when, std::move(read));
    return result.status == IoStatus::ok ? text_of(result.data) : "missing";
  }
  bool effective(std::uint32_t fault) { return world.run.faults().effective(fault); }

  SimWorld world;
  Context* context = nullptr;
  std::vector<IoResult> answers;
  std::vector<SimTime> answered;
};

VolumeRequest replacement(std::uint32_t volume, std::string_view text) {
  VolumeRequest made = request(VolumeOperation::replace, volume);
  made.data = bytes_of(text);
  return made;
}

std::size_t differences(std::string_view one, std::string_view other) {
  REQUIRE(one.size() == other.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < one.size(); ++i) count += one[i] != other[i] ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("a write error: unavailable, written or not, and reads go on") {
  std::size_t written = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Writer writer({disk_fault(5s, 10s, kHostDisk, Kind::write_error)}, seed);
    CHECK(writer.ask(1s, append(0, "hello", 0)).status == IoStatus::ok);
    CHECK_FALSE(writer.effective(0));
    CHECK(writer.ask(6s, append(0, " world", 5)).status == IoStatus::unavailable);
    CHECK(writer.effective(0));
    const std::string stored = writer.stored(8s, kHostDisk);
    CHECK((stored == "hello" || stored == "hello world"));
    written += stored.size() > 5 ? 1 : 0;
    CHECK(writer.ask(9s, request(VolumeOperation::sync, 0)).status == IoStatus::unavailable);
    CHECK(writer.ask(10s, replacement(0, "x")).status == IoStatus::unavailable);
    CHECK(writer.ask(12s, append(1, "cell", 0)).status == IoStatus::ok);
    CHECK(writer.ask(16s, replacement(0, "over")).status == IoStatus::ok);
    CHECK(writer.stored(18s, kHostDisk) == "over");
  }
  CHECK(written > 5);
  CHECK(written < 35);
}

TEST_CASE("a full volume refuses growth; removals and syncs succeed") {
  Writer writer({disk_fault(5s, 10s, kSharedCell, Kind::full)});
  CHECK(writer.ask(1s, append(1, "hello", 0, Durability::buffered)).status == IoStatus::ok);
  CHECK(writer.ask(6s, append(1, "more", 5)).status == IoStatus::full);
  CHECK(writer.effective(0));
  CHECK(writer.ask(7s, replacement(1, "x")).status == IoStatus::full);
  CHECK(writer.ask(8s, request(VolumeOperation::sync, 1)).status == IoStatus::ok);
  CHECK(writer.stored(9s, kSharedCell) == "hello");
  CHECK(writer.ask(10s, append(1, "more", 9)).status == IoStatus::conflict);
  CHECK(writer.ask(11s, append(0, "disk", 0)).status == IoStatus::ok);
  CHECK(writer.ask(12s, request(VolumeOperation::remove, 1)).status == IoStatus::ok);
  CHECK(writer.ask(16s, append(1, "again", 0)).status == IoStatus::ok);
}

TEST_CASE("a slow volume multiplies its service time, in its share of the requests") {
  Writer writer({disk_fault(5s, 10s, kHostDisk, Kind::slow)});
  writer.ask(1s, append(0, "a", 0));
  CHECK(writer.answered.back() == at(1s + 2ms));
  CHECK_FALSE(writer.effective(0));
  writer.ask(6s, append(0, "b", 1));
  CHECK(writer.answered.back() == at(6s + 20ms));
  CHECK_FALSE(writer.effective(0));  // no other event meanwhile
  writer.context->set_timer(0, mono(7s + 10ms));
  writer.ask(7s, append(0, "b", 2));
  CHECK(writer.effective(0));
  writer.ask(8s, append(1, "cell", 0));
  CHECK(writer.answered.back() == at(8s + 2ms));
  writer.ask(16s, append(0, "c", 3));
  CHECK(writer.answered.back() == at(16s + 2ms));

  Writer half({disk_fault(0s, kForever, kHostDisk, Kind::slow, 0.5)});
  std::size_t slow = 0;
  for (int i = 1; i <= 100; ++i) {
    half.ask(i * 2s, append(0, "a", static_cast<std::uint64_t>(i - 1)));
    slow += half.answered.back() == at(i * 2s + 20ms) ? 1 : 0;
  }
  CHECK(slow > 30);
  CHECK(slow < 70);
}

TEST_CASE("a lost sync loses what was acknowledged if the host crashes in time") {
  const std::vector<Fault> faults{disk_fault(5s, 10s, kHostDisk, Kind::lost_sync),
                                  host_crash(12s, 100ms)};
  Writer writer(faults);
  writer.ask(1s, append(0, "hello", 0));
  CHECK(writer.ask(6s, append(0, " world", 5)).status == IoStatus::ok);
  VolumeRequest other = append(0, "new", 0);
  other.file = FileName("g");
  CHECK(writer.ask(8s, std::move(other)).status == IoStatus::ok);
  CHECK(writer.stored(10s, kHostDisk) == "hello world");
  CHECK_FALSE(writer.effective(0));
  CHECK(writer.stored(13s, kHostDisk) == "hello");
  CHECK(writer.effective(0));
  CHECK(writer.stored(15s, kHostDisk, "g") == "missing");
  CHECK(writer.ask(17s, append(0, "!", 5)).length == 6);
}

TEST_CASE("a lost sync ends with the fault or a later sync, and spares writes after it") {
  Writer late({disk_fault(5s, 5s, kHostDisk, Kind::lost_sync), host_crash(12s, 100ms)});
  late.ask(6s, append(0, "hello", 0));
  CHECK(late.stored(13s, kHostDisk) == "hello");
  CHECK_FALSE(late.effective(0));

  // Some of many files are hit; each of them is synced again, and by then some are intact.
  std::size_t lost = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Writer half({disk_fault(1s, 20s, kHostDisk, Kind::lost_sync, 0.5), host_crash(12s, 100ms)},
                seed);
    half.ask(2s, append(0, "hello", 0));
    half.ask(4s, request(VolumeOperation::sync, 0));
    const std::string stored = half.stored(13s, kHostDisk);
    CHECK((stored == "missing" || stored == "hello"));
    CHECK(half.effective(0) == (stored == "missing"));
    lost += stored == "missing" ? 1 : 0;
  }
  CHECK(lost > 2);  // a quarter: neither of the two
  CHECK(lost < 20);

  Writer gone({disk_fault(1s, 20s, kHostDisk, Kind::lost_sync), host_crash(12s, 100ms)});
  gone.ask(2s, append(0, "hello", 0));
  gone.ask(4s, request(VolumeOperation::remove, 0));
  CHECK(gone.stored(13s, kHostDisk) == "missing");
  CHECK_FALSE(gone.effective(0));
}

TEST_CASE("a replacement whose sync is lost restores the earlier content") {
  Writer writer({disk_fault(5s, 10s, kHostDisk, Kind::lost_sync), host_crash(12s, 100ms)});
  writer.ask(1s, replacement(0, "first"));
  writer.ask(6s, replacement(0, "second"));
  writer.ask(8s, replacement(0, "third one"));
  CHECK(writer.stored(13s, kHostDisk) == "first");
  CHECK(writer.world.run.volumes().files(kHostDisk).bytes_used() == 5);
}

TEST_CASE("bit rot: one bit is wrong, with status ok, until the file is replaced") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Writer writer({{at(100ms), kForever, BitRot{kHostDisk}, {}}}, seed);  // waits for a byte
    const std::string text(1000, 'a');
    writer.ask(1s, append(0, text, 0));
    CHECK_FALSE(writer.effective(0));
    const std::string read = writer.stored(3s, kHostDisk);
    CHECK(differences(read, text) == 1);
    CHECK(writer.effective(0));
    CHECK(writer.stored(5s, kHostDisk) == read);
    writer.ask(7s, append(0, "more", 1000));
    CHECK(writer.stored(9s, kHostDisk) == read + "more");
    writer.ask(11s, replacement(0, text));
    CHECK(writer.stored(13s, kHostDisk) == text);
  }
}

TEST_CASE("unread bit rot had no effect") {
  Writer writer({{at(3s), kForever, BitRot{kHostDisk}, {}}});
  writer.ask(1s, append(0, "hello", 0));
  writer.ask(5s, replacement(0, "again"));
  CHECK(writer.stored(7s, kHostDisk) == "again");
  CHECK_FALSE(writer.effective(0));
}

TEST_CASE("a misdirected write leaves zeros in its place and overwrites what is stored") {
  std::size_t elsewhere = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Writer writer({disk_fault(5s, 3s, kHostDisk, Kind::misdirected_write)}, seed);
    const std::string other(20, 'o');
    VolumeRequest made = append(0, other, 0);
    made.file = FileName("g");
    writer.ask(1s, std::move(made));
    writer.ask(3s, append(0, "hello", 0));
    CHECK(writer.ask(6s, append(0, "WORLD", 5)).length == 10);
    CHECK(writer.ask(9s, append(0, "after", 10)).length == 15);
    const std::string f = writer.stored(11s, kHostDisk);
    const std::string g = writer.stored(13s, kHostDisk, "g");
    CHECK(writer.effective(0));
    CHECK(f.substr(5) == std::string(5, '\0') + "after");
    const std::size_t affected = differences(f.substr(0, 5), "hello") + differences(g, other);
    CHECK(affected >= 1);
    CHECK(affected <= 5);
    elsewhere += g != other ? 1 : 0;
  }
  CHECK(elsewhere > 15);
  CHECK(elsewhere < 30);
}

TEST_CASE("the first write of a volume, if misdirected, is written nowhere") {
  Writer writer({disk_fault(0s, 3s, kHostDisk, Kind::misdirected_write)});
  writer.ask(1s, append(0, "hello", 0));
  CHECK(writer.stored(3s, kHostDisk) == std::string(5, '\0'));
}

TEST_CASE("a torn write crashes the host while it appends, and a part is stored") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Writer writer({{at(500ms), 100ms, TornWrite{kHostDisk, {}}, {}}}, seed);
    writer.ask(600ms, append(0, "x", 0));  // one byte cannot be torn
    CHECK_FALSE(writer.effective(0));
    writer.world.storage.fixed = 30ms;
    writer.world.to(2s);
    writer.context->submit(append(0, "0123456789", 1));
    writer.world.to(2s + 25ms);
    CHECK_FALSE(writer.world.run.processes().at(NodeId(0)).up());
    CHECK_FALSE(writer.world.run.processes().at(NodeId(1)).up());
    const StoredFile* file = writer.world.run.volumes().files(kHostDisk).find(FileName("f"));
    REQUIRE(file != nullptr);
    CHECK(file->bytes.size() > 1);
    CHECK(file->bytes.size() < 11);
    CHECK(file->durable == file->bytes.size());
    writer.world.to(3s);
    CHECK(writer.world.run.processes().at(NodeId(0)).up());
    CHECK(writer.world.run.volumes().counters().torn_appends == 1);
    const std::uint64_t length = file->bytes.size();
    VolumeRequest head = request(VolumeOperation::read, 0);
    head.length = static_cast<std::uint32_t>(length - 1);
    writer.ask(4s, std::move(head));
    CHECK_FALSE(writer.effective(0));  // the torn end was not read yet
    CHECK(writer.stored(6s, kHostDisk).size() == length);
    CHECK(writer.effective(0));
  }
}

TEST_CASE("a torn write to a cell crashes the process that writes, and no other") {
  Writer writer({{at(500ms), 100ms, TornWrite{kSharedCell, {}}, {}}});
  writer.world.storage.fixed = 30ms;
  writer.world.to(2s);
  writer.context->submit(append(1, "0123456789", 0));
  writer.world.to(2s + 25ms);
  CHECK_FALSE(writer.world.run.processes().at(NodeId(0)).up());
  CHECK(writer.world.run.processes().at(NodeId(1)).up());
  writer.world.to(3s);  // a part is written at its own time
  CHECK_FALSE(writer.effective(0));
  const StoredFile* file = writer.world.run.volumes().files(kSharedCell).find(FileName("f"));
  REQUIRE(file != nullptr);
  CHECK(file->bytes.size() < 10);
  CHECK(writer.stored(4s, kSharedCell).size() == file->bytes.size());
  CHECK(writer.effective(0));
}

TEST_CASE("a torn write whose file is replaced unread had no effect") {
  Writer writer({{at(500ms), 100ms, TornWrite{kSharedCell, {}}, {}}});
  writer.world.storage.fixed = 30ms;
  writer.world.to(2s);
  writer.context->submit(append(1, "0123456789", 0));
  writer.world.to(3s);
  CHECK(writer.world.run.volumes().counters().torn_appends == 1);
  writer.ask(4s, replacement(1, "all of it"));
  CHECK(writer.stored(6s, kSharedCell) == "all of it");
  CHECK_FALSE(writer.effective(0));
}

TEST_CASE("a lost sync of a replacement by the same bytes reverts nothing") {
  Writer writer({disk_fault(5s, 10s, kHostDisk, Kind::lost_sync), host_crash(12s, 100ms)});
  writer.ask(1s, replacement(0, "same"));
  writer.ask(6s, replacement(0, "same"));
  CHECK(writer.stored(14s, kHostDisk) == "same");
  CHECK_FALSE(writer.effective(0));
}

TEST_CASE("faults of volumes name their volume") {
  const Topology topology = three_datacenters();
  CHECK(describe(disk_fault(1s, 2s, kHostDisk, Kind::full), topology) ==
        "disk the disk of a/host1 at 1s for 2s");
  CHECK(describe({at(1s), 2s, TornWrite{kSharedCell, {}}, {}}, topology) ==
        "disk.torn_write the cell of a at 1s for 2s");
  CHECK(place_of({at(1s), 2s, BitRot{VolumeId(2)}, {}}, topology) == DatacenterId(1));
}

}  // namespace photon::sim
