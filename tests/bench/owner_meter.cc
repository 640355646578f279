#include "tests/bench/owner_meter.h"

#include <cstdlib>
#include <cstring>
#include <new>

#include <dlfcn.h>
#include <execinfo.h>
#include <malloc.h>

#include "core_impl/base/recycling_allocator.h"

namespace photon::bench {
namespace {

struct Mark {
  const char* part;  // of a mangled name
  Owner owner;
};

// The first mark in a name decides; rows further up are more specific.
constexpr std::array kMarks{
    Mark{"10EventIndex", Owner::judge_index},
    Mark{"10TokenIndex", Owner::judge_index},
    Mark{"13JoinedLatency", Owner::judge_latency},  // rows of tables: the table's name holds them
    Mark{"16LatencyCollector", Owner::judge_latency},
    Mark{"15Linearizability", Owner::judge_linearizable},
    Mark{"PackedTableINS0_12RegistrationE", Owner::judge_registry},
    Mark{"PackedTableINS0_14AppliedOutcomeE", Owner::judge_registry},
    Mark{"PackedTableINS0_5ClickE", Owner::judge_join},
    Mark{"PackedTableINS0_10AtPipelineE", Owner::judge_join},
    Mark{"PackedTableINS0_7AttemptE", Owner::judge_join},
    Mark{"16RegistryEvidence", Owner::judge_registry},
    Mark{"15ConsensusLedger", Owner::judge_registry},
    Mark{"12JoinEvidence", Owner::judge_join},
    Mark{"N6photon8analysis", Owner::judge},
    Mark{"9scenarios11MasterWatch", Owner::judge},
    Mark{"12ChunkedBytes", Owner::volumes},
    Mark{"11StoredFiles", Owner::volumes},
    Mark{"14RegistryClient", Owner::others},  // of the embedding code: see below
    Mark{"14RegistryServer", Owner::registry},
    Mark{"14RegistryThread", Owner::registry},
    Mark{"7IdStore", Owner::registry},
    Mark{"7IdTable", Owner::registry},
    Mark{"N6photon5paxos", Owner::registry},
    Mark{"16EventStoreReader", Owner::event_store},
    Mark{"8LogStore", Owner::event_store},
    Mark{"9CacheNode", Owner::event_store},
    Mark{"8LruCache", Owner::event_store},
    Mark{"10LogFileMap", Owner::event_store},
    Mark{"16DispatcherWorker", Owner::dispatcher},
    Mark{"10StateStore", Owner::dispatcher},
    Mark{"6photon6Joiner", Owner::joiner},
    Mark{"N6photon6models", Owner::logs},
};

// Owners of code so general that its caller counts.
constexpr const char* kSimulator = "N6photon3sim";

std::array<std::int64_t, kOwners> live{};
bool looking = false;

Owner owner_of_stack() {
  if (looking) return Owner::others;
  looking = true;
  std::array<void*, 40> frames{};
  const int depth = backtrace(frames.data(), static_cast<int>(frames.size()));
  Owner owner = Owner::others;
  bool simulated = false;
  for (int i = 2; i < depth && owner == Owner::others; ++i) {
    Dl_info info{};
    if (dladdr(frames.at(static_cast<std::size_t>(i)), &info) == 0 || info.dli_sname == nullptr) {
      continue;
    }
    simulated = simulated || std::strstr(info.dli_sname, kSimulator) != nullptr;
    for (const Mark& mark : kMarks) {
      if (std::strstr(info.dli_sname, mark.part) == nullptr) continue;
      owner = mark.owner;
      break;
    }
  }
  looking = false;
  return owner == Owner::others && simulated ? Owner::simulator : owner;
}

// In front of each block; keeps malloc's alignment.
struct alignas(std::max_align_t) Head {
  Owner owner;
};

std::int64_t size_of(Head* head) {
  return static_cast<std::int64_t>(malloc_usable_size(head) - sizeof(Head));
}

void* hand_out(std::size_t size) {
  auto* head = static_cast<Head*>(std::malloc(size + sizeof(Head)));
  if (head == nullptr) throw std::bad_alloc();
  head->owner = owner_of_stack();
  live.at(static_cast<std::size_t>(head->owner)) += size_of(head);
  return head + 1;
}

void take_back(void* block) {
  if (block == nullptr) return;
  Head* head = static_cast<Head*>(block) - 1;
  live.at(static_cast<std::size_t>(head->owner)) -= size_of(head);
  std::free(head);
}

// Small blocks, by multiples of 32 bytes. One thread.
constexpr std::size_t kStep = 32;
constexpr std::size_t kSmall = 8192;
constexpr std::size_t kChunk = std::size_t{256} << 10U;
struct Free {
  Free* next;
};
std::array<Free*, kSmall / kStep + 1> heads{};
std::byte* chunk = nullptr;
std::size_t left = 0;

std::size_t class_of(std::size_t bytes) { return bytes == 0 ? 1 : (bytes + kStep - 1) / kStep; }

void* cut(std::size_t size) {
  if (size > left) {
    chunk = static_cast<std::byte*>(hand_out(kChunk));
    left = kChunk;
  }
  std::byte* block = chunk;
  chunk += size;
  left -= size;
  return block;
}

}  // namespace

std::string_view name_of(Owner owner) {
  static constexpr std::array<std::string_view, kOwners> kNames{
      "registry", "volumes", "event store", "dispatcher", "joiner", "logs",      "simulator",
      "others",   "j:join",  "j:registry",  "j:index",    "j:J-S4", "j:latency", "j:others"};
  return kNames.at(static_cast<std::size_t>(owner));
}

std::array<std::int64_t, kOwners> live_by_owner() { return live; }

}  // namespace photon::bench

namespace photon {

void* allocate_recycled(std::size_t bytes) {
  if (bytes > bench::kSmall) return bench::hand_out(bytes);
  bench::Free*& head = bench::heads.at(bench::class_of(bytes));
  if (head == nullptr) return bench::cut(bench::class_of(bytes) * bench::kStep);
  bench::Free* block = head;
  head = block->next;
  return block;
}

void release_recycled(void* block, std::size_t bytes) noexcept {
  if (bytes > bench::kSmall) return bench::take_back(block);
  bench::Free*& head = bench::heads.at(bench::class_of(bytes));
  head = ::new (block) bench::Free{head};
}

}  // namespace photon

void* operator new(std::size_t size) { return photon::bench::hand_out(size); }
void* operator new[](std::size_t size) { return photon::bench::hand_out(size); }
void operator delete(void* block) noexcept { photon::bench::take_back(block); }
void operator delete[](void* block) noexcept { photon::bench::take_back(block); }
void operator delete(void* block, std::size_t /*size*/) noexcept {
  photon::bench::take_back(block);
}
void operator delete[](void* block, std::size_t /*size*/) noexcept {
  photon::bench::take_back(block);
}
