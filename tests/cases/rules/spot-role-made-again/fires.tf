resource "aws_iam_service_linked_role" "spot" {
  aws_service_name = "spot.amazonaws.com" # finding: spot-role-made-again
}
