// Included first by the files of a scratch copy that `rewrite` has changed. One build holds many
// mutants, and the environment chooses:
//
//   PHOTON_MUTANT=17     the mutant 17 is on
//   PHOTON_MUTANTS=FILE  the program is unchanged, and notes in FILE which mutants would have made
//                        a difference: one byte for each number, 1 if at some evaluation its value
//                        differs, or its statement is reached. The size of FILE limits the numbers.
//
// A site with several mutants has consecutive numbers. What is evaluated at compile time is never
// mutated.
#pragma once

// A rewritten expression may deserve these; other warnings leave its mutant out.
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wimplicit-fallthrough"
#pragma GCC diagnostic ignored "-Wclass-memaccess"
#pragma GCC diagnostic ignored "-Wreturn-type"

#include <cstdlib>
#include <type_traits>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace mutant {

struct Switch {
  int active = 0;  // 0: none; -1: noting
  unsigned char* noted = nullptr;
  int size = 0;
};

// Shared memory, so that a crash and the exit of a child lose nothing.
inline Switch open_switch() {
  Switch result;
  if (const char* number = std::getenv("PHOTON_MUTANT")) result.active = std::atoi(number);
  if (const char* name = std::getenv("PHOTON_MUTANTS")) {
    const int file = ::open(name, O_RDWR);
    struct stat about {};
    if (file < 0 || ::fstat(file, &about) != 0) std::abort();
    void* bytes = ::mmap(nullptr, static_cast<std::size_t>(about.st_size), PROT_READ | PROT_WRITE,
                         MAP_SHARED, file, 0);
    ::close(file);
    if (bytes == MAP_FAILED) std::abort();
    result = {-1, static_cast<unsigned char*>(bytes), static_cast<int>(about.st_size)};
  }
  return result;
}
inline const Switch current = open_switch();

[[gnu::cold]] inline bool chosen(int number, bool differs) {
  if (current.active > 0) return current.active == number;
  if (differs && number < current.size) current.noted[number] = 1;
  return false;
}

// Whether the mutant is on; its value differs from the right one if `differs`.
constexpr bool on(int number, bool differs = true) {
  if (std::is_constant_evaluated()) return false;
  if (current.active == 0) [[likely]]
    return false;
  return chosen(number, differs);
}

// Conditions: number: true; number + 1: false.
constexpr bool condition(int number, bool value) {
  if (on(number, !value)) return true;
  return !on(number + 1, value) && value;
}
// Of loops, which would not end if true. number: false.
constexpr bool loop(int number, bool value) { return !on(number, value) && value; }
// number: the opposite.
constexpr bool negated(int number, bool value) { return on(number) ? !value : value; }
// One side of && or ||: number: without it.
constexpr bool and_side(int number, bool value) { return on(number, !value) || value; }
constexpr bool or_side(int number, bool value) { return !on(number, value) && value; }

// number: one more; number + 1: one less.
template <class Integer>
constexpr Integer constant(int number, Integer value) {
  if (on(number)) return static_cast<Integer>(value + 1);
  return on(number + 1) ? static_cast<Integer>(value - 1) : value;
}

// Relations: number: the limit itself belongs to the other side; with kCount = 2, number + 1: the
// opposite.
template <int kCount, class Left, class Right>
constexpr bool less(int number, const Left& left, const Right& right) {
  const bool value = left < right;
  if constexpr (kCount == 2) {
    if (on(number + 1)) return !value;
  }
  if (std::is_constant_evaluated() || current.active == 0) return value;
  const bool moved = !(right < left);
  return on(number, moved != value) ? moved : value;
}
template <int kCount, class Left, class Right>
constexpr bool greater(int number, const Left& left, const Right& right) {
  return less<kCount>(number, right, left);
}
template <int kCount, class Left, class Right>
constexpr bool at_most(int number, const Left& left, const Right& right) {
  const bool value = left <= right;
  if constexpr (kCount == 2) {
    if (on(number + 1)) return !value;
  }
  if (std::is_constant_evaluated() || current.active == 0) return value;
  const bool moved = left < right;
  return on(number, moved != value) ? moved : value;
}
template <int kCount, class Left, class Right>
constexpr bool at_least(int number, const Left& left, const Right& right) {
  return at_most<kCount>(number, right, left);
}

// The other sign.
template <class Left, class Right>
constexpr auto plus(int number, const Left& left, const Right& right) {
  using Sum = decltype(left + right);
  if constexpr (requires { static_cast<Sum>(left - right); }) {
    if (on(number)) return static_cast<Sum>(left - right);
  }
  return static_cast<Sum>(left + right);
}
template <class Left, class Right>
constexpr auto minus(int number, const Left& left, const Right& right) {
  using Difference = decltype(left - right);
  if constexpr (requires { static_cast<Difference>(left + right); }) {
    if (on(number)) return static_cast<Difference>(left + right);
  }
  return static_cast<Difference>(left - right);
}

}  // namespace mutant
