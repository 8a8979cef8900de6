#include "pipeline/gpu_text_slips.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "kinds/language.h"
#include "pipeline/docker_arguments.h"
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

constexpr std::array<std::string_view, 1> kDriver{"driver"};

class TextSlips {
 public:
  TextSlips(const Inputs& inputs, std::vector<Finding>& findings) : inputs_(inputs), findings_(findings) {}

  void run() {
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      if (inputs_.files[i].reading != Reading::Whole) continue;
      file_ = static_cast<FileId>(i);
      text_ = inputs_.sources.file(file_).text();
      line_ = {};
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
      if (is_yaml_file(path)) wrapped_dashboards();
      if (data && contains(text_, "\"panels\"")) rates_of_gauges();
      const bool image = is_dockerfile(path);
      if (image && !is_named_for(path, kDriver)) image_drivers();
      if (image && !contains(text_, "{{") && !contains(text_, "{%")) find_docker_arguments(file_, text_, findings_);
    }
  }

 private:
  void report(std::string_view rule, std::string_view at, std::string message) {
    findings_.push_back(problem(rule, span_of_part(file_, text_, at), std::move(message)));
  }

  /// A line, without blanks around it, and where a remark begins in it.
  struct Line {
    std::string_view whole;
    std::string_view words;
    std::size_t remark = std::string_view::npos;
  };

  /// Looks for the ends of each line once where places are asked for one after another.
  const Line& line_at(std::size_t at) {
    const std::size_t known = line_.whole.data() == nullptr ? text_.npos : offset(line_.whole);
    if (known == text_.npos || at < known || at > known + line_.whole.size()) {
      const std::size_t begin = at == 0 ? 0 : text_.rfind('\n', at - 1) + 1;  // npos + 1 is 0
      line_.whole = text_.substr(begin, std::min(text_.find('\n', at), text_.size()) - begin);
      line_.words = trim(line_.whole);
      const bool all = line_.words.starts_with('#') || line_.words.starts_with("//");
      line_.remark = all ? 0 : std::min(line_.whole.find(" #"), line_.whole.find(" // "));
    }
    return line_;
  }

  std::size_t offset(std::string_view part) const { return static_cast<std::size_t>(part.data() - text_.data()); }

  bool is_in_remark(std::size_t at) {
    const Line& line = line_at(at);
    return line.remark != line.whole.npos && at - offset(line.whole) >= line.remark;
  }

  /// Whether the file speaks of AWS, and of no cloud whose machines are called likewise: `g3.large` of Jetstream2.
  bool is_of_aws() const {
    constexpr std::array<std::string_view, 13> kAws{"aws",
                                                    "AWS",
                                                    "eks",
                                                    "EKS",
                                                    "ec2",
                                                    "EC2",
                                                    "karpenter",
                                                    "instance-type",
                                                    "instance_type",
                                                    "instance-size",
                                                    "InstanceType",
                                                    "instanceType",
                                                    "ParallelCluster"};
    constexpr std::array<std::string_view, 15> kOthers{"openstack", "OpenStack", "jetstream", "Jetstream", "civo",
                                                       "Civo",      "flavor =",  "flavor:",   "--flavor",  "flavor_",
                                                       "alibaba",   "Alibaba",   "aliyun",    "alicloud",  "huawei"};
    const auto has = [this](std::string_view word) { return contains(text_, word); };
    return std::ranges::any_of(kAws, has) && std::ranges::none_of(kOthers, has);
  }

  /// `p2.4xlarge`, `g5.large`.
  void instance_types() {
    constexpr std::string_view kLarge = "large";
    std::set<std::string_view> said;
    std::optional<bool> aws;
    for (std::size_t at = find_part(text_, kLarge); at != text_.npos; at = find_part(text_, kLarge, at + 1)) {
      const std::size_t end = at + kLarge.size();
      if (end < text_.size() && (is_word_char(text_[end]) || text_[end] == '-')) continue;
      if (end + 1 < text_.size() && text_[end] == '.' && is_digit(text_[end + 1])) continue;  // `p2.2xlarge.8`
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
      if (contains(known->sizes, " " + size + " ") || said.contains(type) || is_in_remark(first)) continue;
      said.insert(type);
      // `- g4dn.large  # does not exist`
      if (line_.remark != text_.npos && contains(line_.whole.substr(line_.remark), "not ")) continue;
      if (!aws) aws = is_of_aws();
      if (!*aws) return;
      report("instance-type-unknown", type, "AWS has no instance type `" + std::string(type) + "`");
    }
  }

  /// Source: NVIDIA/dcgm-exporter:pkg/cmd/app.go, CLIFieldsFile (4.5).
  void exporter_fields() {
    constexpr std::string_view kVariable = "DCGM_EXPORTER_COLLECTORS";
    if (!contains(text_, "DCGM_")) return;
    for (const std::string_view word :
         {std::string_view("--collectors=DCGM_FI_"), std::string_view("--collectors DCGM_FI_"),
          std::string_view("-f=DCGM_FI_"), kVariable}) {
      for (std::size_t at = text_.find(word); at != text_.npos; at = text_.find(word, at + 1)) {
        if (is_in_remark(at) || (word == kVariable && !value_behind(at + word.size()).starts_with("DCGM_FI_")))
          continue;
        report("exporter-fields-as-file", text_.substr(at, word.size()),
               "dcgm-exporter takes the path of a file with fields, and is given fields");
        return;
      }
    }
  }

  /// Behind the name of a variable: `=VALUE`, or in `value` of an item of `env:`, on the same line or the next.
  std::string_view value_behind(std::size_t at) const {
    constexpr std::size_t kNear = 120;
    constexpr std::string_view kSigns = "\"' :=,\t\r";
    const std::string_view near = text_.substr(at, kNear);
    const std::size_t first = near.find_first_not_of("\"' :=,\t\r\n");
    if (first == near.npos) return {};
    const std::string_view between = near.substr(0, first);
    const bool next_line = contains(between, "\n");
    std::string_view value = near.substr(first);
    if (value.starts_with("value")) {
      value.remove_prefix(5);
      value.remove_prefix(std::min(value.find_first_not_of(kSigns), value.size()));
    } else if (next_line) {
      return {};
    }
    return value;
  }

  /// Source: https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html#nccl-debug-file
  void nccl_log() {
    constexpr std::string_view kFile = "NCCL_DEBUG_FILE=";
    constexpr std::array<std::string_view, 15> kOfOneRank{"%h",      "%p",     "RANK", "rank", "PROCID",
                                                          "LOCALID", "NODEID", "HOST", "host", "NODE",
                                                          "node",    "uname",  "$$",   "TASK", "/dev/"};
    constexpr std::array<std::string_view, 6> kStarts{"srun ",    "mpirun ",    "torchrun ",
                                                      "mpiexec ", "deepspeed ", "accelerate launch"};
    constexpr int kMostPlaces = 20;
    int places = 0;
    for (std::size_t at = text_.find(kFile); at != text_.npos; at = text_.find(kFile, at + 1)) {
      if (++places > kMostPlaces) return;
      if ((at > 0 && is_word_char(text_[at - 1])) || is_in_remark(at)) continue;
      const std::string_view line = line_at(at).whole;
      std::string_view value = line.substr(at + kFile.size() - offset(line));
      value = value.substr(0, value.find_first_of(" \t\r;,"));
      if (value.find_first_not_of("\"'") == value.npos || contains(line, "echo ")) continue;
      const auto is_in = [&](std::string_view text) {
        return std::ranges::any_of(kOfOneRank, [&](std::string_view one) { return contains(text, one); });
      };
      if (is_in(value)) continue;
      // Of a name that is put together elsewhere the lines are asked that set its parts.
      bool own = contains(value, "$") && (contains(text_, "%h") || contains(text_, "%p"));
      constexpr int kMostNames = 8;
      int names = 0;
      for (std::size_t sign = value.find('$'); sign != value.npos && !own; sign = value.find('$', sign + 1)) {
        if (++names > kMostNames) return;
        std::string_view name = value.substr(sign + 1);
        if (name.starts_with('{')) name.remove_prefix(1);
        name = name.substr(0, static_cast<std::size_t>(std::ranges::find_if_not(name, is_word_char) - name.begin()));
        own = !name.empty() && some_line_with(text_, std::string(name) + "=", is_in);
      }
      if (own) continue;
      const auto starts = [&](std::string_view one) {
        return some_line_with(text_, one, [](std::string_view other) { return !trim(other).starts_with('#'); });
      };
      if (std::ranges::none_of(kStarts, starts)) return;
      report("nccl-log-shared", text_.substr(at, kFile.size() - 1),
             "every rank writes its log of NCCL to the same file, and the last one that opens it empties it");
      return;
    }
  }

  /// A line and those that a pipe goes on in.
  std::string_view piped_line_at(std::size_t at) {
    constexpr int kMostLines = 10;
    const std::string_view line = line_at(at).whole;
    std::size_t end = offset(line) + line.size();
    for (int lines = 0; lines < kMostLines && end < text_.size(); ++lines) {
      const std::string_view before = text_.substr(end - std::min(end, std::size_t{3}), std::min(end, std::size_t{3}));
      const std::size_t next = std::min(text_.find('\n', end + 1), text_.size());
      const std::string_view behind = trim(text_.substr(end + 1, next - end - 1));
      if (!trim(before).ends_with('\\') && !trim(before).ends_with('|') && !behind.starts_with('|')) break;
      end = next;
    }
    return text_.substr(offset(line), end - offset(line));
  }

  /// `kubectl get nodes | grep -q Ready`.
  void ready_nodes() {
    constexpr std::string_view kGet = "get node";
    for (std::size_t at = find_part(text_, kGet); at != text_.npos;) {
      const std::string_view line = piped_line_at(at);
      const std::size_t from = at - offset(line);
      at = find_part(text_, kGet, offset(line) + line.size());
      const std::size_t grep = line.find("grep ", from);
      if (trim(line).starts_with('#') || contains(line, "NotReady") || contains(line, "awk") || grep == line.npos)
        continue;
      const std::string_view asked = line.substr(line.rfind(kGet, grep), grep - line.rfind(kGet, grep));
      if (!contains(asked, "|") || contains(asked, " -o") || contains(asked, "--output") || contains(asked, ";") ||
          contains(asked, "&&"))
        continue;
      std::string_view rest = trim(line.substr(grep + 5));
      bool whole = false;
      bool question = contains(rest, "wc -l");
      while (rest.starts_with('-')) {
        const std::string_view option = rest.substr(0, rest.find(' '));
        whole = whole || option.find_first_of("wxv") != option.npos;
        question = question || option.find_first_of("qc") != option.npos;
        rest = trim(rest.substr(option.size()));
      }
      // A list for people is none.
      for (const std::string_view word : {"until ", "while ", "if "}) {
        question = question || contains(line.substr(0, from), word);
      }
      const char quote = rest.empty() ? ' ' : rest.front();
      const bool quoted = quote == '"' || quote == '\'';
      const std::string_view pattern =
          quoted ? rest.substr(1, rest.find(quote, 1) - 1) : rest.substr(0, rest.find_first_of(" ;|)>&"));
      if (whole || !question || pattern != "Ready" || takes_out(rest)) continue;
      report("script-ready-in-not-ready", pattern, "`Ready` is found in `NotReady`, too");
      return;
    }
  }

  /// Whether a later part of a pipe is `grep -v`.
  static bool takes_out(std::string_view pipe) {
    for (std::size_t at = pipe.find("grep -"); at != pipe.npos; at = pipe.find("grep -", at + 1)) {
      const std::string_view option = pipe.substr(at + 5, 20);
      if (contains(option.substr(0, option.find(' ')), "v")) return true;
    }
    return false;
  }

  /// The documents of a YAML file.
  std::vector<std::string_view> documents() const {
    std::vector<std::string_view> out;
    for (std::size_t begin = 0; begin < text_.size();) {
      const std::size_t end = std::min(text_.find("\n---", begin), text_.size());
      out.push_back(text_.substr(begin, end - begin));
      begin = end + 1;
    }
    return out;
  }

  /// A ConfigMap with what the API of Grafana takes, `{"dashboard": {...}}`.
  void wrapped_dashboards() {
    constexpr std::string_view kWrapped = "\"dashboard\": {";
    if (!contains(text_, kWrapped)) return;
    for (const std::string_view document : documents()) {
      if (!contains(document, "kind: ConfigMap") || !contains(document, "\"panels\"")) continue;
      for (std::size_t at = document.find(kWrapped); at != document.npos; at = document.find(kWrapped, at + 1)) {
        const std::string_view before = document.substr(0, at);
        const std::size_t last = before.find_last_not_of(" \t\r\n");
        if (last == before.npos || before[last] != '{') continue;
        const std::size_t head = before.substr(0, last).find_last_not_of(" \t\r\n");
        if (head == before.npos || (before[head] != '|' && before[head] != '-' && before[head] != '>')) continue;
        if (!is_sent()) {
          report("dashboard-wrapped", document.substr(at, kWrapped.size() - 3),
                 "the dashboard stands in `dashboard`, as the API of Grafana takes it, and not its files");
        }
        return;
      }
    }
  }

  /// Whether the text of JSON at that place is what is asked, `"expr": "..."`, and not one for people.
  bool is_in_query(std::size_t at) const {
    constexpr std::size_t kMostOfQuery = 4000;
    const std::size_t least = at - std::min(at, kMostOfQuery);
    std::size_t from = at;  // behind the quote that begins the text
    while (from > least && (text_[from - 1] != '"' || (from > 1 && text_[from - 2] == '\\'))) {
      if (text_[from - 1] == '\n') return false;
      --from;
    }
    if (from == least) return false;
    std::string_view key = trim(text_.substr(0, from - 1).substr(from - 1 - std::min<std::size_t>(from - 1, 40)));
    if (!key.ends_with(':')) return false;
    key.remove_suffix(1);
    key = trim(key);
    return key.ends_with("\"expr\"") || key.ends_with("\"query\"");
  }

  /// `rate(vllm:num_requests_running[1m])` in a panel.
  void rates_of_gauges() {
    constexpr std::array<std::string_view, 11> kGauges{
        "DCGM_FI_DEV_ROW_REMAP_FAILURE", "vllm:num_requests_running", "vllm:num_requests_waiting",
        "vllm:gpu_cache_usage_perc",     "vllm:kv_cache_usage_perc",  "DCGM_FI_DEV_GPU_UTIL",
        "DCGM_FI_DEV_GPU_TEMP",          "DCGM_FI_DEV_POWER_USAGE",   "DCGM_FI_DEV_FB_USED",
        "DCGM_FI_DEV_MEM_COPY_UTIL",     "DCGM_FI_DEV_XID_ERRORS"};
    std::size_t said = 0;
    for (std::size_t open = text_.find('('); open != text_.npos && said < 10; open = text_.find('(', open + 1)) {
      std::size_t at = open;
      while (at > 0 && is_word_char(text_[at - 1])) --at;
      const std::string_view function = text_.substr(at, open - at);
      if (function != "rate" && function != "irate" && function != "increase") continue;
      const std::string_view inner = trim(text_.substr(open + 1, 60));
      const auto gauge = std::ranges::find_if(kGauges, [&](std::string_view one) {
        return inner.starts_with(one) && (inner.size() == one.size() || !is_word_char(inner[one.size()]));
      });
      if (gauge == kGauges.end() || !is_in_query(at)) continue;
      ++said;
      report("dashboard-rate-of-gauge", text_.substr(at, open + 1 + gauge->size() - at),
             "`" + std::string(*gauge) + "` is a gauge, which rises and falls");
    }
  }

  /// Whether something of the input speaks of the API that takes dashboards so, or nothing of what reads files.
  bool is_sent() {
    if (sent_) return *sent_;
    constexpr std::array<std::string_view, 4> kFiles{"grafana_dashboard", "grafana-dashboard",
                                                     "provisioning/dashboards", "lib/grafana/dashboards"};
    bool files = false;
    sent_ = false;
    for (std::size_t i = 0; i < inputs_.files.size() && !*sent_; ++i) {
      const std::string_view all = inputs_.sources.file(static_cast<FileId>(i)).text();
      const auto has = [&](std::string_view word) { return contains(all, word); };
      sent_ = has("api/dashboards");
      files = files || std::ranges::any_of(kFiles, has);
    }
    sent_ = *sent_ || !files;
    return *sent_;
  }

  /// In the last stage of an image: what came before it is left behind.
  void image_drivers() {
    constexpr std::array<std::string_view, 8> kNumbered{"nvidia-driver-", "nvidia-utils-",         "nvidia-headless-",
                                                        "nvidia-dkms-",   "nvidia-compute-utils-", "libnvidia-compute-",
                                                        "libnvidia-gl-",  "cuda-drivers-"};
    constexpr std::array<std::string_view, 14> kOthers{
        "bootc",    "dracut",        "kernel",       "linux-image",  "purge",          "remove",  "systemd",
        "warewulf", "download-only", "get download", "apt download", "virt-customize", "nsenter", "chroot"};
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
        word.remove_prefix(std::min(word.find_first_not_of("\"'"), word.size()));
        const std::size_t whole = std::min(word.find_first_of("=;\\\"'"), word.size());
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
  Line line_;
  std::optional<bool> sent_;
};

}  // namespace

void find_gpu_text_slips(const Inputs& inputs, std::vector<Finding>& findings) { TextSlips(inputs, findings).run(); }

}  // namespace muster
