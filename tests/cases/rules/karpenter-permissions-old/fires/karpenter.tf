module "karpenter" {
  # one version of the module
  source  = "terraform-aws-modules/eks/aws//modules/karpenter"
  version = "~> 20.31"
  cluster_name = "train"
}

resource "helm_release" "karpenter" {
  name       = "karpenter"
  repository = "oci://public.ecr.aws/karpenter"
  chart      = "karpenter"
  version    = "1.6.2"
  namespace  = "kube-system"
  values = [yamlencode({settings = {interruptionQueue = module.karpenter.queue_name}})]
}
