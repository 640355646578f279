#include "scenarios/language/loader.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "scenarios/language/config_validate.h"
#include "scenarios/language/config_warnings.h"
#include "scenarios/language/loader_apply.h"
#include "scenarios/language/loader_defaults.h"
#include "scenarios/language/loader_document.h"
#include "scenarios/language/loader_override.h"

namespace photonsim::scenarios {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxFileBytes = 1 << 20;
constexpr std::size_t kMaxIncludeDepth = 16;

// The text of a file, or why it cannot be read.
struct FileText {
  std::optional<std::string> text{};
  std::string problem{};
};

FileText read_file(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    return {std::nullopt, "there is no such file"};
  }
  if (fs::is_directory(status)) {
    return {std::nullopt, "this is a directory, not a scenario file"};
  }
  std::ifstream stream{path, std::ios::binary};
  std::string text(kMaxFileBytes + 1, '\0');
  if (!stream ||
      (!stream.read(text.data(), static_cast<std::streamsize>(text.size())) && !stream.eof())) {
    return {std::nullopt, "this file cannot be read"};
  }
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (text.size() > kMaxFileBytes) {
    return {std::nullopt, "this file is larger than 1 MiB, too large for a scenario"};
  }
  return {std::move(text), {}};
}

// Identity of a file, independent of the spelling of its path.
std::string identity(const fs::path& path) {
  std::error_code error;
  const fs::path canonical = fs::weakly_canonical(path, error);
  return error ? path.lexically_normal().string() : canonical.string();
}

class Loader {
 public:
  void load_file(const fs::path& path) {
    FileText file = read_file(path);
    const std::uint32_t source = add_source(path, file.text ? *file.text : std::string{});
    if (!file.text) {
      fail({source, 0, 0}, file.problem,
           "name a scenario, such as scenarios/quickstart.toml, or a minimized repro, such as "
           "out/failures/NAME.toml");
      return;
    }
    take(path, source, *file.text, 0);
    if (parsed_ && tree_.members.empty()) {
      fail({source, 0, 0}, "this scenario states nothing",
           "state at least a name: [scenario] name = \"...\", or include another scenario");
    }
  }

  void load_text(std::string_view text, const fs::path& name) {
    take(name, add_source(name, text), text, 0);
  }

  LoadResult finish(std::span<const std::string> overrides) {
    for (const std::string& text : overrides) {
      const std::uint32_t source = sources_.add_override(text);
      directories_.push_back(working_directory());
      apply_override(text, source, tree_, report_);
    }
    defaults_.fill(tree_);
    Config config;
    Places places;
    Application application{config, places, report_, directories_};
    if (parsed_) {
      apply(tree_, application);
      Validation validation{config, places, application.broken, report_};
      validate(validation);
    }
    if (!report_.empty()) return LoadResult{report_.diagnostics()};
    Report warnings{sources_, Severity::kWarning};
    add_warnings(config, places, warnings);
    return LoadResult{std::move(config), warnings.diagnostics()};
  }

 private:
  static fs::path working_directory() {
    std::error_code error;
    return fs::current_path(error);
  }

  std::uint32_t add_source(const fs::path& path, std::string_view text) {
    const fs::path absolute = path.is_absolute() ? path : working_directory() / path;
    directories_.push_back(absolute.parent_path());
    return sources_.add(path.string(), text);
  }

  void fail(Place place, std::string_view message, std::string_view hint = {}) {
    report_.add(place, message, hint);
    parsed_ = false;
  }

  // Parses one file and merges what it includes, then itself, into the tree.
  void take(const fs::path& path, std::uint32_t source, std::string_view text, std::size_t depth) {
    const std::string id = identity(path);
    open_.push_back(id);
    Report problems{sources_};
    Value document = parse_toml(text, source, problems);
    for (const Diagnostic& problem : problems.diagnostics()) {
      fail({source, problem.line, problem.column}, problem.message, problem.hint);
    }
    // Only studies have one. Their other keys would be refused one by one.
    if (const Value* base = find_member(document, "base")) {
      fail(base->place, "this is a study, not a scenario",
           "`photonsim plan` checks it, `photonsim sweep` runs it");
      document = {};
    }
    if (const auto list = take_out(document, "include")) {
      include_all(*list, path.parent_path(), depth);
    }
    if (auto stated = take_out(document, "defaults")) defaults_.take(std::move(*stated), report_);
    merge(tree_, std::move(document));
    open_.pop_back();
    finished_.insert(id);
  }

  // Removes the member of that name from the document and returns it.
  static std::optional<Value> take_out(Value& document, std::string_view name) {
    const auto found = std::ranges::find(document.members, name, &Member::name);
    if (found == document.members.end()) return std::nullopt;
    std::optional<Value> value = std::move(found->value);
    document.members.erase(found);
    return value;
  }

  void include_all(const Value& list, const fs::path& directory, std::size_t depth) {
    if (list.type != Value::Type::kArray) {
      fail(list.place, "include must be an array of file names", "include = [\"base.toml\"]");
      return;
    }
    for (const Value& item : list.items) {
      if (item.type != Value::Type::kString || item.text.empty()) {
        fail(item.place, "include must hold file names in quotes", "include = [\"base.toml\"]");
      } else {
        include_one(directory / fs::path{item.text}, item.place, depth + 1);
      }
    }
  }

  void include_one(const fs::path& path, Place place, std::size_t depth) {
    const std::string id = identity(path);
    if (std::find(open_.begin(), open_.end(), id) != open_.end()) {
      fail(place, fmt::format("{} includes itself, directly or through others", path.string()),
           "remove one of the includes of this circle");
      return;
    }
    if (depth > kMaxIncludeDepth) {
      fail(place, "includes are nested too deeply");
      return;
    }
    if (finished_.count(id) != 0) {
      return;  // included twice: its faults must not be added twice
    }
    FileText file = read_file(path);
    if (!file.text) {
      fail(place, fmt::format("cannot include {}: {}", path.string(), file.problem),
           "include names are relative to the file that includes");
      return;
    }
    take(path, add_source(path, *file.text), *file.text, depth);
  }

  Sources sources_{};
  Report report_{sources_};
  std::vector<fs::path> directories_{};  // by source
  std::vector<std::string> open_{};      // identities of files that are being read
  std::set<std::string> finished_{};     // of those that are done
  Value tree_{};
  StatedDefaults defaults_{};
  bool parsed_{true};  // no file is missing from the tree
};

}  // namespace

LoadResult load(const fs::path& path, std::span<const std::string> overrides) {
  Loader loader;
  loader.load_file(path);
  return loader.finish(overrides);
}

LoadResult load_text(std::string_view text, const fs::path& name,
                     std::span<const std::string> overrides) {
  Loader loader;
  loader.load_text(text, name);
  return loader.finish(overrides);
}

}  // namespace photonsim::scenarios
