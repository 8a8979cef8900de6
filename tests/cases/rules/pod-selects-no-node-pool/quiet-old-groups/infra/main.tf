module "eks" {
  source        = "terraform-aws-modules/eks/aws"
  version       = "~> 17.0"
  worker_groups = [{ instance_type = "g5.12xlarge" }]
}
