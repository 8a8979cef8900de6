resource "aws_iam_role" "scaler" {
  name = "scaler"
  assume_role_policy = jsonencode({
    Statement = [{
      Effect    = "Allow"
      Action    = "sts:AssumeRoleWithWebIdentity"
      Condition = { StringEquals = { "oidc.example.com:sub" = "system:serviceaccount:kube-system:scaler" } }
    }]
  })
}

# resource "helm_release" "old" { namespace = "kube-system" }
# "system:serviceaccount:default:old"

resource "helm_release" "scaler" {
  name        = "scaler"
  description = "for {{ of all"
  chart       = "scaler"
  namespace   = "scaler"
}
