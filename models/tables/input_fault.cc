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

std::string InputFaults::text() const {
  std::string text;
  for (const InputFault& each : kept_) text += (text.empty() ? "" : "\n") + each.text();
  if (total_ > kept_.size()) {
    text += fmt::format("\nthese are the first {} of {} faults", kept_.size(), total_);
  }
  return text;
}

}  // namespace photon::models
