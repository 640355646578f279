// PHOTON_MARK: names a rare path of the code, and counts how often it is taken.
//
// A mark stands on a branch that tests might never execute: a refusal, a stale reply, a torn tail,
// a race. Every mark of the program registers itself before main() begins, so that the marks that
// were never reached are known as well. A hit adds one to a counter if this thread has active ones.
// It costs a load and a test, and perhaps an increment; nothing depends on it.
//
// The list of places is all that counters share; it does not change once main() has begun.
// DESIGN sections 3 and 6; SPEC J-H4.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace photon {

struct MarkPlace {
  std::string_view name;  // "place.path", unique
  std::string_view file;  // from the root of the tree
  int line = 0;
};

// Every mark that is linked into this program, in the order of names. A mark's number is its place
// in this list.
std::span<const MarkPlace> all_marks();

// Numbers of marks, ascending, and how often each was hit; none that was not.
using MarkHits = std::vector<std::pair<std::size_t, std::uint64_t>>;

// One counter for each mark.
class MarkCounts {
 public:
  MarkCounts() : counts_(all_marks().size()) {}
  MarkHits hits() const;

 private:
  friend class ScopedMarkCounts;
  std::vector<std::uint64_t> counts_;
};

namespace mark_detail {

// What the marks of this thread count in; null: nothing.
inline constinit thread_local std::uint64_t* active_counts = nullptr;

// One for each place and, in a template, each instantiation of it: these share the number.
class Mark {
 public:
  explicit Mark(const MarkPlace& place);
  void hit() const {
    if (active_counts != nullptr) ++active_counts[number_];
  }

 private:
  friend std::vector<MarkPlace> numbered();
  MarkPlace place_;
  std::size_t number_ = 0;  // known once all_marks() was called: before the first count
  Mark* next_;
};

template <class Place>
struct Registered {
  static Mark mark;
};
template <class Place>
Mark Registered<Place>::mark{Place::place()};

}  // namespace mark_detail

// Counts the hits of this thread into `counts` while in scope; restores the previous counters.
class ScopedMarkCounts {
 public:
  explicit ScopedMarkCounts(MarkCounts& counts) : previous_(mark_detail::active_counts) {
    mark_detail::active_counts = counts.counts_.data();
  }
  ScopedMarkCounts(const ScopedMarkCounts&) = delete;
  ScopedMarkCounts& operator=(const ScopedMarkCounts&) = delete;
  ~ScopedMarkCounts() { mark_detail::active_counts = previous_; }

 private:
  std::uint64_t* previous_;
};

}  // namespace photon

// PHOTON_MARK("registry.insert.refused_late"): a statement. The name is a literal of lower-case
// words and dots that begins with the folder and is used nowhere else (tests/lint).
#define PHOTON_MARK(mark_name)                                                                 \
  do {                                                                                         \
    struct PhotonMarkPlace {                                                                   \
      static constexpr ::photon::MarkPlace place() { return {mark_name, __FILE__, __LINE__}; } \
    };                                                                                         \
    ::photon::mark_detail::Registered<PhotonMarkPlace>::mark.hit();                            \
  } while (false)
