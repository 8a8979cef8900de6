resource "kubernetes_manifest" "queue" {
  for_each = toset(["a", "b", "c"])
  manifest = {
    apiVersion = "kueue.x-k8s.io/v1beta2"
    kind       = "LocalQueue"
    metadata   = { name = "team-${each.key}", namespace = "research" }
    spec       = { clusterQueue = "research" }
  }
}
