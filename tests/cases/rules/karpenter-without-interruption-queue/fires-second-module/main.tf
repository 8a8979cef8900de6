module "karpenter" {
  source       = "terraform-aws-modules/eks/aws//modules/karpenter"
  version      = "~> 21.0"
  cluster_name = "lab"
}

module "karpenter_of_others" {
  source                  = "terraform-aws-modules/eks/aws//modules/karpenter"
  version                 = "~> 21.0"
  cluster_name            = "others"
  enable_spot_termination = false # finding: karpenter-without-interruption-queue
}
