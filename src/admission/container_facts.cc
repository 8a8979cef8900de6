#include "admission/container_facts.h"

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "gang/pod_template.h"

namespace muster {
namespace {

// A container is `w`, and `x` has it beside the names of the accelerators in its limits, which are looked for once.
// TEXTS: the command as one text, or none where it has comments. What src/kubernetes/containers.cc and
// container_server.cc read is more: here it is not there then.
constexpr std::string_view kAccelerators =
    "w.?resources.?limits.orValue({}).filter(k, k.contains('/') && k.matches('PATTERN') && "
    "string(w.resources.limits[k]) != '0')";
constexpr std::string_view kTexts =
    "[(w.?command.orValue([]) + w.?args.orValue([])).join(' ')].filter(t, !t.contains('#'))";

constexpr std::array kFacts{
    ContainerFact{"accelerator", "'accelerator': dyn(x[1][0])"},
    ContainerFact{"accelerators", "'accelerators': dyn(quantity(string(w.resources.limits[x[1][0]])).asInteger())"},
    ContainerFact{"collective",
                  "?'collective': TEXTS.map(t, t.find('(^|[^A-Za-z0-9_-])(torchrun|torch[.]distributed[.]run|"
                  "torch[.]distributed[.]launch|deepspeed|horovodrun|mpirun|accelerate|all_reduce_perf)"
                  "($|[^A-Za-z0-9_-])')).filter(t, t != '').map(t, dyn(t))[?0]"},
    ContainerFact{"image", "?'image': dyn(w).?image"},
    ContainerFact{"kind", "'kind': dyn(object.kind)"},
    ContainerFact{
        "locks_memory",
        "'locks_memory': dyn(w.?securityContext.?privileged.orValue(false) || "
        "(!w.?securityContext.?runAsUser.or(p.spec.?securityContext.?runAsUser).optMap(u, int(u) > 0)"
        ".orValue(w.?securityContext.?runAsNonRoot.or(p.spec.?securityContext.?runAsNonRoot).orValue(false)) && "
        "w.?securityContext.?capabilities.?add.orValue([]).exists(a, a in ['IPC_LOCK', 'CAP_IPC_LOCK', "
        "'ALL', 'all'])))"},
    ContainerFact{"name", "'name': dyn(w.name)"},
    ContainerFact{"privileged", "'privileged': dyn(w.?securityContext.?privileged.orValue(false))"},
    // One option, so that none of several is taken for the other.
    ContainerFact{"processes",
                  "?'processes': TEXTS.map(t, t.findAll('--nproc[_-]per[_-]node[= ]+[0-9]+(\\\\s|$)')).filter(l, "
                  "l.size() == 1).map(l, dyn(int(l[0].find('[0-9]+'))))[?0]"},
    ContainerFact{"rdma", "?'rdma': w.?resources.?limits.orValue({}).filter(k, k.contains('rdma')).map(k, dyn(k))[?0]"},
    ContainerFact{"rdma_off",
                  "?'rdma_off': w.?env.orValue([]).filter(e, (e.name == 'NCCL_IB_DISABLE' && e.?value.orValue('') == "
                  "'1') || (e.name == 'NCCL_NET' && e.?value.orValue('').lowerAscii() == 'socket')).map(e, dyn(e.name "
                  "+ '=' + e.value))[?0]"},
    ContainerFact{"server", "?'server': optional.none()", true},
    ContainerFact{"shared_memory",
                  "'shared_memory': dyn(p.spec.?hostIPC.orValue(false) || w.?volumeMounts.orValue([]).exists(m, "
                  "m.mountPath in ['/dev/shm', '/dev/shm/', '/dev', '/dev/']) || w.?env.orValue([]).exists(e, e.name "
                  "== 'NCCL_SHM_DISABLE' && e.?value.orValue('') == '1') || TEXTS.exists(t, "
                  "t.contains('NCCL_SHM_DISABLE=1')))"},
    ContainerFact{"visible_devices",
                  "?'visible_devices': w.?env.orValue([]).filter(e, e.name == 'NVIDIA_VISIBLE_DEVICES' && "
                  "e.?value.hasValue()).map(e, dyn(e.value))[?0]"},
};
static_assert(std::ranges::is_sorted(kFacts, {}, &ContainerFact::name), "keep the rows sorted by name");

std::string filled(std::string text) {
  text = replace_all(std::move(text), "TEXTS", kTexts);
  return replace_all(std::move(text), "PATTERN", accelerator_pattern());
}

}  // namespace

std::span<const ContainerFact> container_facts() { return kFacts; }

const ContainerFact* find_container_fact(std::string_view name) {
  const auto found = std::ranges::lower_bound(kFacts, name, {}, &ContainerFact::name);
  return found == kFacts.end() || found->name != name ? nullptr : &*found;
}

std::string facts_text(std::span<const ContainerFact* const> facts) {
  std::string entries;
  for (const ContainerFact* fact : facts) entries.append(entries.empty() ? "" : ", ").append(fact->entry);
  return filled("map(w, [w, dyn(" + std::string(kAccelerators) +
                ")]).filter(x, x[1].size() == 1).map(x, [x[0]].map(w, {" + entries + "})[0])");
}

}  // namespace muster
