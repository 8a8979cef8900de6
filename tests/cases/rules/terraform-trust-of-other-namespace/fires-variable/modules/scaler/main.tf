variable "namespace" {
  type    = string
  default = "scaler"
}

resource "aws_iam_role" "scaler" {
  name = "scaler"
  assume_role_policy = jsonencode({
    Statement = [{
      Effect    = "Allow"
      Action    = "sts:AssumeRoleWithWebIdentity"
      Condition = { StringEquals = { "oidc.example.com:sub" = "system:serviceaccount:kube-system:${var.account}" } }
    }]
  })
}

resource "helm_release" "scaler" {
  name      = "scaler"
  chart     = "scaler"
  version   = "2.0.0"
  namespace = var.namespace
}

variable "account" {
  default = "scaler"
}
