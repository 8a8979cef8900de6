variable "first" {
  type = bool
}

resource "aws_iam_service_linked_role" "spot" {
  count            = var.first ? 1 : 0
  aws_service_name = "spot.amazonaws.com"
}
