#!/usr/bin/env python3
"""Write schemas/kubernetes.fields: the fields and types of every Kubernetes kind that muster checks.

usage: field_tables.py CRDS SCHEMAS >schemas/kubernetes.fields
CRDS is a folder of CustomResourceDefinitions, SCHEMAS the folder kubernetes-json-schema of the Python package
kubernetes-validate, which holds the OpenAPI definitions of every release since 1.25. Needs python3-yaml.

A kind's line names its API version, its tree, the release in which it was gone and whether it is deprecated; a tree's
line its fields:
    kind apps/v1 Deployment 12
    kind batch/v1beta1 CronJob 40 gone=1.25
    kind kueue.x-k8s.io/v1beta1 ClusterQueue 44 deprecated
    12 apiVersion:s kind:s metadata:3 spec:13! status:*
Types: s text, i integer, n number, b boolean, q quantity, x integer or text, * anything, [T list, {T map with values of
T, a number another tree, e7 one of the words of line `e7`; `!` is required. A tree that ends in `...` takes other keys.
"""
import json
import os
import re
import sys

import yaml

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
OLDEST = 30  # releases below are out of support; the fields of the others are joined
# What was gone before the oldest schema at hand: kubernetes.io/docs/reference/using-api/deprecation-guide
GONE_EARLIER = {
    ("extensions/v1beta1", "Deployment"): "1.16", ("extensions/v1beta1", "DaemonSet"): "1.16",
    ("extensions/v1beta1", "ReplicaSet"): "1.16", ("extensions/v1beta1", "NetworkPolicy"): "1.16",
    ("extensions/v1beta1", "PodSecurityPolicy"): "1.16", ("extensions/v1beta1", "Ingress"): "1.22",
    ("apps/v1beta1", "Deployment"): "1.16", ("apps/v1beta1", "StatefulSet"): "1.16",
    ("apps/v1beta2", "Deployment"): "1.16", ("apps/v1beta2", "StatefulSet"): "1.16",
    ("apps/v1beta2", "DaemonSet"): "1.16", ("apps/v1beta2", "ReplicaSet"): "1.16",
    ("batch/v2alpha1", "CronJob"): "1.21", ("batch/v1beta1", "CronJob"): "1.25",
    ("networking.k8s.io/v1beta1", "Ingress"): "1.22", ("networking.k8s.io/v1beta1", "IngressClass"): "1.22",
    ("policy/v1beta1", "PodDisruptionBudget"): "1.25", ("policy/v1beta1", "PodSecurityPolicy"): "1.25",
    ("rbac.authorization.k8s.io/v1beta1", "Role"): "1.22", ("rbac.authorization.k8s.io/v1beta1", "RoleBinding"): "1.22",
    ("rbac.authorization.k8s.io/v1beta1", "ClusterRole"): "1.22",
    ("rbac.authorization.k8s.io/v1beta1", "ClusterRoleBinding"): "1.22",
    ("apiextensions.k8s.io/v1beta1", "CustomResourceDefinition"): "1.22",
    ("apiregistration.k8s.io/v1beta1", "APIService"): "1.22",
    ("admissionregistration.k8s.io/v1beta1", "MutatingWebhookConfiguration"): "1.22",
    ("admissionregistration.k8s.io/v1beta1", "ValidatingWebhookConfiguration"): "1.22",
    ("scheduling.k8s.io/v1beta1", "PriorityClass"): "1.22", ("storage.k8s.io/v1beta1", "StorageClass"): "1.22",
    ("storage.k8s.io/v1beta1", "CSIDriver"): "1.22", ("storage.k8s.io/v1beta1", "CSINode"): "1.22",
    ("storage.k8s.io/v1beta1", "VolumeAttachment"): "1.22", ("coordination.k8s.io/v1beta1", "Lease"): "1.22",
    ("certificates.k8s.io/v1beta1", "CertificateSigningRequest"): "1.22",
    ("node.k8s.io/v1beta1", "RuntimeClass"): "1.25", ("discovery.k8s.io/v1beta1", "EndpointSlice"): "1.25",
    ("events.k8s.io/v1beta1", "Event"): "1.25", ("autoscaling/v2beta1", "HorizontalPodAutoscaler"): "1.25",
    ("autoscaling/v2beta2", "HorizontalPodAutoscaler"): "1.26",
}
# Fields of releases before the definitions at hand, under the same API version: an object says nothing of the release of
# its operator. Sources: kubeflow/trainer#2614 (podSpecOverrides, 2.0), #3199 (podTemplateOverrides
# became runtimePatches in 2.2), and the CustomResourceDefinitions of 2.1.0.
INT_OR_TEXT, ANY = {"x-kubernetes-int-or-string": True}, {}
TRAINER = "trainer.kubeflow.org/v1alpha1"
EARLIER = {
    (TRAINER, "TrainJob", "spec"): {
        "annotations": ANY, "labels": ANY, "podSpecOverrides": ANY, "podTemplateOverrides": ANY},
    (TRAINER, "TrainJob", "spec.trainer"): {"numProcPerNode": INT_OR_TEXT},
    (TRAINER, "TrainingRuntime", "spec.mlPolicy.torch"): {"numProcPerNode": INT_OR_TEXT},
    (TRAINER, "ClusterTrainingRuntime", "spec.mlPolicy.torch"): {"numProcPerNode": INT_OR_TEXT},
}
# What the definitions call required and kube-apiserver 1.36.3 takes an object without. 181 fields were asked, by taking
# each out of objects that it accepts, and 174 refused; integers and booleans that nobody asked about count as not required, for 0 and false
# are what they are without.
TAKEN_WITHOUT = {
    "core.v1.PreferredSchedulingTerm": "preference", "core.v1.HTTPHeader": "value", "core.v1.LimitRangeSpec": "limits",
    "storage.v1.CSIDriver": "spec",
}
ASKED_NUMBERS = {
    "ServicePort.port", "ContainerPort.containerPort", "EndpointPort.port", "GRPCAction.port",
    "PreferredSchedulingTerm.weight", "WeightedPodAffinityTerm.weight", "TopologySpreadConstraint.maxSkew",
    "HorizontalPodAutoscalerSpec.maxReplicas", "HPAScalingPolicy.periodSeconds", "HPAScalingPolicy.value",
    "CustomResourceDefinitionVersion.storage", "APIServiceSpec.groupPriorityMinimum", "APIServiceSpec.versionPriority",
}
# And what it always refuses an object without, whatever else stands there.
REFUSED_WITHOUT = {
    "core.v1.Container": "image", "core.v1.Pod": "spec", "core.v1.PodTemplateSpec": "spec",
    "core.v1.PersistentVolumeClaimSpec": "accessModes resources", "core.v1.VolumeResourceRequirements": "requests",
    "core.v1.ConfigMapVolumeSource": "name", "core.v1.SecretVolumeSource": "secretName",
    "core.v1.ConfigMapProjection": "name", "core.v1.SecretProjection": "name", "core.v1.ConfigMapKeySelector": "name",
    "core.v1.SecretKeySelector": "name", "core.v1.ReplicationControllerSpec": "template",
    "apps.v1.Deployment": "spec", "apps.v1.DaemonSet": "spec", "apps.v1.StatefulSet": "spec",
    "apps.v1.ReplicaSet": "spec", "apps.v1.ReplicaSetSpec": "template", "batch.v1.Job": "spec",
    "batch.v1.CronJob": "spec", "batch.v1.JobTemplateSpec": "spec", "autoscaling.v2.HorizontalPodAutoscaler": "spec",
    "networking.v1.IngressClass": "spec", "networking.v1.IngressClassSpec": "controller",
}
# The definitions do not list the words of these. Source: kubernetes/kubernetes:pkg/apis/*/validation (1.30-1.37).
WORDS = {
    "core.v1.PodSpec.restartPolicy": "Always OnFailure Never",
    "core.v1.PodSpec.preemptionPolicy": "Never PreemptLowerPriority",
    "core.v1.PodSpec.dnsPolicy": "ClusterFirst ClusterFirstWithHostNet Default None",
    "core.v1.Container.imagePullPolicy": "Always IfNotPresent Never",
    "core.v1.ContainerPort.protocol": "TCP UDP SCTP",
    "core.v1.Toleration.effect": "NoSchedule PreferNoSchedule NoExecute",
    "core.v1.Toleration.operator": "Equal Exists Lt Gt",
    "core.v1.Taint.effect": "NoSchedule PreferNoSchedule NoExecute",
    "core.v1.NodeSelectorRequirement.operator": "In NotIn Exists DoesNotExist Gt Lt",
    "core.v1.ServiceSpec.type": "ClusterIP NodePort LoadBalancer ExternalName",
    "batch.v1.JobSpec.completionMode": "NonIndexed Indexed",
    "batch.v1.JobSpec.podReplacementPolicy": "Failed TerminatingOrFailed",
    "batch.v1.CronJobSpec.concurrencyPolicy": "Allow Forbid Replace",
    "apps.v1.DeploymentStrategy.type": "Recreate RollingUpdate",
    "scheduling.v1.PriorityClass.preemptionPolicy": "Never PreemptLowerPriority",
    "core.v1.ServicePort.protocol": "TCP UDP SCTP",
    "core.v1.ServiceSpec.sessionAffinity": "None ClientIP",
    "core.v1.ServiceSpec.externalTrafficPolicy": "Cluster Local",
    "core.v1.ServiceSpec.internalTrafficPolicy": "Cluster Local",
    "core.v1.ServiceSpec.ipFamilyPolicy": "SingleStack PreferDualStack RequireDualStack",
    "core.v1.TopologySpreadConstraint.whenUnsatisfiable": "DoNotSchedule ScheduleAnyway",
    "core.v1.TopologySpreadConstraint.nodeAffinityPolicy": "Honor Ignore",
    "core.v1.TopologySpreadConstraint.nodeTaintsPolicy": "Honor Ignore",
    "core.v1.HostPathVolumeSource.type": "DirectoryOrCreate Directory FileOrCreate File Socket CharDevice BlockDevice",
    "core.v1.HTTPGetAction.scheme": "HTTP HTTPS",
    "core.v1.Container.terminationMessagePolicy": "File FallbackToLogsOnError",
    "core.v1.PodSecurityContext.fsGroupChangePolicy": "Always OnRootMismatch",
    "core.v1.SeccompProfile.type": "Localhost RuntimeDefault Unconfined",
    "core.v1.PersistentVolumeSpec.persistentVolumeReclaimPolicy": "Delete Recycle Retain",
    "core.v1.PersistentVolumeSpec.volumeMode": "Block Filesystem",
    "core.v1.PersistentVolumeClaimSpec.volumeMode": "Block Filesystem",
    "core.v1.PersistentVolumeSpec.accessModes": "ReadOnlyMany ReadWriteMany ReadWriteOnce ReadWriteOncePod",
    "core.v1.PersistentVolumeClaimSpec.accessModes": "ReadOnlyMany ReadWriteMany ReadWriteOnce ReadWriteOncePod",
    "storage.v1.StorageClass.volumeBindingMode": "Immediate WaitForFirstConsumer",
    "storage.v1.StorageClass.reclaimPolicy": "Delete Retain",
    "apps.v1.StatefulSetSpec.podManagementPolicy": "OrderedReady Parallel",
    "apps.v1.StatefulSetUpdateStrategy.type": "OnDelete RollingUpdate",
    "apps.v1.DaemonSetUpdateStrategy.type": "OnDelete RollingUpdate",
    "networking.v1.HTTPIngressPath.pathType": "Exact ImplementationSpecific Prefix",
    "networking.v1.NetworkPolicySpec.policyTypes": "Egress Ingress",
    "networking.v1.NetworkPolicyPort.protocol": "SCTP TCP UDP",
    "rbac.v1.RoleRef.kind": "ClusterRole Role",
    "rbac.v1.Subject.kind": "Group ServiceAccount User",
    "autoscaling.v2.MetricSpec.type": "ContainerResource External Object Pods Resource",
    "autoscaling.v2.MetricTarget.type": "AverageValue Utilization Value",
    "autoscaling.v2.HPAScalingRules.selectPolicy": "Disabled Max Min",
    "autoscaling.v2.HPAScalingPolicy.type": "Percent Pods",
    "policy.v1.PodDisruptionBudgetSpec.unhealthyPodEvictionPolicy": "AlwaysAllow IfHealthyBudget",
    "batch.v1.PodFailurePolicyRule.action": "Count FailIndex FailJob Ignore",
}
# Operators with a webhook that fills in: it writes the whole object again, empty fields included, before the API server
# looks for what is required, so that nothing is said of their kinds. Source: sigs.k8s.io/controller-runtime (0.22)
# pkg/webhook/admission/defaulter_custom.go, and the webhooks of each project (August 2026).
FILLED_IN = {"grove.io", "jobset.x-k8s.io", "kueue.x-k8s.io", "leaderworkerset.x-k8s.io", "scheduling.koordinator.sh",
             "serving.kserve.io", "slinky.slurm.net", "trainer.kubeflow.org"}
META = "io.k8s.apimachinery.pkg.apis.meta.v1."
PLAIN = {"string": "s", "integer": "i", "number": "n", "boolean": "b"}


class Tables:
    """Trees by their text: equal ones are one."""

    def __init__(self):
        self.lines = []
        self.ids = {}
        self.words = {}

    def tree(self, text):
        if text not in self.ids:
            self.ids[text] = len(self.lines)
            self.lines.append(text)
        return str(self.ids[text])

    def reserve(self):
        self.lines.append(None)
        return len(self.lines) - 1

    def one_of(self, words):
        if not all(re.fullmatch(r"[\w./-]+", str(word)) for word in words):
            return "s"
        text = "|".join(str(word) for word in words)
        return "e" + str(self.words.setdefault(text, len(self.words)))


def type_of(schema):
    wanted = schema.get("type")
    return next((one for one in wanted if one != "null"), None) if isinstance(wanted, list) else wanted


class Definitions:
    """The OpenAPI definitions of several releases, their fields joined; the newest says the type."""

    def __init__(self, tables, releases):
        self.tables = tables
        self.releases = releases  # newest first
        self.ids = {}

    def define(self, name):
        short = name.rsplit(".", 1)[-1]
        if name == "io.k8s.apimachinery.pkg.api.resource.Quantity":
            return "q"
        if name == "io.k8s.apimachinery.pkg.util.intstr.IntOrString":
            return "x"
        if short in ("Time", "MicroTime"):
            return "s"
        if short in ("FieldsV1", "RawExtension", "JSON", "JSONSchemaProps", "JSONSchemaPropsOrArray",
                     "JSONSchemaPropsOrBool", "JSONSchemaPropsOrStringArray", "ManagedFieldsEntry"):
            return "*"
        if name in self.ids:
            return self.ids[name]
        having = [release[name] for release in self.releases if name in release]
        if not having:
            return "*"
        if "properties" not in having[0]:
            self.ids[name] = self.type(having[0]) if type_of(having[0]) not in (None, "object") else "*"
            return self.ids[name]
        # A tree may hold itself.
        self.ids[name] = str(self.tables.reserve())
        fields, required = {}, set(having[0].get("required", []))
        for schema in having:
            for key, value in schema.get("properties", {}).items():
                fields.setdefault(key, value)
            required &= set(schema.get("required", []))
        known = name.removeprefix("io.k8s.api.")
        required -= set(TAKEN_WITHOUT.get(known, "").split())
        required -= {key for key in required if type_of(fields[key]) in ("integer", "boolean", "number")
                     and f"{short}.{key}" not in ASKED_NUMBERS}
        required |= set(REFUSED_WITHOUT.get(known, "").split())
        parts = [f"{key}:{self.field(name, key, fields[key])}" + ("!" if key in required else "")
                 for key in sorted(fields)]
        self.tables.lines[int(self.ids[name])] = " ".join(parts)
        self.tables.ids.setdefault(" ".join(parts), int(self.ids[name]))
        return self.ids[name]

    def field(self, name, key, schema):
        words = WORDS.get(f"{name.removeprefix('io.k8s.api.')}.{key}")
        if words:
            return ("[" if type_of(schema) == "array" else "") + self.tables.one_of(words.split())
        return "*" if key == "status" else self.type(schema)

    def type(self, schema):
        if "$ref" in schema:
            return self.define(schema["$ref"].rsplit("/", 1)[-1])
        kind = type_of(schema)
        if kind == "array":
            return "[" + self.type(schema.get("items", {}))
        if kind == "object":
            if "properties" in schema:
                return "*"
            return "{" + self.type(schema["additionalProperties"]) if schema.get("additionalProperties") else "*"
        return PLAIN.get(kind, "*")


class Custom:
    """The schemas of CustomResourceDefinitions. What embeds a pod or container takes that of Kubernetes, whose copy it
    is, with what it adds."""

    def __init__(self, tables, core):
        self.tables = tables
        self.pod = core.define("io.k8s.api.core.v1.PodSpec")
        self.container = core.define("io.k8s.api.core.v1.Container")
        self.meta = core.define(META + "ObjectMeta")
        self.filled_in = False  # the kind at hand is of one of FILLED_IN

    def type(self, schema, name=""):
        properties = schema.get("properties")
        if schema.get("x-kubernetes-int-or-string"):
            return "q" if "pattern" in schema else "x"
        if schema.get("x-kubernetes-embedded-resource"):
            return "*"
        kind = schema.get("type")
        if kind == "array":
            return "[" + self.type(schema.get("items", {}))
        if kind == "object":
            if name == "metadata" and not schema.get("x-kubernetes-preserve-unknown-fields"):
                return self.object(schema) if properties else self.meta
            if not properties:
                more = schema.get("additionalProperties")
                return "{" + self.type(more) if isinstance(more, dict) else "*"
            if {"containers", "nodeSelector", "tolerations", "restartPolicy"} <= set(properties):
                return self.extended(self.pod, schema)
            if {"image", "command", "args", "ports", "volumeMounts", "securityContext"} <= set(properties):
                return self.extended(self.container, schema)
            return self.object(schema)
        if kind == "string":
            return self.tables.one_of(schema["enum"]) if "enum" in schema else "s"
        return PLAIN.get(kind, "*")

    def extended(self, tree, schema):
        """A tree of Kubernetes, with what the schema adds to its fields; the schema alone says what it requires."""
        properties, required = schema.get("properties") or {}, set(schema.get("required", []))
        fields = {}
        for field in self.tables.lines[int(tree)].split():
            key, kind = field.rstrip("!").split(":")
            fields[key] = self.inner(kind, properties.get(key, {}))
        for key, value in properties.items():
            if key not in fields:
                fields[key] = self.type(value, key)
        return self.tables.tree(" ".join(f"{key}:{kind}" + ("!" if self.requires(properties, required, key) else "")
                                         for key, kind in sorted(fields.items())))

    def inner(self, kind, schema):
        if kind[0] == "[":
            return "[" + self.inner(kind[1:], schema.get("items") or {})
        if kind[0] == "{":
            more = schema.get("additionalProperties")
            return "{" + self.inner(kind[1:], more if isinstance(more, dict) else {})
        return self.extended(kind, schema) if kind[0].isdigit() else kind

    def requires(self, properties, required, key):
        return not self.filled_in and key in required and "default" not in properties.get(key, {})

    def object(self, schema, top=False):
        required = set(schema.get("required", []))
        parts = []
        for key, value in sorted(schema["properties"].items()):
            kind = self.type(value, key)
            if top and key in ("status", "metadata"):
                kind = "*" if key == "status" else self.meta
            parts.append(f"{key}:{kind}" + ("!" if self.requires(schema["properties"], required, key) else ""))
        if schema.get("x-kubernetes-preserve-unknown-fields") or schema.get("additionalProperties"):
            parts.append("...")
        return self.tables.tree(" ".join(parts))


def with_earlier(api, kind, schema):
    """The schema with the fields of earlier releases of the operator."""
    for (of_api, of_kind, path), fields in EARLIER.items():
        if (of_api, of_kind) != (api, kind):
            continue
        at = schema
        for step in path.split("."):
            at = at["properties"][step]
        at["properties"].update(fields)
    return schema


def custom_kinds(folder):
    for parent, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            if not name.endswith(".yaml"):
                continue
            with open(os.path.join(parent, name), encoding="utf-8") as file:
                for crd in yaml.load_all(file, LOADER):
                    if not crd or crd.get("kind") != "CustomResourceDefinition":
                        continue
                    spec = crd["spec"]
                    for version in spec["versions"]:
                        if version.get("served", True):
                            yield (f"{spec['group']}/{version['name']}", spec["names"]["kind"],
                                   with_earlier(f"{spec['group']}/{version['name']}", spec["names"]["kind"],
                                                version["schema"]["openAPIV3Schema"]), version.get("deprecated", False))


def releases_of(folder):
    out = {}
    for name in os.listdir(folder):
        found = re.fullmatch(r"v1\.(\d+)\.\d+-local", name)
        if found:
            with open(os.path.join(folder, name, "_definitions.json"), encoding="utf-8") as file:
                out[int(found[1])] = json.load(file)["$defs"]
    return out


def built_in(release):
    """(apiVersion, kind) -> the definition's name; options that belong to every group are no kinds of it."""
    out = {}
    for name, schema in release.items():
        ids = schema.get("x-kubernetes-group-version-kind", [])
        if len(ids) == 1 and "properties" in schema and "apiVersion" in schema["properties"]:
            one = ids[0]
            out["/".join(part for part in (one["group"], one["version"]) if part), one["kind"]] = name
    return out


def main():
    crds, schemas = sys.argv[1:]
    releases = releases_of(schemas)
    newest = max(releases)
    tables = Tables()
    core = Definitions(tables, [releases[n] for n in sorted(releases, reverse=True) if n >= OLDEST])
    kinds, gone = {}, {key: release for key, release in GONE_EARLIER.items()}
    for number in sorted(releases, reverse=True):
        for key, name in built_in(releases[number]).items():
            if key[1].endswith("List") or key in kinds or key in gone:
                continue
            if number < newest:
                gone[key] = f"1.{number + 1}"
            if number >= OLDEST:
                kinds[key] = core.define(name)
    custom = Custom(tables, core)
    deprecated = set()
    for api, kind, schema, is_deprecated in custom_kinds(crds):
        if is_deprecated:
            deprecated.add((api, kind))
        custom.filled_in = api.split("/")[0] in FILLED_IN
        kinds[api, kind] = custom.object(schema, top=True)
    print("# Made by scripts/field_tables.py, which describes the form. Kubernetes 1.%d to 1.%d joined, from its OpenAPI\n"
          "# definitions; custom kinds from the CustomResourceDefinitions of their projects (August 2026)." % (OLDEST, newest))
    for (api, kind), tree in sorted({**{key: "*" for key in gone}, **kinds}.items()):
        print(f"kind {api} {kind} {tree}" + (f" gone={gone[api, kind]}" if (api, kind) in gone else "")
              + (" deprecated" if (api, kind) in deprecated else ""))
    for text, number in tables.words.items():
        print(f"e{number} {text}")
    for number, text in enumerate(tables.lines):
        print(number, text)


main()
