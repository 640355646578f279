// Faults of input files: each with its place and a remedy; the first few are kept, all are counted.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace photon::models {

struct InputFault {
  std::string file;
  std::uint64_t line = 0;  // 1-based; 0: the file as a whole
  std::string message;
  std::string remedy;

  std::string text() const;  // "file:line: message (remedy)"
};

class InputFaults {
 public:
  static constexpr std::size_t kMostKept = 20;

  InputFaults() = default;
  InputFaults(std::initializer_list<InputFault> faults);

  void add(InputFault fault);
  bool empty() const { return total_ == 0; }
  std::uint64_t total() const { return total_; }
  std::size_t size() const { return kept_.size(); }  // of those kept: the first ones
  const InputFault& front() const { return kept_.front(); }
  const InputFault& operator[](std::size_t i) const { return kept_[i]; }
  auto begin() const { return kept_.begin(); }
  auto end() const { return kept_.end(); }

  // The texts of those kept. If there are more, a last one says how many there are in all.
  std::vector<std::string> texts() const;

 private:
  std::vector<InputFault> kept_;
  std::uint64_t total_ = 0;
};

}  // namespace photon::models
