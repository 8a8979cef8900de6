"""A control plane on loopback without containers: etcd, the API server, and the schedulers that a play asks for.

The programs are those that scripts/kubernetes builds. Nodes are objects alone: a pod is placed once it has a nodeName.
"""
import http.client
import json
import pathlib
import shutil
import socket
import ssl
import subprocess
import tempfile
import time

import yaml

TOKEN = "of-a-test-on-loopback"
COSCHEDULER = "scheduler-plugins-scheduler"

# What each project ships, without waiting longer than a play has time for.
COSCHEDULING = """apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
leaderElection: {leaderElect: false}
clientConnection: {kubeconfig: KUBECONFIG, qps: 500, burst: 500}
podInitialBackoffSeconds: 1
podMaxBackoffSeconds: 1
profiles:
  - schedulerName: %s
    plugins:
      queueSort: {enabled: [{name: Coscheduling}], disabled: [{name: "*"}]}
      multiPoint: {enabled: [{name: Coscheduling}]}
    pluginConfig: [{name: Coscheduling, args: {permitWaitingTimeSeconds: 4}}]
""" % COSCHEDULER
VOLCANO = """actions: "enqueue, allocate, backfill"
tiers:
- plugins: [{name: priority}, {name: gang, enablePreemptable: false}, {name: conformance}]
- plugins: [{name: overcommit}, {name: drf, enablePreemptable: false}, {name: predicates}, {name: proportion},
    {name: nodeorder}, {name: binpack}]
"""
KUEUE = """apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
leaderElection: {leaderElect: false}
health: {healthProbeBindAddress: "127.0.0.1:PORT0"}
metrics: {bindAddress: "127.0.0.1:PORT1"}
webhook: {port: PORT2, certDir: CERTS}
internalCertManagement: {enable: true, webhookServiceName: kueue-webhook-service, webhookSecretName: kueue-certs}
clientConnection: {qps: 500, burst: 500}
integrations: {frameworks: [batch/job]}
"""


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Plane:
    """Ends what it started when it is left."""

    def __init__(self, built):
        self.programs = pathlib.Path(built) / "bin"
        self.modules = pathlib.Path(built) / "cache" / "mod"
        self.at = pathlib.Path(tempfile.mkdtemp(prefix="plane-"))
        self.running = []
        self.connection = None

    def __enter__(self):
        client, peer, self.port = free_ports(3)
        at = self.at
        subprocess.run(["openssl", "genrsa", "-out", at / "sa.key", "2048"], check=True, capture_output=True)
        (at / "tokens.csv").write_text(f'{TOKEN},admin,admin,"system:masters"\n')
        (at / "kubeconfig").write_text(json.dumps({
            "apiVersion": "v1", "kind": "Config", "current-context": "lab",
            "contexts": [{"name": "lab", "context": {"cluster": "lab", "user": "admin"}}],
            "users": [{"name": "admin", "user": {"token": TOKEN}}],
            "clusters": [{"name": "lab", "cluster": {"insecure-skip-tls-verify": True,
                                                     "server": f"https://127.0.0.1:{self.port}"}}]}))
        store, peers = f"http://127.0.0.1:{client}", f"http://127.0.0.1:{peer}"
        self.start("etcd", f"--data-dir={at}/etcd", f"--listen-client-urls={store}", f"--advertise-client-urls={store}",
                   f"--listen-peer-urls={peers}", f"--initial-advertise-peer-urls={peers}",
                   f"--initial-cluster=default={peers}", "--unsafe-no-fsync", "--log-level=warn")
        self.start("kube-apiserver", f"--etcd-servers={store}", "--bind-address=127.0.0.1",
                   "--advertise-address=127.0.0.1", f"--secure-port={self.port}", f"--cert-dir={at}/certs",
                   f"--token-auth-file={at}/tokens.csv", "--authorization-mode=RBAC",
                   "--service-cluster-ip-range=10.0.0.0/24",
                   "--service-account-issuer=https://kubernetes.default.svc", f"--service-account-key-file={at}/sa.key",
                   f"--service-account-signing-key-file={at}/sa.key",
                   "--disable-admission-plugins=ServiceAccount,TaintNodesByCondition",
                   "--endpoint-reconciler-type=none", "--enable-priority-and-fairness=false")
        self.wait(lambda: self.ask("GET", "/readyz")[0] == 200, "the API server")
        return self

    def __exit__(self, *_):
        for process in reversed(self.running):
            process.kill()
            process.wait()
        shutil.rmtree(self.at, ignore_errors=True)

    def start(self, program, *arguments):
        with open(self.at / f"{program}.log", "w", encoding="utf-8") as log:
            self.running.append(subprocess.Popen([self.programs / program, *arguments], stdout=log, stderr=log))

    def wait(self, holds, what, seconds=120):
        end = time.monotonic() + seconds
        while not holds():
            dead = next((one for one in self.running if one.poll() is not None), None)
            if dead or time.monotonic() > end:
                logs = "\n".join(path.read_text(errors="replace")[-1500:] for path in self.at.glob("*.log"))
                raise RuntimeError(f"{what} does not come: {dead and dead.args[0]}\n{logs}")
            time.sleep(0.3)

    def ask(self, method, path, body=None, kind="application/json"):
        """Status code and answer; 0 while nobody listens."""
        headers = {"Authorization": "Bearer " + TOKEN, "Content-Type": kind}
        for _ in range(2):
            try:
                if self.connection is None:
                    context = ssl._create_unverified_context()
                    self.connection = http.client.HTTPSConnection("127.0.0.1", self.port, context=context, timeout=30)
                self.connection.request(method, path, json.dumps(body) if body is not None else None, headers)
                answer = self.connection.getresponse()
                text = answer.read()
                return answer.status, json.loads(text) if text.startswith(b"{") else text
            except (OSError, http.client.HTTPException):
                self.connection = None
        return 0, None

    def make(self, path, thing):
        code, answer = self.ask("POST", path, thing)
        if code not in (200, 201, 409):
            raise RuntimeError(f"{path}: {code} {answer}")

    def patch_status(self, path, status):
        return self.ask("PATCH", path + "/status", {"status": status}, "application/merge-patch+json")[0]

    def add_kinds(self, folder, conversion=None):
        """The CustomResourceDefinitions of a module that was built."""
        by_name = {}
        for path in sorted(self.modules.glob(folder + "/*.yaml")):
            for one in yaml.safe_load_all(path.read_text(encoding="utf-8")):
                if one and one.get("kind") == "CustomResourceDefinition":
                    one["spec"]["conversion"] = conversion or {"strategy": "None"}
                    one["spec"]["versions"] = [each for each in one["spec"]["versions"] if each["storage"]]
                    one.pop("status", None)
                    by_name[one["metadata"]["name"]] = one
        if not by_name:
            raise RuntimeError(f"no CustomResourceDefinitions in {self.modules}/{folder}")
        for one in by_name.values():
            self.make("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", one)
        for name in by_name:
            self.wait(lambda path=name: self.established(path), name)

    def established(self, name):
        answer = self.ask("GET", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + name)[1]
        return any(one["type"] == "Established" and one["status"] == "True"
                   for one in answer.get("status", {}).get("conditions") or [])

    def kube_scheduler(self):
        self.start("kube-scheduler", f"--kubeconfig={self.at}/kubeconfig", "--leader-elect=false",
                   "--bind-address=127.0.0.1", f"--secure-port={free_ports(1)[0]}",
                   "--authentication-skip-lookup=true", "--kube-api-qps=500", "--kube-api-burst=500")

    def coscheduling(self):
        self.add_kinds("sigs.k8s.io/scheduler-plugins@*[0-9]/config/crd/bases")
        config = self.at / "coscheduling.yaml"
        config.write_text(COSCHEDULING.replace("KUBECONFIG", str(self.at / "kubeconfig")))
        # What its PreFilter refuses is asked again only then, 5 minutes as shipped: freed GPUs are no event for it.
        self.start("coscheduling", f"--config={config}", "--pod-max-in-unschedulable-pods-duration=5s",
                   "--bind-address=127.0.0.1",
                   f"--secure-port={free_ports(1)[0]}", "--authentication-skip-lookup=true")

    def volcano(self):
        self.add_kinds("volcano.sh/volcano@*/config/crd/volcano/bases")
        config = self.at / "volcano.conf"
        config.write_text(VOLCANO)
        self.start("vc-scheduler", f"--kubeconfig={self.at}/kubeconfig", f"--scheduler-conf={config}",
                   "--leader-elect=false", "--enable-healthz=false", "--enable-metrics=false", "--schedule-period=1s")
        queue = "/apis/scheduling.volcano.sh/v1beta1/queues/default"
        self.wait(lambda: self.ask("GET", queue)[0] == 200, "Volcano's queue")
        self.patch_status(queue, {"state": "Open"})

    def kueue(self):
        ports = free_ports(3)
        # Kueue does not start before its certificate stands in each kind; nothing is converted.
        self.add_kinds("sigs.k8s.io/kueue@*/config/components/crd/bases", {"strategy": "Webhook", "webhook": {
            "conversionReviewVersions": ["v1"], "clientConfig": {"url": f"https://127.0.0.1:{ports[2]}/convert"}}})
        self.start("kube-controller-manager", f"--kubeconfig={self.at}/kubeconfig", "--leader-elect=false",
                   "--bind-address=127.0.0.1", f"--secure-port={free_ports(1)[0]}",
                   "--controllers=job-controller,namespace-controller,garbage-collector-controller",
                   f"--service-account-private-key-file={self.at}/sa.key", "--kube-api-qps=500", "--kube-api-burst=500")
        certs = self.at / "serving"
        certs.mkdir()
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
                        "/CN=127.0.0.1", "-keyout", certs / "tls.key", "-out", certs / "tls.crt"],
                       check=True, capture_output=True)
        config = self.at / "kueue.yaml"
        text = KUEUE.replace("CERTS", str(certs))
        for number, port in enumerate(ports):
            text = text.replace(f"PORT{number}", str(port))
        config.write_text(text)
        self.make("/api/v1/namespaces", {"metadata": {"name": "kueue-system"}})
        self.make("/api/v1/namespaces/kueue-system/secrets", {"metadata": {"name": "kueue-certs"}})
        self.start("kueue", f"--config={config}", f"--kubeconfig={self.at}/kubeconfig")
