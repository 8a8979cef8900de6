module "eks" {
  source  = "terraform-aws-modules/eks/aws"
  version = "~> 18.0"

  eks_managed_node_groups = {
    gpus = {
      instance_types         = ["g5.xlarge"]
      ami_type               = "AL2_x86_64_GPU"
      create_launch_template = false
      launch_template_name   = ""
      disk_size              = 500
    }
  }
}
