#include "core_impl/base/recycling_allocator.h"

#include <array>
#include <atomic>
#include <bit>
#include <new>
#include <utility>

namespace photon {
namespace {

// Size classes: multiples of 16 up to 128 bytes, then four to each doubling, up to 1 MiB. A block
// is at most a quarter larger than what was asked for.
constexpr std::size_t kFineStep = 16;
constexpr std::size_t kFineClasses = 9;  // 0 .. 128 bytes
constexpr std::size_t kClasses = 61;     // the last one holds 1 MiB

// Small blocks are cut from chunks, so that growth by a million small objects asks the operating
// system for a few thousand chunks.
constexpr std::size_t kChunk = std::size_t{256} << 10U;
constexpr std::size_t kMostFromChunk = std::size_t{8} << 10U;

struct FreeBlock {
  FreeBlock* next;
};

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kRecycle = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr bool kRecycle = false;
#else
constexpr bool kRecycle = true;
#endif
#else
constexpr bool kRecycle = true;
#endif

std::size_t class_of(std::size_t bytes) {
  if (bytes <= 2 * kFineStep) return 2;
  if (bytes <= (kFineClasses - 1) * kFineStep) return (bytes + kFineStep - 1) / kFineStep;
  const auto width = static_cast<std::size_t>(std::bit_width(bytes - 1));
  return kFineClasses - 1 + (width - 8) * 4 + ((bytes - 1) >> (width - 3)) - 3;
}

std::size_t size_of_class(std::size_t size_class) {
  if (size_class < kFineClasses) return size_class * kFineStep;
  const std::size_t step = size_class - kFineClasses;
  return (step % 4 + 5) << (5 + step / 4);
}

// The free blocks of one thread. Chunks are never freed: their blocks may be in use anywhere.
class FreeLists {
 public:
  void* take(std::size_t size_class) {
    FreeBlock* head = heads_[size_class];
    if (head == nullptr) return fresh(size_of_class(size_class));
    heads_[size_class] = head->next;
    return head;
  }

  void give(std::size_t size_class, void* block) {
    heads_[size_class] = ::new (block) FreeBlock{heads_[size_class]};
  }

  FreeLists* next_orphan = nullptr;

 private:
  void* fresh(std::size_t size) {
    if (size > kMostFromChunk) return ::operator new(size);
    if (size > left_) {
      chunk_ = static_cast<std::byte*>(::operator new(kChunk));
      left_ = kChunk;
    }
    std::byte* block = chunk_;
    chunk_ += size;
    left_ -= size;
    return block;
  }

  std::array<FreeBlock*, kClasses> heads_{};
  std::byte* chunk_ = nullptr;
  std::size_t left_ = 0;
};

// Lists whose thread has ended wait here for the next thread that needs some.
std::atomic<FreeLists*> orphans{nullptr};

void abandon(FreeLists* lists) {
  lists->next_orphan = orphans.load();
  while (!orphans.compare_exchange_weak(lists->next_orphan, lists)) {
  }
}

FreeLists* adopt() {
  FreeLists* first = orphans.exchange(nullptr);
  if (first == nullptr) return new FreeLists();
  for (FreeLists* rest = std::exchange(first->next_orphan, nullptr); rest != nullptr;) {
    abandon(std::exchange(rest, rest->next_orphan));
  }
  return first;
}

struct Owner {
  Owner() : lists(adopt()) {}
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;
  ~Owner() { abandon(lists); }
  FreeLists* lists;
};

FreeLists& lists() {
  thread_local const Owner owner;
  return *owner.lists;
}

}  // namespace

void* allocate_recycled(std::size_t bytes) {
  const std::size_t size_class = class_of(bytes);
  if (!kRecycle || size_class >= kClasses) return ::operator new(bytes);
  return lists().take(size_class);
}

void release_recycled(void* block, std::size_t bytes) noexcept {
  const std::size_t size_class = class_of(bytes);
  if (!kRecycle || size_class >= kClasses) {
    ::operator delete(block);
    return;
  }
  lists().give(size_class, block);
}

}  // namespace photon
