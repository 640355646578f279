// The lint rules, one function per family. Each checks one file and appends its findings.
//
// Exceptions of a rule stand in one table beside it, each with its reason.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "tests/lint/finding.h"
#include "tests/lint/source_file.h"

namespace photonsim::lint {

// DESIGN section 5: names that bring non-determinism, and names that the core may not use.
void check_bans(const SourceFile& file, Findings& findings);

// Range-for and begin() over boost::unordered containers need a comment `order-free: reason`.
// `header` is the header of the same name, where members are declared; may be null.
void check_unordered_iteration(const SourceFile& file, const SourceFile* header,
                               Findings& findings);

// DESIGN section 2: which folder may include which. `exists` holds every path of the repository.
void check_includes(const SourceFile& file, const std::set<std::string>& exists,
                    Findings& findings);

// A .cc file includes its own header first, which proves that the header compiles on its own; the
// build compiles apart only those headers that have no .cc file.
void check_own_header_first(const SourceFile& file, const std::set<std::string>& exists,
                            Findings& findings);

// J-H5: what the judge (folders of analysis) includes of the system stands in a table of the
// document `path`, each row with its users and the reason why that is harmless. No row is stale.
void check_shared(const std::string& path, std::string_view text,
                  const std::map<std::string, SourceFile>& sources, Findings& findings);

// The same graph for the dependencies that a folder's CMakeLists.txt names.
void check_cmake_links(const std::string& path, std::string_view text, Findings& findings);

// STYLE: length of files, functions and lines, tabs, include guards, forgotten notes; and
// that a source holds code, a test file a test case.
void check_layout(const SourceFile& file, Findings& findings);

// PHOTON_MARK: form and folder of the name. `places` holds the marks of the files before, by name.
void check_marks(const SourceFile& file, std::map<std::string, std::string>& places,
                 Findings& findings);

// The table of rarities: a row for each mark of `places` outside of tests, a mark for each row,
// and a reason for what is exempt.
void check_mark_rows(const std::string& path, std::string_view text,
                     const std::map<std::string, std::string>& places, Findings& findings);

// Tabs and over-long lines of CMake files and scripts.
void check_script_layout(const std::string& path, std::string_view text, Findings& findings);

// Names of package registries and of one machine's directories, in any text file.
void check_hosts(const std::string& path, std::string_view text, Findings& findings);

// Files and folders that a document names in backticks exist.
void check_named_paths(const std::string& path, std::string_view text,
                       const std::set<std::string>& exists, Findings& findings);

// Adds to `listed` the sources that a CMakeLists.txt names, as paths from the root.
void collect_listed(const std::string& cmake_path, std::string_view text,
                    std::set<std::string>& listed);

// A source that no CMakeLists.txt names is never compiled.
void check_dead_file(const std::string& path, const std::set<std::string>& listed,
                     Findings& findings);

// Everything above over the tree at `root`.
Findings lint_tree(const std::string& root);

}  // namespace photonsim::lint
