module "karpenter" {
  source                  = "terraform-aws-modules/eks/aws//modules/karpenter"
  version                 = "~> 21.0"
  cluster_name            = "lab"
  enable_spot_termination = false # finding: karpenter-without-interruption-queue
}
