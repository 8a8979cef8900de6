#include "cli/command.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <ostream>
#include <system_error>
#include <thread>

#include "base/program.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace muster {
namespace {

constexpr unsigned kMaxThreads = 256;

Result<Date> today(const Arguments& arguments, const Console& console) {
  if (!arguments.now.empty()) {
    const std::optional<Date> date = parse_date(arguments.now);
    if (!date)
      return Error{Error::Code::Usage, "--now: expected a date such as 2027-01-31, got `" + arguments.now + "`"};
    return *date;
  }
  if (!console.source_date_epoch.empty()) {
    const std::optional<std::int64_t> seconds = parse_int(console.source_date_epoch);
    constexpr std::int64_t kYear10000 = 253402300800;  // the last moment that has a date of the usual form
    if (!seconds || *seconds < 0 || *seconds >= kYear10000)
      return Error{Error::Code::Usage, "SOURCE_DATE_EPOCH is not a number of seconds"};
    return std::chrono::floor<std::chrono::days>(std::chrono::sys_seconds(std::chrono::seconds(*seconds)));
  }
  return std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
}

/// Whether an address may stand in any report as it is; `#RULE` goes behind it.
bool is_page(std::string_view url) {
  constexpr std::string_view kMarks = "-._~:/?@!$&*+,;=%";
  if (!url.starts_with("https://") && !url.starts_with("http://")) return false;
  return std::ranges::all_of(url, [&](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || kMarks.find(c) != kMarks.npos;
  });
}

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t bytes = ::write(descriptor, text.data(), text.size());
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(bytes));
  }
  return true;
}

}  // namespace

int fail(Console& console, const std::string& message) {
  for (const std::string_view line : split(message, '\n')) console.err << "muster: " << printable(line) << "\n";
  return 2;
}

void tell_findings(const std::vector<Finding>& findings, const SourceMap& sources, Console& console) {
  for (const Finding& finding : findings) {
    const Position at = sources.begin_of(finding.where);
    console.err << printable(sources.file(finding.where.file).path()) << ":" << at.line << ":" << at.column << ": "
                << printable(finding.message) << "\n";
  }
}

unsigned threads_of(const Arguments& arguments) {
  return std::min(kMaxThreads,
                  arguments.threads > 0 ? arguments.threads : std::max(1u, std::thread::hardware_concurrency()));
}

std::optional<Error> check_level(const std::string& level) {
  constexpr std::string_view kLevels[] = {"error", "warning", "info", "never"};
  if (std::ranges::find(kLevels, level) != std::end(kLevels)) return std::nullopt;
  return Error{Error::Code::Usage, "--fail-on: expected error, warning, info or never, got `" + level + "`"};
}

bool fails(const Summary& summary, const std::string& level) {
  if (level == "never") return false;
  if (summary.errors > 0) return true;
  if (level == "error") return false;
  return summary.warnings > 0 || (level == "info" && summary.infos > 0);
}

bool is_stated(std::string_view set) { return set.starts_with("operators.") || set.starts_with("targets."); }

Result<Options> make_options(const Arguments& arguments, const Console& console) {
  Options options;
  options.paths = arguments.paths.empty() ? std::vector<std::string>{"."} : arguments.paths;
  options.config = arguments.config;
  options.rule_folders = arguments.rules;
  options.fleet = arguments.fleet;
  options.workloads = arguments.workloads;
  options.sets = arguments.sets;
  for (const std::string& text : arguments.sets) {
    if (arguments.command != "decide" && !is_stated(text))
      return Error{Error::Code::Usage,
                   "--set " + text + ": expected operators.ID.SETTING=VALUE or targets.NAME=VERSION"};
  }
  options.select = arguments.select;
  options.ignore = arguments.ignore;
  options.excludes = arguments.excludes;
  options.stdin_name = arguments.stdin_name;
  options.baseline = arguments.baseline;
  options.since = arguments.since;
  if (!options.stdin_name.empty() && std::ranges::find(options.paths, "-") == options.paths.end())
    return Error{Error::Code::Usage, "--stdin-filename is about standard input: name `-` among the paths"};
  options.threads = threads_of(arguments);
  options.read_ignored = arguments.no_ignore;
  if (arguments.render) {
    const std::optional<std::string> helm = find_program("helm");
    if (!helm) return Error{Error::Code::Usage, "--render: there is no `helm` in the folders of PATH; install Helm 3"};
    options.helm = *helm;
  }
  for (const std::string& target : arguments.targets) {
    if (std::optional<Error> error = add_targets(target, options.targets)) return *error;
  }
  Result<Date> date = today(arguments, console);
  if (!date) return date.error();
  options.today = *date;
  return options;
}

Result<RenderOptions> make_render_options(const Arguments& arguments, const Console& console) {
  RenderOptions options;
  options.fail_on = enum_of<Severity>(arguments.fail_on);
  if (!options.fail_on && arguments.fail_on != "never")
    return Error{Error::Code::Usage,
                 "--fail-on: expected error, warning, info or never, got `" + arguments.fail_on + "`"};
  options.fail_on_unknown = arguments.fail_on_unknown;
  const bool automatic = arguments.color == "auto" && console.out_is_terminal && console.no_color.empty();
  options.color = automatic || arguments.color == "always" ? Color::Always : Color::Never;
  options.quiet = arguments.quiet;
  options.coverage = arguments.coverage;
  options.rules_url = arguments.rules_url;
  if (!options.rules_url.empty() && !is_page(options.rules_url))
    return Error{
        Error::Code::Usage,
        "--rules-url: expected a page such as https://example.com/muster/rules.html, got `" + options.rules_url + "`"};
  options.version = MUSTER_VERSION;
  return options;
}

Result<std::vector<OutputTarget>> read_formats(const Arguments& arguments, const std::vector<std::string>& known,
                                               const std::string& usual) {
  constexpr std::string_view kColors[] = {"auto", "always", "never"};
  if (std::ranges::find(kColors, arguments.color) == std::end(kColors)) {
    return Error{Error::Code::Usage, "--color: expected auto, always or never, got `" + arguments.color + "`"};
  }
  std::vector<OutputTarget> targets;
  for (const std::string& text : arguments.formats) {
    const std::size_t equals = text.find('=');
    OutputTarget target{text.substr(0, equals), equals == std::string::npos ? "" : text.substr(equals + 1)};
    if (std::ranges::find(known, target.format) == known.end()) {
      const std::vector<std::string_view> names(known.begin(), known.end());
      return Error{Error::Code::Usage, "there is no format `" + target.format + "`" +
                                           did_you_mean(target.format, names) + "; known are " + join(names, ", ")};
    }
    if (equals != std::string::npos && target.path.empty())
      return Error{Error::Code::Usage, "--format " + text + ": the path is empty"};
    targets.push_back(std::move(target));
  }
  const auto plain = std::ranges::count(targets, std::string(), &OutputTarget::path);
  if (plain > 1)
    return Error{Error::Code::Usage,
                 "only one format can go to standard output; give the others a path: --format sarif=muster.sarif"};
  if (targets.empty()) targets.push_back({usual, ""});
  return targets;
}

std::optional<Error> make_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) return Error{Error::Code::Io, "cannot make the folder `" + path + "`: " + error.message()};
  return std::nullopt;
}

std::optional<Error> write_output(const std::string& path, const std::string& text, Console& console) {
  if (path.empty()) {
    console.out << text << std::flush;
    if (!console.out) return Error{Error::Code::Io, "cannot write standard output: the disk did not take all of it"};
    return std::nullopt;
  }
  if (std::optional<Error> error = leads_astray(path)) return error;
  // Devices and pipes are written to, files replaced in place: a container may have mounted just this one.
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (descriptor < 0) {
    const int why = errno;
    const std::string words = why == ELOOP ? "it is a symbolic link, and those are not written through"
                                           : std::generic_category().message(why);
    return Error{Error::Code::Io, "cannot write `" + path + "`: " + words};
  }
  const bool whole = write_all(descriptor, text);
  if (::close(descriptor) == 0 && whole) return std::nullopt;
  return Error{Error::Code::Io, "cannot write `" + path + "`: the disk did not take all of it"};
}

std::optional<Error> leads_astray(const std::string& path) {
  namespace fs = std::filesystem;
  const fs::path written = fs::path(path).lexically_normal();
  if (written.is_absolute() || written.begin() == written.end() || *written.begin() == "..") return std::nullopt;
  std::error_code error;
  const fs::path here = fs::canonical(".", error);
  // From `here` on: of a relative path of which nothing exists yet, weakly_canonical makes no absolute one.
  const fs::path there = fs::weakly_canonical(here / written.parent_path(), error);
  const fs::path relative = there.lexically_relative(here);
  if (error || (!relative.empty() && *relative.begin() != "..")) return std::nullopt;
  return Error{Error::Code::Io, "cannot write `" + path + "`: a symbolic link leads out of this folder, to `" +
                                    there.string() + "`; name that place to write there"};
}

std::optional<Error> replace_file(const std::string& path, const std::string& text) {
  if (std::optional<Error> error = leads_astray(path)) return error;
  std::string temporary = path + ".XXXXXX";
  const int descriptor = mkstemp(temporary.data());
  if (descriptor < 0) return Error{Error::Code::Io, "cannot write `" + path + "`: no file can be made beside it"};
  const bool whole = write_all(descriptor, text) && fchmod(descriptor, 0644) == 0;
  std::error_code error;
  if (::close(descriptor) == 0 && whole) {
    std::filesystem::rename(temporary, path, error);
    if (!error) return std::nullopt;
  }
  std::error_code ignored;
  std::filesystem::remove(temporary, ignored);
  return Error{Error::Code::Io,
               "cannot write `" + path + "`" + (error ? ": " + error.message() : ": the disk did not take all of it")};
}

}  // namespace muster
