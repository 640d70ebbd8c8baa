#!/bin/sh
# Called by the harness; nothing of it is used here.
