inputs = { release = "1.35" }
