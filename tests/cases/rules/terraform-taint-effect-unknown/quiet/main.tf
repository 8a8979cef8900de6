resource "aws_eks_node_group" "gpu" {
  taint {
    key    = "nvidia.com/gpu"
    effect = "NO_SCHEDULE"
  }
  dynamic "taint" {
    for_each = var.taints
    content {
      key    = taint.value.key
      effect = taint.value.effect
    }
  }
  # effect = "NoSchedule"
}

resource "kubernetes_deployment" "train" {
  spec {
    template {
      spec {
        toleration {
          key    = "nvidia.com/gpu"
          effect = "NoSchedule"
        }
      }
    }
  }
}
