#include "models/tables/input_fault.h"

#include <utility>

#include <fmt/format.h>

namespace photon::models {

std::string InputFault::text() const {
  std::string out = file;
  if (line > 0) out += ':' + std::to_string(line);
  out += ": " + message;
  if (!remedy.empty()) out += " (" + remedy + ")";
  return out;
}

InputFaults::InputFaults(std::initializer_list<InputFault> faults) {
  for (const InputFault& each : faults) add(each);
}

void InputFaults::add(InputFault fault) {
  ++total_;
  if (kept_.size() < kMostKept) kept_.push_back(std::move(fault));
}

std::vector<std::string> InputFaults::texts() const {
  std::vector<std::string> texts;
  for (const InputFault& each : kept_) texts.push_back(each.text());
  if (total_ > kept_.size()) {
    texts.push_back(fmt::format("these are the first {} of {} faults", kept_.size(), total_));
  }
  return texts;
}

}  // namespace photon::models
