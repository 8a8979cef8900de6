locals {
  here    = templatefile("${path.module}/values/gpu-operator.yaml", { driver = "570" })
  root    = templatefile("values/of-the-root.yaml", {})
  outside = templatefile("${path.module}/../../elsewhere/x.yaml", {})
}
