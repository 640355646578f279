#include "core_impl/base/recycling_allocator.h"

#include <array>
#include <bit>
#include <new>

namespace photon {
namespace {

constexpr std::size_t kSmallestShift = 5;  // 32 bytes
constexpr std::size_t kClasses = 16;       // up to 1 MiB

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

class FreeLists {
 public:
  FreeLists() = default;
  FreeLists(const FreeLists&) = delete;
  FreeLists& operator=(const FreeLists&) = delete;
  ~FreeLists() {
    for (FreeBlock* head : heads_) {
      while (head != nullptr) {
        FreeBlock* next = head->next;
        ::operator delete(head);
        head = next;
      }
    }
  }

  void* take(std::size_t size_class) {
    FreeBlock* head = heads_[size_class];
    if (head == nullptr) return ::operator new(std::size_t{1} << (size_class + kSmallestShift));
    heads_[size_class] = head->next;
    return head;
  }

  void give(std::size_t size_class, void* block) {
    heads_[size_class] = ::new (block) FreeBlock{heads_[size_class]};
  }

 private:
  std::array<FreeBlock*, kClasses> heads_{};
};

FreeLists& lists() {
  thread_local FreeLists instance;
  return instance;
}

std::size_t class_of(std::size_t bytes) {
  const std::size_t width = bytes <= 1 ? 0 : static_cast<std::size_t>(std::bit_width(bytes - 1));
  return width <= kSmallestShift ? 0 : width - kSmallestShift;
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
