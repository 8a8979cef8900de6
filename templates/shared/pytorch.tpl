- name: pytorch
  image: registry.example.com/{{WORD}}:replace-me
  # The operator tells torchrun how many nodes there are, which one it is and where the first one is.
  command:
    - torchrun
    - train.py
