#include "cli/campaign_wire.h"

#include <algorithm>
#include <charconv>
#include <concepts>

namespace photonsim::cli {
namespace {

constexpr std::string_view kWords[] = {"begun", "ended", "refused"};

std::string escaped(std::string_view text) {
  std::string result;
  for (const char each : text) {
    if (each == '\n') {
      result += "\\n";
    } else if (each == '\\') {
      result += "\\\\";
    } else {
      result += each;
    }
  }
  return result;
}

std::string unescaped(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool mark = text[i] == '\\' && i + 1 < text.size();
    result += !mark ? text[i] : text[++i] == 'n' ? '\n' : text[i];
  }
  return result;
}

// Takes the next blank-separated word off `text`.
std::string_view word_of(std::string_view& text) {
  const std::size_t blank = text.find(' ');
  const std::string_view word = text.substr(0, blank);
  text.remove_prefix(blank == std::string_view::npos ? text.size() : blank + 1);
  return word;
}

bool read(std::string_view word, std::integral auto& number) {
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  return error == std::errc{} && stop == word.data() + word.size();
}

// "events/milliseconds/microseconds".
bool read_cost(std::string_view text, photon::analysis::RunCost& cost) {
  for (std::uint64_t* const number :
       {&cost.events, &cost.sim_milliseconds, &cost.cpu_microseconds}) {
    const std::size_t slash = std::min(text.find('/'), text.size());
    if (!read(text.substr(0, slash), *number)) return false;
    text.remove_prefix(std::min(slash + 1, text.size()));
  }
  return text.empty();
}

}  // namespace

std::string line_of(const CampaignMessage& message) {
  std::string line(kWords[static_cast<std::size_t>(message.kind)]);
  line += " " + std::to_string(message.run) + " " + std::to_string(message.exit_code);
  for (const std::uint64_t count : message.counts) line += " " + std::to_string(count);
  for (const auto& [mark, hits] : message.marks) {
    line += " " + std::to_string(mark) + ":" + std::to_string(hits);
  }
  for (const auto& [name, count] : message.fault_kinds) {
    line += " " + name + "=" + std::to_string(count);
  }
  for (const auto& [name, count] : message.tier) line += " " + name + "@" + std::to_string(count);
  line += " " + std::to_string(message.cost.events) + "/" +
          std::to_string(message.cost.sim_milliseconds) + "/" +
          std::to_string(message.cost.cpu_microseconds);
  return line + "\t" + escaped(message.text) + "\n";
}

std::optional<CampaignMessage> message_of(std::string_view line) {
  const std::size_t tab = line.find('\t');
  if (tab == std::string_view::npos) return std::nullopt;
  CampaignMessage message;
  message.text = unescaped(line.substr(tab + 1));
  std::string_view words = line.substr(0, tab);
  const std::string_view word = word_of(words);
  bool known = false;
  for (const auto kind : {CampaignMessage::Kind::begun, CampaignMessage::Kind::ended,
                          CampaignMessage::Kind::refused}) {
    if (word != kWords[static_cast<std::size_t>(kind)]) continue;
    message.kind = kind;
    known = true;
  }
  if (!known || !read(word_of(words), message.run)) return std::nullopt;
  if (!read(word_of(words), message.exit_code)) return std::nullopt;
  while (!words.empty()) {
    const std::string_view number = word_of(words);
    const std::size_t at = number.find('@');
    const std::size_t colon = number.find(':');
    const std::size_t equals = number.find('=');
    const std::size_t slash = number.find('/');
    if (at != std::string_view::npos) {  // before all others: such names have a colon
      auto& [name, count] = message.tier.emplace_back();
      name = number.substr(0, at);
      if (!read(number.substr(at + 1), count)) return std::nullopt;
    } else if (equals != std::string_view::npos) {
      auto& [name, count] = message.fault_kinds.emplace_back();
      name = number.substr(0, equals);
      if (!read(number.substr(equals + 1), count)) return std::nullopt;
    } else if (slash != std::string_view::npos) {
      if (!read_cost(number, message.cost)) return std::nullopt;
    } else if (colon != std::string_view::npos) {  // a mark and its hits
      auto& [mark, hits] = message.marks.emplace_back();
      if (!read(number.substr(0, colon), mark)) return std::nullopt;
      if (!read(number.substr(colon + 1), hits)) return std::nullopt;
    } else {
      message.counts.push_back(0);
      if (!read(number, message.counts.back())) return std::nullopt;
    }
  }
  return message;
}

}  // namespace photonsim::cli
