resource "helm_release" "karpenter" {
  name       = "karpenter"
  repository = "https://charts.karpenter.sh"
  chart      = "karpenter"
  # The last one of v1alpha5: see {{ .Values }} }
  version = "v0.13.2"
}

resource "kubectl_manifest" "provisioner" {
  yaml_body = <<-YAML
    requirements:
      - key: karpenter.sh/capacity-type
        operator: In
        values: ["spot"]
  YAML
}
