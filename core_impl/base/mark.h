// PHOTON_MARK: names a rare path of the code, and counts how often it is taken.
// PHOTON_LIMIT: names a comparison, and counts how often it met each side, and equality.
//
// A mark stands on a branch that tests might never execute: a refusal, a stale reply, a torn tail,
// a race. Every mark of the program registers itself before main() begins, so that the marks that
// were never reached are known as well. A hit adds one to a counter if this thread has active ones.
// It costs a load and a test, and perhaps an increment; nothing depends on it.
//
// The list of places is all that counters share; it does not change once main() has begun.
// DESIGN sections 3 and 6; SPEC J-H4.
#pragma once

#include <concepts>
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

inline bool is_counting() { return active_counts != nullptr; }

template <class Below, class At, class Above, class Value, class Limit>
void compare(const Value& value, const Limit& limit) {
  bool below = false;
  bool above = false;
  if constexpr (std::integral<Value> && std::integral<Limit>) {  // of any signs
    below = std::cmp_less(value, limit);
    above = std::cmp_less(limit, value);
  } else {
    below = value < limit;
    above = limit < value;
  }
  (below ? Registered<Below>::mark : above ? Registered<Above>::mark : Registered<At>::mark).hit();
}

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

#define PHOTON_MARK_SIDE(side, mark_name)                                                    \
  struct side {                                                                              \
    static constexpr ::photon::MarkPlace place() { return {mark_name, __FILE__, __LINE__}; } \
  }

// PHOTON_LIMIT("registry.insert.stamp", id.stamp, boundary_): a statement beside the comparison
// that decides. It stands for three marks, with `.below`, `.at` and `.above` behind the name: the
// value is smaller than the limit, equal to it, greater. A break of the comparison (`<` for `<=`)
// differs at the limit alone: a campaign that never met `.at` says nothing about it. The operands
// have no effects; they are evaluated only where marks are counted.
#define PHOTON_LIMIT(limit_name, value, limit)                                          \
  do {                                                                                  \
    PHOTON_MARK_SIDE(PhotonBelow, limit_name ".below");                                 \
    PHOTON_MARK_SIDE(PhotonAt, limit_name ".at");                                       \
    PHOTON_MARK_SIDE(PhotonAbove, limit_name ".above");                                 \
    if (::photon::mark_detail::is_counting()) {                                         \
      ::photon::mark_detail::compare<PhotonBelow, PhotonAt, PhotonAbove>(value, limit); \
    }                                                                                   \
  } while (false)
