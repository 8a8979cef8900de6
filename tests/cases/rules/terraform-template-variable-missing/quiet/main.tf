locals {
  all = templatefile("${path.module}/worker.tftpl", merge(local.common, { name = "a" }))
  # old = templatefile("${path.module}/worker.tftpl", {})
  some = templatefile("${path.module}/${var.kind}.tftpl", {})
  each = templatefile("${path.module}/worker.tftpl", { for n in var.nodes : n.name => n.ip })
  whole = templatefile("${path.module}/node.tftpl", { name = "a", labels = { zone = "b" } })
}
