resource "aws_instance" "worker" {
  user_data = templatefile("${path.module}/files/worker.yaml.tftpl", {
    name  = var.name # of the node
    "gpus" = 8
    nodes = [for n in var.nodes : n.ip]
  })
}
