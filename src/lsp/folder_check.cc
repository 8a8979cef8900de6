#include "lsp/folder_check.h"

#include "pipeline/gate.h"

namespace muster {

FolderOutcome FolderChecks::run(const CheckJob& job) {
  const auto start = std::chrono::steady_clock::now();
  FolderOutcome out{job.folder, std::nullopt, "", {}, job.number, 0};
  tidy_up();
  std::erase_if(folders_, [&](const auto& one) { return !job.folders.contains(one.first); });
  Folder& folder = folders_[job.folder];
  const OpenFiles files(disk_, job.folder, job.texts);
  Options options = options_;
  options.paths = {"."};
  options.today = today_();
  options.stopped = [&] { return stopped_ >= job.number; };
  folder.kept.expect(job.changed);
  Result<Report> report = gate(options, files, folder.last, &folder.kept);
  if (report) {
    out.since = job.known == folder.placed ? job.known : 0;
    if (out.since == 0) folder.placer.emplace(job.folder, job.encoding);
    out.findings = folder.placer->place(*report, [&](FileId file) { return folder.kept.read_by(file); });
    folder.placed = job.number;
    folder.report = std::move(*report);
    out.findings->versions = job.versions;
  } else if (!options.stopped()) {
    out.error = report.error().message;
  }
  out.took = std::chrono::steady_clock::now() - start;
  return out;
}

void FolderChecks::tidy_up() {
  for (auto& [path, folder] : folders_) {
    folder.report.reset();
    if (folder.last.knowledge != nullptr) folder.kept.take_back(folder.last);
  }
}

}  // namespace muster
