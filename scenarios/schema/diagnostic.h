// Diagnostics: an error or warning about a scenario, with its place.
//
// Invariant: every string of a Diagnostic is printable. Control characters and bytes that are not
// UTF-8 are replaced when it is made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace photonsim::scenarios {

enum class Severity : std::uint8_t { kError, kWarning };
enum class Origin : std::uint8_t { kFile, kOverride };

struct Diagnostic {
  std::string file{};         // as the user named it, or "--set key=value" for an override
  std::uint32_t line{0};      // from 1; 0 = the whole file, or a default that no file states
  std::uint32_t column{0};    // from 1, in characters; 0 as above
  std::string message{};      // one sentence without full stop
  std::string hint{};         // the remedy; may be empty
  std::string source_line{};  // the text of that line; may be empty
  Severity severity{Severity::kError};
  Origin origin{Origin::kFile};
};

// "file:12:3: error: message", the source line with a caret, and the hint. Ends with a newline. An
// override has no source line: "--set key=value: error: message".
[[nodiscard]] std::string format(const Diagnostic& diagnostic);

// All of them, with the number of errors in a last line.
[[nodiscard]] std::string format(std::span<const Diagnostic> diagnostics);

// Replaces everything that would garble a terminal.
[[nodiscard]] std::string printable(std::string_view text);

// Length of the valid UTF-8 character at `at`, 0 if there is none. Refuses overlong forms,
// surrogates, and the C1 controls, which terminals interpret.
[[nodiscard]] std::size_t utf8_length(std::string_view text, std::size_t at);

// Whether the character there turns the direction of what follows: U+202A to U+202E, U+2066 to
// U+2069. A terminal or a page would show a text that does not stand there.
[[nodiscard]] bool turns_direction(std::string_view text, std::size_t at);

// True if the text is UTF-8 (the C1 controls never count as such), and free of the controls below
// 0x20 and of what turns its direction if these are refused.
enum class Controls : std::uint8_t { kAllowed, kRefused };
[[nodiscard]] bool is_text(std::string_view text, Controls controls);

// ---- used by the loader and the validators ------------------------------------------------------

// A position in one of the texts that make up a scenario.
struct Place {
  std::uint32_t source{0};  // index into Sources
  std::uint32_t line{0};    // from 1; 0 = no line
  std::uint32_t column{0};
};

// The texts: files and overrides, in the order in which they were read.
class Sources {
 public:
  // Returns the index of the new source. The text is copied.
  std::uint32_t add(std::string name, std::string_view text);
  std::uint32_t add_override(std::string_view text);
  [[nodiscard]] Origin origin(std::uint32_t source) const;
  [[nodiscard]] const std::string& name(std::uint32_t source) const;
  // Without line end; empty if there is no such line.
  [[nodiscard]] std::string_view line(std::uint32_t source, std::uint32_t number) const;
  [[nodiscard]] std::size_t size() const { return sources_.size(); }

 private:
  struct Source {
    std::string name;
    std::string text;
    std::vector<std::size_t> line_starts;
    Origin origin{Origin::kFile};
  };
  std::vector<Source> sources_{};
};

// Collects problems; the result is in the order of the text, at most kMaxReported long.
class Report {
 public:
  static constexpr std::size_t kMaxReported = 100;

  explicit Report(const Sources& sources, Severity severity = Severity::kError)
      : sources_{sources}, severity_{severity} {}
  Report(const Report&) = delete;
  Report& operator=(const Report&) = delete;

  void add(Place place, std::string_view message, std::string_view hint = {});
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] const Sources& sources() const { return sources_; }
  [[nodiscard]] std::vector<Diagnostic> diagnostics() const;

 private:
  struct Entry {
    Place place;
    std::string message;
    std::string hint;
  };
  const Sources& sources_;
  Severity severity_;
  std::vector<Entry> entries_{};
};

// Where each value of the resolved scenario was written, by key path: "registry.shards",
// "faults.random.2.target", "topology.pipelines.0".
class Places {
 public:
  void set(std::string path, Place place) { places_.insert_or_assign(std::move(path), place); }
  // The place of the path, or of the nearest part around it; line 0 of source 0 for a default.
  [[nodiscard]] Place find(std::string_view path) const;

 private:
  std::map<std::string, Place, std::less<>> places_{};
};

}  // namespace photonsim::scenarios
