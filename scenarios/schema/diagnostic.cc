#include "scenarios/schema/diagnostic.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

namespace photonsim::scenarios {

std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const auto continuation = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned first = byte(at);
  if (first < 0x80U) {
    return 1;
  }
  if (first >= 0xC2U && first <= 0xDFU && continuation(at + 1)) {
    return first == 0xC2U && byte(at + 1) < 0xA0U ? 0 : 2;
  }
  if (first >= 0xE0U && first <= 0xEFU && continuation(at + 1) && continuation(at + 2)) {
    const bool overlong = first == 0xE0U && byte(at + 1) < 0xA0U;
    const bool surrogate = first == 0xEDU && byte(at + 1) >= 0xA0U;
    return overlong || surrogate ? 0 : 3;
  }
  if (first >= 0xF0U && first <= 0xF4U && continuation(at + 1) && continuation(at + 2) &&
      continuation(at + 3)) {
    const bool overlong = first == 0xF0U && byte(at + 1) < 0x90U;
    const bool beyond = first == 0xF4U && byte(at + 1) >= 0x90U;
    return overlong || beyond ? 0 : 4;
  }
  return 0;
}

bool turns_direction(std::string_view text, std::size_t at) {
  const std::string_view mark = text.substr(at, 3);
  if (mark.starts_with("\xE2\x80"))
    return mark.size() == 3 && mark[2] >= '\xAA' && mark[2] <= '\xAE';
  if (mark.starts_with("\xE2\x81"))
    return mark.size() == 3 && mark[2] >= '\xA6' && mark[2] <= '\xA9';
  return false;
}

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

// The characters of printable text, tabs included.
std::vector<std::string_view> characters(std::string_view text) {
  std::vector<std::string_view> result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = std::max<std::size_t>(1, utf8_length(text, at));
    result.push_back(text.substr(at, length));
    at += length;
  }
  return result;
}

// The part of a long line around the column, and the caret line below it.
struct Excerpt {
  std::string text{};
  std::string caret{};
};

Excerpt excerpt(const Diagnostic& diagnostic) {
  constexpr std::size_t kWidth = 120;
  constexpr std::size_t kBefore = 60;
  const std::vector<std::string_view> all = characters(diagnostic.source_line);
  const std::size_t column = std::min<std::size_t>(diagnostic.column, all.size() + 1);
  const std::size_t index = column == 0 ? 0 : column - 1;
  const std::size_t first = all.size() > kWidth && index > kBefore ? index - kBefore : 0;
  const std::size_t last = std::min(all.size(), first + kWidth);
  Excerpt result;
  if (first > 0) {
    result.text = "...";
    result.caret = "   ";
  }
  for (std::size_t i = first; i < last; ++i) {
    result.text += all[i];
    if (i < index) {
      result.caret += all[i] == "\t" ? '\t' : ' ';
    }
  }
  if (last < all.size()) {
    result.text += "...";
  }
  result.caret += '^';
  return result;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    const char c = text[at];
    if (length == 0 || (is_control(c) && c != '\t') || turns_direction(text, at)) {
      result += kReplacement;
      at += std::max<std::size_t>(1, length);
    } else {
      result += text.substr(at, length);
      at += length;
    }
  }
  return result;
}

bool is_text(std::string_view text, Controls controls) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    const bool refused =
        controls == Controls::kRefused && (is_control(text[at]) || turns_direction(text, at));
    if (length == 0 || refused) {
      return false;
    }
    at += length;
  }
  return true;
}

std::string format(const Diagnostic& diagnostic) {
  std::string result = diagnostic.file;
  const bool in_file = diagnostic.origin == Origin::kFile && diagnostic.line > 0;
  if (in_file) {
    result += fmt::format(":{}:{}", diagnostic.line, diagnostic.column);
  }
  const bool error = diagnostic.severity == Severity::kError;
  result += fmt::format(": {}: {}\n", error ? "error" : "warning", diagnostic.message);
  if (in_file && !diagnostic.source_line.empty()) {
    const Excerpt part = excerpt(diagnostic);
    result += fmt::format("{:>5} | {}\n", diagnostic.line, part.text);
    if (diagnostic.column > 0) {
      result += fmt::format("      | {}\n", part.caret);
    }
  }
  if (!diagnostic.hint.empty()) {
    result += fmt::format("      = {}\n", diagnostic.hint);
  }
  return result;
}

std::string format(std::span<const Diagnostic> diagnostics) {
  std::string result;
  for (const Diagnostic& diagnostic : diagnostics) {
    result += format(diagnostic);
  }
  const auto count = static_cast<std::size_t>(
      std::ranges::count(diagnostics, Severity::kError, &Diagnostic::severity));
  if (count == 0) return result;
  return result + fmt::format("{} {}\n", count, count == 1 ? "error" : "errors");
}

std::uint32_t Sources::add(std::string name, std::string_view text) {
  std::vector<std::size_t> starts{0};
  for (std::size_t at = text.find('\n'); at != std::string_view::npos;
       at = text.find('\n', at + 1)) {
    starts.push_back(at + 1);
  }
  sources_.push_back({std::move(name), std::string{text}, std::move(starts)});
  return static_cast<std::uint32_t>(sources_.size() - 1);
}

std::uint32_t Sources::add_override(std::string_view text) {
  constexpr std::size_t kMostShown = 120;
  const bool cut = text.size() > kMostShown;
  const std::uint32_t source =
      add(fmt::format("--set {}{}", text.substr(0, kMostShown), cut ? "..." : ""), text);
  sources_.back().origin = Origin::kOverride;
  return source;
}

Origin Sources::origin(std::uint32_t source) const { return sources_.at(source).origin; }

const std::string& Sources::name(std::uint32_t source) const { return sources_.at(source).name; }

std::string_view Sources::line(std::uint32_t source, std::uint32_t number) const {
  const Source& s = sources_.at(source);
  if (number == 0 || number > s.line_starts.size()) {
    return {};
  }
  const std::size_t start = s.line_starts[number - 1];
  std::string_view rest = std::string_view{s.text}.substr(start);
  rest = rest.substr(0, rest.find('\n'));
  if (!rest.empty() && rest.back() == '\r') {
    rest.remove_suffix(1);
  }
  return rest;
}

void Report::add(Place place, std::string_view message, std::string_view hint) {
  entries_.push_back({place, printable(message), printable(hint)});
}

std::vector<Diagnostic> Report::diagnostics() const {
  std::vector<const Entry*> order;
  for (const Entry& entry : entries_) {
    order.push_back(&entry);
  }
  const auto key = [](const Entry* e) {
    return std::tie(e->place.source, e->place.line, e->place.column);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](const Entry* a, const Entry* b) { return key(a) < key(b); });
  std::vector<Diagnostic> result;
  for (const Entry* entry : order) {
    if (result.size() == kMaxReported) {
      result.back().hint += fmt::format(" (and {} more, not shown)", order.size() - kMaxReported);
      break;
    }
    const Place& place = entry->place;
    result.push_back({printable(sources_.name(place.source)), place.line, place.column,
                      entry->message, entry->hint,
                      printable(sources_.line(place.source, place.line)), severity_,
                      sources_.origin(place.source)});
  }
  return result;
}

Place Places::find(std::string_view path) const {
  while (!path.empty()) {
    if (const auto found = places_.find(path); found != places_.end()) {
      return found->second;
    }
    const std::size_t dot = path.rfind('.');
    path = dot == std::string_view::npos ? std::string_view{} : path.substr(0, dot);
  }
  return {};
}

}  // namespace photonsim::scenarios
