resource "aws_eks_node_group" "gpus" {
  cluster_name    = "gpu"
  node_group_name = "gpus"
  instance_types  = ["g5.12xlarge"]
  launch_template {
    id      = "lt-0abc"
    version = "1"
  }
}

resource "aws_eks_node_group" "named" {
  cluster_name    = "gpu"
  node_group_name = "named"
  instance_types  = ["g5.12xlarge"]
  ami_type        = "AL2023_x86_64_NVIDIA"
  disk_size       = 200
}

module "eks" {
  source  = "terraform-aws-modules/eks/aws"
  version = "~> 21.0"
  name    = "gpu"

  eks_managed_node_groups = {
    cpus = {
      instance_types = ["m7i.2xlarge"]
    }
    own = {
      ami_id         = "ami-0abc"
      instance_types = ["g6.2xlarge"]
    }
  }
}
