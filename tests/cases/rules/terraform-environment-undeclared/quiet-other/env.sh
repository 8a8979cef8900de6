#!/bin/bash
export TF_VAR_token=abc
