#include "cli/observe.h"

#include <set>

#include "base/strings.h"
#include "cli/command.h"
#include "observe/known_rows.h"
#include "observe/observed.h"
#include "pipeline/check.h"
#include "report/observed.h"
#include "source/encoding.h"
#include "source/gzip.h"

namespace muster {
namespace {

/// Dumps of a whole cluster are larger than anything that people write.
constexpr std::uint64_t kMaxDumpSize = 1u << 30;

Result<std::string> read_dump(const std::string& path, const FileSystem& disk) {
  if (path == "-") return disk.read_standard_input(kMaxDumpSize);
  if (disk.kind(path) == FileSystem::Kind::Missing)
    return Error{Error::Code::Io, "cannot read `" + path + "`: no such file"};
  if (disk.kind(path) != FileSystem::Kind::File)
    return Error{Error::Code::Io, "cannot read `" + path + "`: it is no file; `-` reads standard input"};
  if (disk.size(path) > kMaxDumpSize) return Error{Error::Code::Io, "cannot read `" + path + "`: larger than 1 GiB"};
  return disk.read(path);
}

std::string trouble_of(Unpacked::Verdict verdict) {
  return verdict == Unpacked::Verdict::TooLarge ? "it unpacks to more than 1 GiB" : words_of(verdict);
}

std::optional<Error> read_dumps(const Arguments& arguments, const FileSystem& disk, SourceMap& sources) {
  // In the order of their names, so that the answer does not depend on how they were listed.
  const std::set<std::string> paths(arguments.observed.begin(), arguments.observed.end());
  for (const std::string& path : paths) {
    Result<std::string> text = read_dump(path, disk);
    if (!text) return text.error();
    if (is_gzip_name(path)) {
      Unpacked unpacked = unpack_gzip(*text, kMaxDumpSize);
      if (unpacked.verdict != Unpacked::Verdict::Whole)
        return Error{Error::Code::Io, "cannot read `" + path + "`: " + trouble_of(unpacked.verdict)};
      text = std::move(unpacked.text);
    }
    DecodedText decoded = decode_text(std::move(*text));
    if (decoded.verdict != DecodedText::Verdict::Text)
      return Error{Error::Code::Io, "cannot read `" + path + "`: it is no UTF-8 text"};
    sources.add(path == "-" ? "stdin" : path, std::move(decoded.text));
  }
  return std::nullopt;
}

std::optional<Error> judge_input(const Observed& observed, const SourceMap& sources) {
  if (!observed.findings.empty()) return Error{Error::Code::Usage, "these dumps cannot be read"};
  std::vector<std::string> strangers;
  for (const FileId file : observed.unknown) strangers.push_back("`" + sources.file(file).path() + "`");
  if (strangers.empty()) return std::nullopt;
  return Error{Error::Code::Usage, join(strangers, ", ") + (strangers.size() == 1 ? " is nothing" : " are nothing") +
                                       " that --observed reads; it reads\n" + known_observations()};
}

}  // namespace

int run_observe(const Arguments& arguments, Console& console) {
  Result<std::vector<OutputTarget>> formats = read_formats(arguments, {"json", "text"});
  if (!formats) return fail(console, formats.error().message);
  if (!arguments.paths.empty())
    return fail(console, "--observed takes dumps alone; what may come about is asked without it");
  SourceMap sources;
  if (std::optional<Error> error = read_dumps(arguments, console.disk, sources)) return fail(console, error->message);
  std::optional<Book> site;
  if (!arguments.rules.empty()) {
    Result<Book> book = load_whole_book(book_options(arguments), console.disk);
    if (!book) return fail(console, book.error().message);
    site = std::move(*book);
  }
  const Knowledge& knowledge = site ? *site->knowledge : Knowledge::shipped();
  const Observed observed = observe(sources, {knowledge.described(), knowledge.schedulers()});
  tell_findings(observed.findings, sources, console);
  if (std::optional<Error> error = judge_input(observed, sources)) return fail(console, error->message);
  for (const OutputTarget& target : *formats) {
    const std::string text = target.format == "json" ? observed_json(observed) : observed_text(observed);
    if (std::optional<Error> error = write_output(target.path, text, console)) return fail(console, error->message);
  }
  return observed.is_stuck() || (observed.is_open() && arguments.fail_on_unknown) ? 1 : 0;
}

}  // namespace muster
