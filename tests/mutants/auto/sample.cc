// What `test` rewrites: each function has the mutants that its name says, and main prints what they
// return.
#include <algorithm>
#include <chrono>
#include <compare>
#include <cstdio>
#include <utility>
#include <vector>

namespace {

#define SAMPLE_CHECK(condition) ((condition) ? void() : void())
#define PHOTON_MARK(name) static_cast<void>(name)
#define PHOTON_LIMIT(name, value, limit)  \
  do {                                    \
    static_cast<void>(name);              \
    static_cast<void>((value) < (limit)); \
  } while (false)

template <class T>
constexpr bool kSmall = sizeof(T) <= 2;

int limit(int a, int b) { return a < b ? 1 : 2; }

bool relation(int a, int b) { return a >= b; }

int sides(bool a, bool b) {
  if (a && b) return 1;
  return 0;
}

int arithmetic(int a, int b) { return a - b; }

int dropped(std::vector<int> numbers) {
  numbers.push_back(7);
  SAMPLE_CHECK(numbers.size() == 1);
  return numbers.back();
}

int smallest(int a, int b) { return std::min(a, b); }

int ratio(int a, int b) { return a / b; }
int swapped(int whole, int part) { return ratio(whole, part); }

template <class T>
int compile_time(T) {
  if constexpr (kSmall<T>) return 5;
  return 6;
}

bool last(const std::pair<int, int>& pair) { return pair.second == 9; }

int marks(int value) {
  if (value > 3) PHOTON_MARK("sample.large");
  if (value > 3 && value < 9) {
    PHOTON_MARK("sample.larger");
    PHOTON_MARK("sample.not_too_large");
  }
  if (value > 3) {
    PHOTON_LIMIT("sample.size", value + 1, std::min(value, 5));
  }
  if (value < 9) PHOTON_LIMIT("sample.more", value - 1, 5);
  return value;
}

struct Defaults {
  int read = 3;
  int replaced = 4;
};
int defaults(int value) {
  const Defaults made{.replaced = value};
  return made.read * made.replaced;
}

// The compiler writes their relations by way of <=>, and != by way of ==.
struct Ballot {
  int number;
  auto operator<=>(const Ballot&) const = default;
};
int ballots(Ballot a, Ballot b) { return a < b ? 1 : 2; }
bool moments(std::chrono::nanoseconds a, std::chrono::nanoseconds b) { return a >= b; }
bool differ(Ballot a, Ballot b) {
  const bool result = a != b;
  return result;
}

enum class Code { ok, refused, late };
int coded(bool sound) {
  const Code code = sound ? Code::ok : Code::late;
  return code == Code::late ? 1 : static_cast<int>(code);
}

struct TrueTimeInterval {
  int earliest;
  int latest;
};
struct Clocks {
  int calendar;
  TrueTimeInterval interval;
  int wall() const { return calendar; }
  TrueTimeInterval true_time() const { return interval; }
};
int stamp_from(int time) { return time; }
int calendar(const Clocks& clocks) { return stamp_from(clocks.wall()); }
int true_time(const Clocks& clocks) { return stamp_from(clocks.true_time().latest); }

}  // namespace

int main() {
  std::printf("limit %d %d\n", limit(1, 2), limit(2, 2));
  std::printf("relation %d\n", relation(3, 3));
  std::printf("sides %d %d\n", sides(true, true), sides(true, false));
  std::printf("arithmetic %d\n", arithmetic(5, 3));
  std::printf("dropped %d\n", dropped({1, 2}));
  std::printf("smallest %d\n", smallest(4, 4));
  std::printf("swapped %d\n", swapped(8, 2));
  std::printf("compile_time %d\n", compile_time('a'));
  std::printf("last %d\n", last({1, 9}));
  std::printf("marks %d\n", marks(8));
  std::printf("defaults %d\n", defaults(10));
  std::printf("ballots %d %d\n", ballots({1}, {2}), ballots({2}, {2}));
  std::printf("moments %d\n", moments(std::chrono::seconds(2), std::chrono::seconds(2)));
  std::printf("differ %d\n", differ({1}, {2}));
  std::printf("coded %d %d\n", coded(true), coded(false));
  std::printf("calendar %d\n", calendar({4, {3, 6}}));
  std::printf("true_time %d\n", true_time({4, {3, 6}}));
}
