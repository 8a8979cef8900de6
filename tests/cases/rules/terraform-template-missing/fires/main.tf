locals {
  values = templatefile("${path.module}/values/gpu-operator.yaml", { driver = "570" }) # finding: terraform-template-missing
}
