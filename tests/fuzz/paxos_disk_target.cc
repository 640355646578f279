// The disk of a replica: format, snapshot and segments of its log, each with the input's bytes. The
// replica either works with them, or reports that its disk is damaged; then it runs for some ticks,
// with the others of its group silent.
#include <string>

#include "core_impl/base/hash.h"
#include "core_impl/paxos/log_frame.h"
#include "core_impl/paxos/replica_driver.h"
#include "core_impl/runtime/file_name.h"
#include "tests/fuzz/ignored_facts.h"
#include "tests/fuzz/stored_file.h"
#include "tests/fuzz/targets.h"
#include "tests/support/fake_context.h"

namespace photon::fuzz {
namespace {

using namespace photon::paxos;
using photon::testing::FakeContext;
using photon::testing::FakeDisk;

constexpr ShardId kGroup{5};
constexpr VolumeId kDisk{1};
constexpr std::uint64_t kMostSegments = 4;

// Takes every command; its state is a number.
class Machine final : public StateMachine {
 public:
  std::uint32_t apply(Context&, Slot slot, std::span<const std::byte> command) override {
    require(slot == applied_ + 1, "slots are applied in order, each once");
    applied_ = slot;
    hash_ = combine(hash_, hash_bytes(command));
    return command.empty() ? 0 : 1;
  }
  std::uint64_t state_hash() const override { return hash_; }
  void snapshot(Bytes& out) const override {
    Encoder encode(out);
    encode(hash_);
  }
  bool restore(Context&, Slot slot, std::span<const std::byte> snapshot) override {
    Decoder decode(snapshot);
    decode(hash_);
    applied_ = slot;
    return decode.ok() && decode.remaining() == 0;
  }
  void became_master(Context&, Ballot, Slot applied) override {
    require(applied == applied_, "a master has applied what was chosen before");
  }
  void lost_mastership(Context&) override {}

 private:
  Slot applied_ = 0;
  std::uint64_t hash_ = 0;
};

class Server final : public Node {
 public:
  explicit Server(DriverOptions options) : driver(std::move(options), machine) {}
  void on_start(Context& context) override { driver.on_start(context); }
  void on_message(Context&, NodeId, const Body&) override {}
  void on_timer(Context& context, TimerKind kind) override { driver.on_timer(context, kind); }
  void on_io(Context& context, Ticket ticket, IoResult& result) override {
    require(driver.on_io(context, ticket, result), "a completion belongs to the driver");
  }
  Machine machine;
  ReplicaDriver driver;
};

DriverOptions options_of(std::uint32_t replicas) {
  DriverOptions options;
  options.config.group = kGroup;
  options.config.replicas = replicas;
  for (std::uint32_t i = 0; i < replicas; ++i) options.members.push_back(NodeId(100 + i));
  options.volume = kDisk;
  options.timer = 0;
  options.snapshot_min_bytes = 1;  // so that it writes what it has read
  return options;
}

// As in disk_format.cc, which does not export it.
struct Format {
  ShardId group{};
  ReplicaIndex replica = 0;
  Generation generation{};

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.group, self.replica, self.generation);
  }
};

// A snapshot whose header matches the bytes after it.
Bytes sound_snapshot(Input& input) {
  auto header = value_from<SnapshotHeader>(input);
  Bytes machine;
  Encoder encode(machine);
  encode(header.state_hash);
  if (input.byte() % 4 == 0) append_bytes(input.bytes(), machine);
  header.machine_bytes = machine.size();
  header.machine_checksum = hash_bytes(machine);
  Bytes file;
  append_encoded(header, file);
  append_bytes(machine, file);
  return file;
}

std::string text_of_name(const FileName& name) { return std::string(view_of(name)); }

// The tap's projection of each file, in each of its readings.
void state_facts(const FakeDisk& disk) {
  IgnoredFacts sink;
  for (const auto& [name, bytes] : disk) {
    segment_facts(name, 0, bytes, sink);
    segment_facts(name, 1, bytes, sink);
    snapshot_facts(name, bytes, sink);
    format_facts(name, bytes, sink);
    removal_facts(name, sink);
  }
}

// The file with the frames of a segment, as far as its records are whole.
Bytes as_segment(std::span<const std::byte> file, std::uint64_t segment) {
  Bytes framed;
  const std::size_t rest = for_each_record(file, [&](std::span<const std::byte> body) {
    const std::size_t start = framed.size();
    framed.resize(start + kFrameBytes);
    append_bytes(body, framed);
    frame_body(framed, start);
    return true;
  });
  seal_frames(framed, {kGroup, segment, 0});
  append_bytes(file.last(rest), framed);
  return framed;
}

FakeDisk disk_from(Input& input) {
  FakeDisk disk;
  const std::uint8_t which = input.byte();
  if ((which & 1U) == 0) {
    disk[text_of_name(format_name(kGroup))] = format_of_new_group(kGroup, 0);
  } else if ((which & 2U) == 0) {
    disk[text_of_name(format_name(kGroup))] = stored_file<Format>(input);
  }
  if ((which & 4U) != 0) {
    disk[text_of_name(snapshot_name(kGroup))] =
        (which & 8U) == 0 ? sound_snapshot(input) : stored_file<SnapshotHeader>(input);
  }
  for (std::uint64_t segment = 1; segment <= (which >> 4U) % (kMostSegments + 1); ++segment) {
    disk[text_of_name(segment_name(kGroup, segment))] =
        as_segment(stored_file<SegmentHeader, LogRecord, LogRecord>(input), segment);
  }
  return disk;
}

}  // namespace

Outcome paxos_disk(std::span<const std::byte> bytes) {
  Input input(bytes);
  const std::uint32_t replicas = input.byte() % 2 == 0 ? 1 : 3;
  FakeContext context(NodeId{100});
  context.disks[kDisk] = disk_from(input);
  state_facts(context.disks[kDisk]);
  Server server(options_of(replicas));
  server.on_start(context);
  context.complete_all(server);
  const Health health = server.driver.health();
  require(health != Health::recovering, "recovery comes to an end");
  for (int tick = 0; tick < 8; ++tick) {
    if (!context.next_timer()) break;
    context.fire(server, *context.next_timer());
    context.complete_all(server);
  }
  require(server.driver.health() == health, "a sound disk does not become damaged by being used");
  return health == Health::working ? Outcome::accepted : Outcome::refused;
}

}  // namespace photon::fuzz
