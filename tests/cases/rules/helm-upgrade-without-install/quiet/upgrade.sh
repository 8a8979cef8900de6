#!/bin/bash
helm upgrade volcano volcano/volcano --version 1.13.0
