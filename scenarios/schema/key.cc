#include "scenarios/schema/key.h"

#include <cmath>

#include <fmt/format.h>

#include "scenarios/config/units.h"

namespace photonsim::scenarios {
namespace {

std::string join_names(const std::vector<std::string>& names) {
  std::string result;
  for (const std::string& name : names) {
    result += fmt::format("{}{}", result.empty() ? "" : ", ", quote(name));
  }
  return fmt::format("[{}]", result);
}

struct ValueFormatter {
  const Key& key;

  std::string operator()(const std::string* text) const { return quote(*text); }
  std::string operator()(const std::vector<std::string>* names) const {
    if (key.kind == Kind::kPaths && names->size() < 2) {
      return quote(names->empty() ? std::string_view() : names->front());
    }
    return join_names(*names);
  }
  std::string operator()(const std::uint64_t* count) const {
    if (key.kind == Kind::kBytes) return quote(format_bytes(*count));
    const std::string digits = fmt::format("{}", *count);
    return *count > kMostPlainCount ? quote(digits) : digits;
  }
  std::string operator()(const double* real) const { return format_real(*real); }
  std::string operator()(const bool* flag) const { return *flag ? "true" : "false"; }
  std::string operator()(const Duration* duration) const {
    return quote(format_duration(*duration));
  }
  std::string operator()(const std::optional<Duration>* duration) const {
    return quote(*duration ? format_duration(**duration) : std::string{key.absent});
  }
  std::string operator()(const ChoiceSlot& choice) const {
    return quote(key.choices[*choice.value]);
  }
};

}  // namespace

std::string format_value(const Key& key, const Slot& slot) {
  return std::visit(ValueFormatter{key}, slot);
}

std::string describe_kind(const Key& key) {
  std::string result;
  switch (key.kind) {
    case Kind::kText:
      return "text";
    case Kind::kName:
      return "name (letters, digits, - _ . / @)";
    case Kind::kPath:
      return "file, relative to the scenario file";
    case Kind::kPaths:
      return "file or array of files, relative to the scenario file";
    case Kind::kNames:
      return "array of names";
    case Kind::kCount:
      return "whole number";
    case Kind::kBytes:
      return "size with unit, as in \"64KiB\"";
    case Kind::kDuration:
      result = "duration with unit, as in \"100ms\"";
      break;
    case Kind::kFraction:
      return "fraction, as in 0.001, \"0.1%\" or \"200ppm\"";
    case Kind::kReal:
      return "number";
    case Kind::kBoolean:
      return "true or false";
    case Kind::kChoice:
      for (const std::string_view choice : key.choices) {
        result += fmt::format("{}\"{}\"", result.empty() ? "one of " : ", ", choice);
      }
      return result;
  }
  return key.absent.empty() ? result : result + fmt::format(", or \"{}\"", key.absent);
}

std::string format_bound(const Key& key, double value) {
  switch (key.kind) {
    case Kind::kDuration:
      return format_duration(Duration{static_cast<std::int64_t>(value)});
    case Kind::kBytes:
      return format_bytes(static_cast<std::uint64_t>(value));
    case Kind::kCount:
      return fmt::format("{}", static_cast<std::uint64_t>(value));
    default:
      return fmt::format("{}", value);
  }
}

std::string describe_range(const Key& key) {
  switch (key.kind) {
    case Kind::kCount:
    case Kind::kBytes:
    case Kind::kDuration:
    case Kind::kFraction:
    case Kind::kReal:
      break;
    default:
      return {};
  }
  const std::string low = format_bound(key, key.range.low);
  if (std::isinf(key.range.high)) {
    return "at least " + low;
  }
  return fmt::format("{} to {}", low, format_bound(key, key.range.high));
}

std::string quote(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    switch (c) {
      case '"':
        result += "\\\"";
        break;
      case '\\':
        result += "\\\\";
        break;
      case '\n':
        result += "\\n";
        break;
      case '\r':
        result += "\\r";
        break;
      case '\t':
        result += "\\t";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
          result += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
        } else {
          result += c;
        }
    }
  }
  return result + "\"";
}

}  // namespace photonsim::scenarios
