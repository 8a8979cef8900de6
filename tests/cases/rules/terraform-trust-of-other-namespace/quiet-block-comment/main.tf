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

/* it is installed by hand:
resource "helm_release" "scaler" {
  name      = "scaler"
  chart     = "scaler"
  namespace = "scaler"
}
*/
