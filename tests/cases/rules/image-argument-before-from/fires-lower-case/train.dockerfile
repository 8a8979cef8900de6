ARG FLAVOR=a
FROM ubuntu:22.04
# finding: image-argument-before-from
RUN echo "$FLAVOR"
