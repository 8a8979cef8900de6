release = "1.35"
