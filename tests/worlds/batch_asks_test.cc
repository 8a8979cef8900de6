// What batch jobs ask for that slurmctld does not give: never `holds` over it.
#include "support/catch.h"
#include "support/proofs.h"

using namespace muster;
using test::prove_files;
using test::told;

namespace {

const std::string kNodes =
    "NodeName=n[1-4] CPUs=64 SocketsPerBoard=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=512000 "
    "Gres=gpu:h100:8";
const std::string kPartition = "PartitionName=gpu Nodes=n[1-4] Default=YES";

std::string site(const std::string& nodes, const std::string& partition, const std::string& more = "GresTypes=gpu\n") {
  return "ClusterName=lab\nSlurmctldHost=c\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\n" + more +
         nodes + "\n" + partition + "\n";
}

std::string batch(const std::string& options) { return "#!/bin/bash\n#SBATCH -p gpu -N2 " + options + "\nsrun t\n"; }

std::string placeable(const std::string& conf, const std::string& options,
                      const std::map<std::string, std::string>& more = {}) {
  std::map<std::string, std::string> files{{"slurm.conf", conf}, {"job.sbatch", batch(options)}};
  files.insert(more.begin(), more.end());
  return told(prove_files(files, {"--property", "placeable"}));
}

}  // namespace

TEST_CASE("a batch job that slurmctld refuses is not said to be placed", "[worlds]") {
  const std::string conf = site(kNodes, kPartition + " MaxTime=1-00:00:00");
  CHECK(placeable(conf, "--gres=gpu:8 --mem=500G --ntasks-per-node=1 -c64 -t 1-00:00:00") == "holds");
  CHECK(placeable(conf, "--gres=gpu:16") == "counterexample");
  CHECK(placeable(conf, "--gres=gpu:a100:8") == "counterexample");
  CHECK(placeable(conf, "--gres=gpu:8 --mem=600G") == "counterexample");
  CHECK(placeable(conf, "--gres=gpu:8 --ntasks-per-node=1 -c128") == "counterexample");
  CHECK(placeable(conf, "--gres=gpu:8 -t 2-00:00:00") == "unknown");
}

TEST_CASE("a default for each CPU has to fit beside memory for each GPU", "[worlds]") {
  const std::string conf = site(kNodes, kPartition + " DefMemPerCPU=10000");
  CHECK(placeable(conf, "--gres=gpu:8 --mem-per-gpu=1G --ntasks-per-node=1 -c48") == "holds");
  CHECK(placeable(conf, "--gres=gpu:8 --mem-per-gpu=1G --ntasks-per-node=1 -c48 --exclusive") != "holds");
  CHECK(placeable(conf, "--gres=gpu:8 --mem-per-gpu=1G --ntasks-per-node=1 -c64") != "holds");
}

TEST_CASE("jobs get no memory and no cores that a node keeps for itself", "[worlds]") {
  const std::string kept = site(kNodes + " CoreSpecCount=8 MemSpecLimit=100000", kPartition);
  CHECK(placeable(kept, "--gres=gpu:8 --mem=412000 --ntasks-per-node=1 -c48") == "holds");
  CHECK(placeable(kept, "--gres=gpu:8 --mem=413000") == "counterexample");
  CHECK(placeable(kept, "--gres=gpu:8 --ntasks-per-node=1 -c50") == "counterexample");
}

TEST_CASE("cores that CoreSpecCount keeps of a node of the cloud are given away by old releases alone", "[worlds]") {
  const std::string kept = site(kNodes + " State=CLOUD CoreSpecCount=8", kPartition);
  const auto on = [&](const std::string& release, const std::string& cpus) {
    const std::map<std::string, std::string> files{
        {"slurm.conf", kept}, {"job.sbatch", batch("--gres=gpu:8 --mem=1000 --ntasks-per-node=1 -c" + cpus)}};
    return told(prove_files(files, {"--property", "placeable", "--target", "slurm=" + release}));
  };
  CHECK(on("22.05", "48") == "holds");
  CHECK(on("22.05", "50") == "unknown");
  CHECK(on("22.05", "66") == "counterexample");
  CHECK(on("24.11", "48") == "holds");
  CHECK(on("24.11", "50") == "counterexample");
  CHECK(placeable(kept, "--gres=gpu:8 --mem=1000 --ntasks-per-node=1 -c50") == "unknown");
}

TEST_CASE("GPUs that a node does not have in the end are not counted", "[worlds]") {
  CHECK(placeable(site(kNodes, kPartition), "--gres=gpu:8") == "holds");
  CHECK(placeable(site(kNodes, kPartition, ""), "--gres=gpu:8") != "holds");
  const std::map<std::string, std::string> half{{"gres.conf", "NodeName=n[1-4] Name=gpu Type=h100 File=/dev/n[0-3]\n"}};
  CHECK(placeable(site(kNodes, kPartition), "--gres=gpu:8", half) == "counterexample");
  CHECK(placeable(site(kNodes, kPartition), "--gres=gpu:4", half) == "holds");
  const std::string down = site(kNodes, kPartition, "GresTypes=gpu\nDownNodes=n[2-4] State=DOWN\n");
  CHECK(placeable(down, "--gres=gpu:8") != "holds");
}

TEST_CASE("of nodes with GPUs of two types a job gets those of the type that it asks for", "[worlds]") {
  const std::string conf =
      site(kNodes + "\nNodeName=m[1-3] CPUs=16 RealMemory=64000 Gres=gpu:a100:4\nNodeName=c1 CPUs=8",
           "PartitionName=gpu Nodes=n[1-4],m[1-3],c1 Default=YES");
  CHECK(placeable(conf, "--gres=gpu:h100:8 --mem=100") == "holds");
  CHECK(placeable(conf, "--gres=gpu:a100:4 --mem=64000") == "holds");
  CHECK(placeable(conf, "--gres=gpu:a100:4 --mem=64001") == "counterexample");
  CHECK(placeable(conf, "--gres=gpu:a100:8 --mem=100") == "counterexample");
  CHECK(placeable(conf, "--gres=gpu:4 -N 7 --mem=100") == "holds");
  CHECK(placeable(conf, "--gres=gpu:4 -N 8 --mem=100") == "counterexample");
  const std::string both = site("NodeName=n[1-4] CPUs=64 RealMemory=1000 Gres=gpu:h100:4,gpu:a100:4", kPartition);
  CHECK(placeable(both, "--gres=gpu:h100:4 --mem=100") != "holds");
}

TEST_CASE("a job that its partition does not let in is not said to be placed", "[worlds]") {
  const auto of = [](const std::string& setting, const std::string& options) {
    return placeable(site(kNodes, kPartition + " " + setting), "--gres=gpu:8 " + options);
  };
  CHECK(of("RootOnly=YES", "") == "unknown");
  CHECK(of("ReqResv=YES", "") == "unknown");
  CHECK(of("AllowAccounts=phys,chem", "-A chem") == "holds");
  CHECK(of("AllowAccounts=phys,chem", "-A bio") == "unknown");
  CHECK(of("DenyAccounts=bio", "-A bio") == "unknown");
  CHECK(of("DenyAccounts=bio", "-A chem") == "holds");
}

TEST_CASE("what the line that submits a job adds to it is not left out of account", "[worlds]") {
  const std::string conf = site(kNodes, kPartition);
  const auto submitted = [&](const std::string& words) {
    return placeable(conf, "--gres=gpu:8", {{"submit.sh", "#!/bin/bash\nsbatch " + words + " job.sbatch\n"}});
  };
  CHECK(submitted("--job-name=a") == "holds");
  CHECK(submitted("--mem=900G") != "holds");
  CHECK(submitted("--constraint=volta") != "holds");
}

TEST_CASE("of an option that a job repeats the last one counts", "[worlds]") {
  const std::string conf = site(kNodes, kPartition);
  CHECK(placeable(conf, "--gres=gpu:16 --gres=gpu:8 --mem-per-gpu=60G") == "holds");
  CHECK(placeable(conf, "--gres=gpu:2 --gres=gpu:8 --mem-per-gpu=120G") == "counterexample");
}
