#include "pipeline/merge.h"
#include "cli/command.h"

namespace muster {
namespace {

Result<std::string> read_result_file(const std::string& path, const FileSystem& disk) {
  if (path == "-") return disk.read_standard_input(ResultMerger::kMaxSize);
  const std::string cannot = "cannot read `" + path + "`: ";
  if (disk.kind(path) == FileSystem::Kind::Missing) return Error{Error::Code::Io, cannot + "no such file"};
  if (disk.kind(path) != FileSystem::Kind::File)
    return Error{Error::Code::Io, cannot + "it is no file; name the results themselves, as in results/*.json"};
  if (disk.size(path) > ResultMerger::kMaxSize) return Error{Error::Code::Io, cannot + "larger than 256 MiB"};
  return disk.read(path);
}

}  // namespace

int run_merge(const Arguments& arguments, Console& console) {
  const Result<RenderOptions> render = make_render_options(arguments, console);
  if (!render) return fail(console, render.error().message);
  ResultMerger merger;
  for (const std::string& path : arguments.paths) {
    Result<std::string> text = read_result_file(path, console.disk);
    if (!text) return fail(console, text.error().message);
    if (std::optional<Error> error = merger.add(path, std::move(*text))) return fail(console, error->message);
  }
  SourceMap places;
  const Result<Report> report = merger.merge(places);
  if (!report) return fail(console, report.error().message);
  return answer(*report, report->summary, arguments, *render, console);
}

}  // namespace muster
