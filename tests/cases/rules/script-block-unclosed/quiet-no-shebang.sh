if you read this, do
not run it: done
