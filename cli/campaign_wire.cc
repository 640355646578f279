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

// "@group name=count name=count @group ...".
bool read_groups(std::string_view words, photon::analysis::CountGroups& groups) {
  photon::analysis::Counts* group = nullptr;
  while (!words.empty()) {
    const std::string_view word = word_of(words);
    if (word.starts_with('@')) {
      group = &groups[std::string(word.substr(1))];
      continue;
    }
    const std::size_t equals = word.rfind('=');
    if (group == nullptr || equals == std::string_view::npos) return false;
    auto& [name, count] = group->emplace_back();
    name = word.substr(0, equals);
    if (!read(word.substr(equals + 1), count)) return false;
  }
  return true;
}

}  // namespace

std::string line_of(const CampaignMessage& message) {
  std::string line(kWords[static_cast<std::size_t>(message.kind)]);
  line += " " + std::to_string(message.run) + " " + std::to_string(message.exit_code);
  for (const std::uint64_t count : message.counts) line += " " + std::to_string(count);
  for (const auto& [mark, hits] : message.marks) {
    line += " " + std::to_string(mark) + ":" + std::to_string(hits);
  }
  line += " " + std::to_string(message.cost.events) + "/" +
          std::to_string(message.cost.sim_milliseconds) + "/" +
          std::to_string(message.cost.cpu_microseconds);
  if (!message.fingerprint.empty()) line += " #" + message.fingerprint;
  for (const auto& [group, counts] : message.groups) {  // the last, because names may look like all
    line += " @" + group;
    for (const auto& [name, count] : counts) line += " " + name + "=" + std::to_string(count);
  }
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
  while (!words.empty() && words.front() != '@') {
    const std::string_view number = word_of(words);
    const std::size_t colon = number.find(':');
    const std::size_t slash = number.find('/');
    if (number.starts_with('#')) {
      message.fingerprint = number.substr(1);
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
  if (!read_groups(words, message.groups)) return std::nullopt;
  return message;
}

}  // namespace photonsim::cli
