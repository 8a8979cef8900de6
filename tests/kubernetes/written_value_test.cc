#include "kubernetes/manifests.h"
#include "support/catch.h"
#include "syntax/yaml_reader.h"

using namespace muster;

namespace {

constexpr std::string_view kTwoJobs = R"(apiVersion: batch/v1
kind: Job
metadata: {name: a, labels: {app: train, tier: "{{ tier }}"}}
spec:
  parallelism: 2
  template:
    spec:
      containers:
        - {name: c, command: [a, b], privileged: true, ports: [80, "80"]}
)";

Boxed<Manifest> read(std::string_view text, std::size_t times, ValueBlock& values) {
  std::vector<Finding> findings;
  Document document;
  REQUIRE(read_yaml(text, Span{FileId{0}, 0, static_cast<std::uint32_t>(text.size())}, document, findings));
  Boxed<Manifest> out;
  for (std::size_t i = 0; i < times; ++i) read_manifests(document.root(), "batch/v1", "Job", values, out);
  return out;
}

const Manifest& of(const Boxed<Manifest>& all, std::string_view collection) {
  for (const Manifest& one : all) {
    if (one.def->collection == collection) return one;
  }
  FAIL("no such object");
  return all.front();
}

}  // namespace

TEST_CASE("parts of an object are values with their places, and outlive the tree", "[written-value]") {
  ValueBlock values;
  const Boxed<Manifest> all = read(kTwoJobs, 1, values);
  const Manifest& job = of(all, "kubernetes_jobs");
  CHECK(job.part("parallelism").number() == 2);
  CHECK(job.part("parallelism").text() == "2");
  const WrittenValue& pod = job.part("pod");
  REQUIRE(pod.find("containers") != nullptr);
  const WrittenValue& container = pod.find("containers")->items().front();
  REQUIRE(container.keys().size() == 4);
  CHECK(container.keys()[1] == "command");
  CHECK(container.items()[1].items()[1].text() == "b");
  CHECK(container.find("privileged")->flag);
  CHECK(container.find("ports")->items()[0].kind == WrittenValue::Kind::Int);
  CHECK(container.find("ports")->items()[1].is_text());
  CHECK(kTwoJobs.substr(container.find("name")->where.begin, 1) == "c");
}

TEST_CASE("what somebody fills in later is unknown, with what would decide it", "[written-value]") {
  ValueBlock values;
  const Boxed<Manifest> all = read(kTwoJobs, 1, values);
  const WrittenValue& labels = of(all, "kubernetes_jobs").part("labels");
  CHECK(labels.find("app")->is_text());
  CHECK(labels.find("tier")->state == State::Unknown);
  CHECK(labels.find("tier")->needs() == "a value for `tier`");
  const WrittenValue copy = *labels.find("tier");
  CHECK(copy.needs() == "a value for `tier`");
  CHECK(!labels.is_text_map());
}

TEST_CASE("a part that nobody wrote has its field and the nearest place", "[written-value]") {
  ValueBlock values;
  const Boxed<Manifest> all = read(kTwoJobs, 1, values);
  const Manifest& job = of(all, "kubernetes_jobs");
  CHECK(job.part("completions").state == State::Absent);
  CHECK(job.place_of("completions").begin == kTwoJobs.find("spec:"));
  std::size_t row = 0;
  while (job.def->parts[row].name != "completions") ++row;
  CHECK(job.written(row) == nullptr);
  CHECK(job.unwritten(row).field == "completions");
  CHECK(job.part("no_such_part").state == State::Absent);
}

TEST_CASE("values stay where they are when their block is moved", "[written-value]") {
  ValueBlock values;
  const Boxed<Manifest> all = read(kTwoJobs, 2, values);
  const Manifest copy = of(all, "kubernetes_jobs");
  ValueBlock moved = std::move(values);
  values = ValueBlock();
  CHECK(copy.part("labels").find("app")->text() == "train");
  CHECK(copy.part("labels").find("tier")->needs() == "a value for `tier`");
  ValueBlock last;
  last = std::move(moved);
  CHECK(of(all, "kubernetes_jobs").part("parallelism").number() == 2);
}

TEST_CASE("maps with the same keys have one list of them", "[written-value]") {
  ValueBlock values;
  const Boxed<Manifest> all = read(kTwoJobs, 2, values);
  std::vector<const WrittenValue*> labels;
  for (const Manifest& one : all) {
    if (one.def->collection == "kubernetes_jobs") labels.push_back(&one.part("labels"));
  }
  REQUIRE(labels.size() == 2);
  CHECK(labels[0]->keys().data() == labels[1]->keys().data());
  CHECK(labels[0]->items().data() != labels[1]->items().data());
  CHECK(labels[1]->find("app")->text() == "train");
}
