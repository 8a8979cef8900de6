#include "pipeline/gpu_text_slips.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "kinds/language.h"
#include "pipeline/input_names.h"

namespace muster {
namespace {

/// Sizes of families with accelerators that get no further ones. Source:
/// docs.aws.amazon.com/ec2/latest/instancetypes/ac.html (November 2026).
struct FamilySizes {
  std::string_view family;
  std::string_view sizes;  ///< with blanks around each
};
constexpr std::array<FamilySizes, 16> kFamilies{{{"g3", " 4 8 16 "},
                                                 {"g3s", " 1 "},
                                                 {"g4ad", " 1 2 4 8 16 "},
                                                 {"g4dn", " 1 2 4 8 12 16 "},
                                                 {"g5", " 1 2 4 8 12 16 24 48 "},
                                                 {"g5g", " 1 2 4 8 16 "},
                                                 {"g6", " 1 2 4 8 12 16 24 48 "},
                                                 {"g6e", " 1 2 4 8 12 16 24 48 "},
                                                 {"inf1", " 1 2 6 24 "},
                                                 {"inf2", " 1 8 24 48 "},
                                                 {"p2", " 1 8 16 "},
                                                 {"p3", " 2 8 16 "},
                                                 {"p3dn", " 24 "},
                                                 {"p4d", " 24 "},
                                                 {"p4de", " 24 "},
                                                 {"trn1", " 2 32 "}}};

constexpr int kMostLooks = 50;  // at documents of one file

constexpr std::array<std::string_view, 1> kDriver{"driver"};

class TextSlips {
 public:
  TextSlips(const Inputs& inputs, std::vector<Finding>& findings) : inputs_(inputs), findings_(findings) {}

  void run() {
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      if (inputs_.files[i].reading != Reading::Whole) continue;
      file_ = static_cast<FileId>(i);
      text_ = inputs_.sources.file(file_).text();
      const std::string_view path = inputs_.files[i].context.path;
      const Language language = language_of(path);
      const bool data = language == Language::Data;
      const bool script = language == Language::Script && !path.ends_with(".py");
      const bool terraform = path.ends_with(".tf") || path.ends_with(".tfvars");
      const bool batch = path.ends_with(".sbatch") || path.ends_with(".slurm");
      if (data || terraform || script) instance_types();
      if (data || terraform) exporter_fields();
      if (script || batch) nccl_log();
      if (script || data || terraform) ready_nodes();
      if (is_yaml_file(path)) ignored_replicas();
      if (is_yaml_file(path)) wrapped_dashboards();
      const std::string_view name = last_part(path);
      if ((name.starts_with("Dockerfile") || name.starts_with("Containerfile") || name.ends_with(".Dockerfile")) &&
          !is_named_for(path, kDriver))
        image_drivers();
    }
  }

 private:
  void report(std::string_view rule, std::string_view at, std::string message) {
    findings_.push_back(problem(rule, span_of_part(file_, text_, at), std::move(message)));
  }

  /// Of a longer line what stands around the place.
  std::string_view line_at(std::size_t at) const {
    constexpr std::size_t kFar = 2000;
    const std::size_t from = at < kFar ? 0 : at - kFar;
    const std::string_view around = text_.substr(from, 2 * kFar);
    const std::size_t begin = at == from ? 0 : around.rfind('\n', at - from - 1) + 1;  // npos + 1 is 0
    return around.substr(begin, std::min(around.find('\n', at - from), around.size()) - begin);
  }

  /// `p2.4xlarge`, `g5.large`.
  void instance_types() {
    constexpr std::string_view kLarge = "large";
    // Clouds whose machines are called likewise: `g3.large` of Jetstream2.
    for (const std::string_view other : {"openstack", "OpenStack", "jetstream", "Jetstream", "flavor"}) {
      if (contains(text_, other)) return;
    }
    std::set<std::string_view> said;
    for (std::size_t at = text_.find(kLarge); at != text_.npos; at = text_.find(kLarge, at + 1)) {
      const std::size_t end = at + kLarge.size();
      if (end < text_.size() && (is_word_char(text_[end]) || text_[end] == '-')) continue;
      const bool extra = at > 0 && text_[at - 1] == 'x';
      const std::size_t digits_end = at - (extra ? 1 : 0);
      std::size_t begin = digits_end;
      while (begin > 0 && digits_end - begin < 4 && is_digit(text_[begin - 1])) --begin;
      if (begin == 0 || text_[begin - 1] != '.') continue;
      const std::size_t dot = begin - 1;
      std::size_t first = dot;
      while (first > 0 && dot - first < 6 && is_word_char(text_[first - 1])) --first;
      // `ml.g5.xlarge` of SageMaker, `cache.`: lists of others.
      if (first > 0 && (text_[first - 1] == '.' || text_[first - 1] == '-' || is_word_char(text_[first - 1]))) continue;
      const std::string_view family = text_.substr(first, dot - first);
      const auto known = std::ranges::find(kFamilies, family, &FamilySizes::family);
      if (known == kFamilies.end()) continue;
      const std::string_view number = text_.substr(begin, digits_end - begin);
      const std::string size = extra ? (number.empty() ? "1" : std::string(number)) : "none";
      const std::string_view type = text_.substr(first, end - first);
      if (contains(known->sizes, " " + size + " ") || said.contains(type)) continue;
      const std::string_view line = trim(line_at(first));
      if (line.starts_with('#') || line.starts_with("//")) continue;
      said.insert(type);
      report("instance-type-unknown", type, "AWS has no instance type `" + std::string(type) + "`");
    }
  }

  /// Source: NVIDIA/dcgm-exporter:pkg/cmd/app.go, CLIFieldsFile (4.5).
  void exporter_fields() {
    for (const std::string_view word : {"--collectors=DCGM_FI_", "--collectors DCGM_FI_", "-f=DCGM_FI_"}) {
      const std::size_t at = text_.find(word);
      if (at == text_.npos || trim(line_at(at)).starts_with('#')) continue;
      report("exporter-fields-as-file", text_.substr(at, word.size()),
             "dcgm-exporter takes the path of a file with fields, and is given fields");
      return;
    }
    constexpr std::string_view kVariable = "DCGM_EXPORTER_COLLECTORS";
    const std::size_t at = text_.find(kVariable);
    if (at == text_.npos) return;
    constexpr std::size_t kNear = 80;  // of an item of `env:` the next line
    std::string_view near = text_.substr(at + kVariable.size(), kNear);
    const std::size_t value = near.find_first_not_of("\"' :=\r\n\tvalue");
    if (value != near.npos && near.substr(value).starts_with("DCGM_FI_"))
      report("exporter-fields-as-file", text_.substr(at, kVariable.size()),
             "dcgm-exporter takes the path of a file with fields, and is given fields");
  }

  /// Source: https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html#nccl-debug-file
  void nccl_log() {
    constexpr std::string_view kFile = "NCCL_DEBUG_FILE=";
    constexpr std::array<std::string_view, 14> kOfOneRank{"%h",   "%p",   "RANK", "rank", "PROCID", "LOCALID", "NODEID",
                                                          "HOST", "host", "NODE", "node", "$$",     "TASK",    "/dev/"};
    constexpr std::array<std::string_view, 7> kStarts{"srun ",    "sbatch ",    "mpirun ",          "torchrun ",
                                                      "mpiexec ", "deepspeed ", "accelerate launch"};
    const std::size_t at = text_.find(kFile);
    if (at == text_.npos || (at > 0 && is_word_char(text_[at - 1]))) return;
    const std::string_view line = line_at(at);
    std::string_view value = line.substr(static_cast<std::size_t>(text_.data() + at + kFile.size() - line.data()));
    value = value.substr(0, value.find_first_of(" \t\r;,"));
    if (trim(line).starts_with('#') || value.find_first_not_of("\"'") == value.npos || contains(line, "echo ")) return;
    const auto is_in = [&](std::string_view text) {
      return std::ranges::any_of(kOfOneRank, [&](std::string_view one) { return contains(text, one); });
    };
    if (is_in(value)) return;
    // Of a name that is put together elsewhere the whole text is asked.
    const bool open = contains(value, "$");
    if (open && (contains(text_, "%h") || contains(text_, "%p"))) return;
    if (std::ranges::none_of(kStarts, [&](std::string_view one) { return contains(text_, one); })) return;
    report("nccl-log-shared", text_.substr(at, kFile.size() - 1),
           "every rank writes its log of NCCL to the same file, and the last one that opens it empties it");
  }

  /// `kubectl get nodes | grep -q Ready`.
  void ready_nodes() {
    for (std::size_t at = text_.find("get node"); at != text_.npos; at = text_.find("get node", at + 1)) {
      const std::string_view line = line_at(at);
      const std::string_view behind =
          line.substr(std::min(static_cast<std::size_t>(text_.data() + at - line.data()), line.size()));
      const std::size_t grep = behind.find("grep ");
      if (trim(line).starts_with('#') || contains(line, "NotReady") || grep == behind.npos) continue;
      const std::string_view asked = behind.substr(0, grep);
      if (!contains(asked, "|") || contains(asked, " -o") || contains(asked, "--output") || contains(asked, "awk"))
        continue;
      // Piped on, or counted: a question all the same.
      std::string_view rest = trim(behind.substr(grep + 5));
      bool whole = false;
      while (rest.starts_with('-')) {
        const std::size_t end = std::min(rest.find(' '), rest.size());
        whole = whole || rest.substr(0, end).find_first_of("wxv") != rest.npos;
        rest = trim(rest.substr(end));
      }
      const char quote = rest.empty() ? ' ' : rest.front();
      const bool quoted = quote == '"' || quote == '\'';
      const std::string_view pattern =
          quoted ? rest.substr(1, rest.find(quote, 1) - 1) : rest.substr(0, rest.find_first_of(" ;|)>&"));
      if (whole || pattern != "Ready") continue;
      report("script-ready-in-not-ready", pattern, "`Ready` is found in `NotReady`, too");
      return;
    }
  }

  /// Source: argoproj/argo-cd:docs/user-guide/sync-options.md, Respect ignore differences configs (3.2).
  void ignored_replicas() {
    constexpr std::string_view kIgnored = "ignoreDifferences:";
    if (!contains(text_, kIgnored) || !contains(text_, "argoproj.io/")) return;
    int looks = 0;
    for (std::size_t at = text_.find(kIgnored); at != text_.npos; at = text_.find(kIgnored, at + 1)) {
      if (++looks > kMostLooks) return;
      if (trim(line_at(at)).starts_with('#')) continue;
      std::size_t begin = text_.rfind("\n---", at);
      begin = begin == text_.npos ? 0 : begin;
      const std::string_view document = text_.substr(begin, std::min(text_.find("\n---", at), text_.size()) - begin);
      if (!contains(document, "kind: Application") || contains(document, "RespectIgnoreDifferences=true") ||
          contains(document, "ApplyOutOfSyncOnly=true") || contains(document, "{{- "))
        continue;
      const std::size_t replicas = document.find("/spec/replicas", at - begin);
      if (replicas == document.npos || trim(line_at(begin + replicas)).starts_with('#')) continue;
      report("application-ignores-and-applies", document.substr(replicas, 14),
             "the number of replicas is ignored where Argo CD compares, and applied all the same where it syncs");
      return;
    }
  }

  /// A ConfigMap with what the API of Grafana takes, `{"dashboard": {...}}`.
  void wrapped_dashboards() {
    constexpr std::string_view kWrapped = "\"dashboard\": {";
    int looks = 0;
    for (std::size_t at = text_.find(kWrapped); at != text_.npos; at = text_.find(kWrapped, at + 1)) {
      if (++looks > kMostLooks) return;
      const std::string_view before = text_.substr(0, at);
      const std::size_t last = before.find_last_not_of(" \t\r\n");
      if (last == before.npos || before[last] != '{') continue;
      const std::size_t head = before.substr(0, last).find_last_not_of(" \t\r\n");
      if (head == before.npos || (before[head] != '|' && before[head] != '-' && before[head] != '>')) continue;
      const std::size_t start = std::min(before.rfind("\n---"), before.size());
      const std::string_view document = text_.substr(start == before.size() ? 0 : start,
                                                     text_.find("\n---", at) - (start == before.size() ? 0 : start));
      if (!contains(document, "kind: ConfigMap") || contains(text_, "api/dashboards") ||
          !contains(document, "\"panels\""))
        continue;
      report("dashboard-wrapped", text_.substr(at, kWrapped.size() - 3),
             "the dashboard stands in `dashboard`, as the API of Grafana takes it, and not its files");
      return;
    }
  }

  /// In the last stage of an image: what came before it is left behind.
  void image_drivers() {
    constexpr std::array<std::string_view, 8> kNumbered{"nvidia-driver-", "nvidia-utils-",         "nvidia-headless-",
                                                        "nvidia-dkms-",   "nvidia-compute-utils-", "libnvidia-compute-",
                                                        "libnvidia-gl-",  "cuda-drivers-"};
    constexpr std::array<std::string_view, 8> kOthers{"bootc", "dracut", "kernel",  "linux-image",
                                                      "purge", "remove", "systemd", "warewulf"};
    const std::size_t from = text_.rfind("\nFROM ");
    const std::string_view stage = text_.substr(from == text_.npos ? 0 : from);
    if (std::ranges::any_of(kOthers, [&](std::string_view one) { return contains(stage, one); })) return;
    bool installs = false;
    for (const std::string_view line : split(stage, '\n')) {
      const std::string_view words = trim(line);
      if (words.starts_with('#')) continue;
      installs = installs || contains(words, " install");
      for (std::string_view word : split_blanks(words)) {
        if (!installs) break;
        const std::size_t whole = std::min(word.find_first_of("=;\\"), word.size());
        word = word.substr(0, whole);
        const bool driver = word == "cuda-drivers" || std::ranges::any_of(kNumbered, [&](std::string_view one) {
                              return word.starts_with(one) && word.size() > one.size() && is_digit(word[one.size()]);
                            });
        if (!driver) continue;
        report("image-installs-driver", word,
               "`" + std::string(word) + "` is part of the driver, which belongs to the host");
        return;
      }
      if (!words.ends_with('\\') && !words.empty()) installs = false;
    }
  }

  const Inputs& inputs_;
  std::vector<Finding>& findings_;
  FileId file_ = FileId::None;
  std::string_view text_;
};

}  // namespace

void find_gpu_text_slips(const Inputs& inputs, std::vector<Finding>& findings) { TextSlips(inputs, findings).run(); }

}  // namespace muster
