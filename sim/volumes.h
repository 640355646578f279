// Simulated durable storage: host disks, shared cells, and input logs that come from outside.
//
// Fault model (the contract that processes see is core_impl/runtime/volume.h):
//  * A request takes effect and completes at one instant, its service time after submission, but
//    never before an earlier request to the same file; `list` and `fence`, which concern many
//    files, keep their place among all requests to the volume.
//  * Process crash. Each of its requests in flight takes effect in full, not at all, or in part, a
//    random prefix; a third of the cases each, decided at the crash from (process, life, request
//    ordinal). Only an append of several bytes has parts: of anything else two thirds of the cases
//    have no effect. What takes effect does so at its own time, that is possibly *late*, after a
//    successor has started: fences exist for this. On a shared cell the unsynced suffix of every
//    file that the process wrote last is lost as well (it sat in the client); a host's disk keeps
//    it (it sits in the page cache).
//  * Host crash. All its processes crash. Requests in flight to its disk are settled at once. The
//    unsynced suffix of every file of its disk is dropped, or torn at a random byte, with equal
//    probability.
//  * Loss of a disk. Its host has crashed; everything on the disk is lost, fences and epochs too.
//  * Shared cells survive host crashes. An outage of a volume answers every request `unavailable`
//    after a fixed time; a request in flight when the outage began takes effect or not, at random,
//    and is answered `unavailable` too. Nothing stored is lost by an outage.
//  * Damage: a byte range of a stored file can be damaged; reads that touch it answer `torn`. The
//    pristine bytes are kept apart from damage, so the simulator always knows the truth. A range
//    can also be lost: reads give zeros without any error. A lost range may be given back, which no
//    storage should do (SPEC J-S1).
//  * A volume of limited capacity answers `full`.
//  * While a fault lasts (volume_faults.h), the requests that it hits change:
//    - write error: a write is answered `unavailable`, and has its whole effect or none, at random;
//    - full: appends and replacements are answered `full`;
//    - slow: the service time of a request is multiplied by a factor;
//    - lost sync, of a host's disk: answers do not change, but bytes that a sync, a synced append
//      or a replacement made durable are on the medium only when the fault ends, or when a later
//      one of the same file is not hit. If the host crashes before, the file is as it was before
//      the first hit (unless it was removed meanwhile);
//    - misdirected write: the bytes of an append land on stored bytes of the volume, drawn among
//      all of them, up to the end of that file; their own place holds zeros.
//  * Bit rot: one stored bit, drawn among all that are durable, is wrong from then on.
//  * Torn write: at a crash that is this fault's own, each append in flight of several bytes takes
//    effect in part.
//  Bit rot and misdirected writes take effect when wrong bytes are read, a torn write when the end
//  of the written part is read; a replacement of the file heals them. A lost sync takes effect when
//  a crash undoes something durable, a slow volume by the rule of effect_tracker.h. The tap records
//  requests and answers; it does not see these faults.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "core_impl/base/check.h"
#include "core_impl/base/random.h"
#include "core_impl/base/slab.h"
#include "core_impl/runtime/volume.h"
#include "sim/effect_tracker.h"
#include "sim/fault_effects.h"
#include "sim/kernel.h"
#include "sim/ports.h"
#include "sim/slowness.h"
#include "sim/stored_files.h"
#include "sim/tap.h"
#include "sim/topology.h"
#include "sim/volume_faults.h"

namespace photon::sim {

class UseMeter;

// The requester: one life of one process. Tickets count the requests of that life, from 1.
struct Requester {
  Party party;
  Ticket ticket{};
};

// What is already known about the outcome of a request in flight.
enum class Fate : std::uint8_t {
  open,       // executed at its time
  refused,    // the volume was in outage at submission: `unavailable`, no effect
  in_doubt,   // an outage began while it was in flight: `unavailable`, effect already decided
  abandoned,  // its process is dead: takes effect, its answer is dropped
};

// A request in flight, or one whose result waits for a busy process.
struct Operation {
  VolumeRequest request{};
  Requester requester{};
  std::uint64_t sequence = 0;  // order of submission over the whole run
  Fate fate = Fate::open;
  bool takes_effect = true;  // in_doubt
  // Of a write error: reported when it is answered; of a torn write: recorded where it tears.
  std::uint32_t fault = kNoFault;
  bool done = false;  // executed; its result waits for a busy process
  IoResult result{};
};

// Gets completed operations; calls Volumes::release when it is done with one.
class IoSink {
 public:
  IoSink() = default;
  IoSink(const IoSink&) = delete;
  IoSink& operator=(const IoSink&) = delete;
  virtual ~IoSink() = default;
  virtual void io_completed(std::uint64_t handle, Operation& operation) = 0;
};

struct VolumeCounters {
  std::uint64_t requests = 0;
  std::uint64_t abandoned = 0;      // in flight when their process died
  std::uint64_t torn_appends = 0;   // took effect in part
  std::uint64_t lost_suffixes = 0;  // unsynced bytes dropped or torn at a crash
  std::uint64_t unavailable = 0;
};

class Volumes final : public Actor {
 public:
  struct Setup {
    const StorageModel& model;
    Tap& tap;
    FaultEffects& effects;
    IoSink& sink;
    Slowness& slowness;
    UseMeter& meter;
    std::uint64_t seed = 0;
    Duration unavailable_after{};  // delay of the answers of a volume in outage
  };
  Volumes(Kernel& kernel, const Topology& topology, const Setup& setup);

  // Later draws come from another seed: times of requests, effects of crashes and of active faults.
  void renew(std::uint64_t seed);

  // The content of an input log volume. `foreign` outlives the run.
  void attach(VolumeId volume, ExternalVolume& external);

  // A file that exists, durable, before the run begins: deployed with the machine, not written by
  // any process.
  void provision(VolumeId volume, const FileName& file, std::span<const std::byte> content);

  // Takes effect later; `departure` >= now. The volume must be reachable: a disk of the
  // requester's own host, or a cell or input log of its own datacenter.
  void submit(const Requester& requester, SimTime departure, VolumeRequest request);
  Operation* find(std::uint64_t handle) { return operations_.find(handle); }
  // Answers that come late, by the handles of their requests.
  EffectTracker& effect_tracker() { return effect_tracker_; }
  void release(std::uint64_t handle) { operations_.erase(handle); }

  void process_crashed(NodeId node);
  void host_crashed(HostId host);
  // The host has crashed, and its disks are replaced. False if they held nothing.
  bool lose_disks(HostId host, NewDisks instead = NewDisks::empty);
  void begin_outage(std::uint32_t fault, VolumeId volume);
  void end_outage(std::uint32_t fault, VolumeId volume);

  // Faults on requests (volumes_faults.cc).
  VolumeFaults& volume_faults() { return volume_faults_; }
  // What a lost sync of this fault claimed is durable now.
  void keep_claims(std::uint32_t fault, VolumeId volume);
  // Durable bytes that could rot.
  std::uint64_t durable_bytes(VolumeId volume);
  // One bit of them is wrong from now on. Requires durable_bytes() > 0.
  void rot(std::uint32_t fault, VolumeId volume);
  // The process with an append in flight that could be torn, the oldest; kNoNode if none.
  NodeId appending(VolumeId volume);
  // Its appends in flight take effect in part when the process crashes, at this instant.
  void tear(std::uint32_t fault, VolumeId volume, NodeId node);

  // Damages stored bytes [offset, offset + length) of a file. False if the file does not reach that
  // far.
  bool damage(VolumeId volume, const FileName& file, std::uint64_t offset, std::uint64_t length);
  // Loses a byte range of a stored file: reads give zeros. False if there is none.
  bool lose(VolumeId volume, const FileName& file, std::uint64_t offset, std::uint64_t length);
  // Undoes the loss of exactly that range: reads give its bytes again, and it is recorded as
  // durable once more. False if there is no such loss.
  bool give_back(VolumeId volume, const FileName& file, std::uint64_t offset, std::uint64_t length);
  // For the scenario: the files with their durable lengths, in name order; the durable bytes of one
  // from `offset` on (moved after the freed ones); and to free bytes that are not read again, in
  // whole chunks: later reads of them answer `torn`.
  std::vector<FileInfo> durable_files(VolumeId volume, std::string_view prefix);
  void read_durable(VolumeId volume, const FileName& file, std::uint64_t& offset, Bytes& out) const;
  void forget_before(VolumeId volume, const FileName& file, std::uint64_t offset);
  // Bytes of memory held by the volumes of that class.
  std::uint64_t bytes_kept(VolumeClass kind);

  // For tests and closing checks: the bytes really stored.
  const StoredFiles& files(VolumeId volume) const { return volume_at(volume).files; }
  const VolumeCounters& counters() const { return counters_; }

  void on_event(Kernel& kernel, const Event& event) override;

 private:
  struct Provision {
    VolumeId volume{};
    FileName file{};
    std::vector<std::byte> content{};
  };
  struct Volume {
    VolumeInfo info;
    StoredFiles files;
    ExternalVolume* external = nullptr;
    std::size_t under_way = 0;  // requests
    SimTime latest{};           // completion of the latest request so far
    SimTime barrier{};          // completion of the latest request to many files
    std::map<FileName, SimTime, std::less<>> latest_by_file{};
    std::vector<std::uint32_t> outages{};  // faults
    RandomStream crash_stream{};
    std::uint32_t losses = 0;  // of unsynced bytes so far, so that each draws anew
    // Of a file whose last sync was lost: its content on the medium; nothing if there was no file.
    struct Claim {
      std::uint32_t fault = kNoFault;
      std::optional<StoredFile> on_medium{};
    };
    std::map<FileName, Claim, std::less<>> claims{};
  };
  struct ProcessStreams {
    RandomStream service;
    RandomStream crash;
  };

  Volume& volume_at(VolumeId id) {
    PHOTON_CHECK(id.value() < volumes_.size(), "a volume exists");
    return volumes_[id.value()];
  }
  const Volume& volume_at(VolumeId id) const {
    PHOTON_CHECK(id.value() < volumes_.size(), "a volume exists");
    return volumes_[id.value()];
  }
  Volume& volume_of(const Operation& operation) { return volume_at(operation.request.volume); }
  SimTime completion_time(const Volume& volume, const VolumeRequest& request,
                          SimTime earliest) const;
  void note_completion(Volume& volume, const VolumeRequest& request, SimTime at);
  void check_reachable(const Volume& volume, const Party& party) const;
  void tap_issued(const Volume& volume, const Operation& operation);
  void finish(std::uint64_t handle, Operation& operation);
  void execute(Volume& volume, Operation& operation);
  void read(Volume& volume, const VolumeRequest& request, IoResult& result);
  void append(Volume& volume, const Operation& operation, IoResult& result);
  void replace(Volume& volume, const Operation& operation, IoResult& result);
  void remove(Volume& volume, const Operation& operation, IoResult& result);
  void fence(Volume& volume, const Operation& operation);
  void sync(Volume& volume, const Operation& operation, IoResult& result);
  void make_durable(Volume& volume, const FileName& name, StoredFile& file, std::uint64_t length);
  bool decide_abandoned(Operation& operation);
  static VolumeFaults::Request seen(const Operation& operation);
  void draw_fault(Operation& operation);
  bool has_room(const Volume& volume, const Operation& operation, std::uint64_t taken);
  void show_wrong(const StoredFile& file, std::uint64_t begin, Bytes& data);
  void misdirect(Volume& volume, const Operation& operation, StoredFile& written);
  void write(Volume& volume, Operation& operation);
  std::optional<Volume::Claim> claim(const Volume& volume, const Operation& operation) const;
  void settle_claim(Volume& volume, const Operation& operation,
                    std::optional<Volume::Claim> claimed);
  void lose_claims(Volume& volume);
  void lose_unsynced(Volume& volume, NodeId writer);
  static void store(StoredFiles& files, const Provision& provision);
  void set_streams(std::uint64_t seed);
  void lose_suffix(Volume& volume, const FileName& name, StoredFile& file, std::uint64_t begin);

  Kernel& kernel_;
  const Topology& topology_;
  const StorageModel& model_;
  Tap& tap_;
  FaultEffects& effects_;
  IoSink& sink_;
  Slowness& slowness_;
  UseMeter& meter_;
  EffectTracker effect_tracker_;
  VolumeFaults volume_faults_;
  std::uint64_t seed_;
  Duration unavailable_after_;
  ActorId self_;
  std::vector<Volume> volumes_;
  std::vector<Provision> provisions_;
  std::vector<ProcessStreams> streams_;  // by process
  std::uint64_t sequence_ = 0;
  Slab<Operation> operations_;
  Bytes scratch_;
  VolumeCounters counters_;
};

}  // namespace photon::sim
