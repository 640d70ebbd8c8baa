#!/bin/sh
# The programs that the harness runs, by their names: links to two of Python. Run in the root of the harness. Those
# that there are not it leaves out.
set -e
mkdir -p submission/build
cd submission/build
for stage in key_generation encode_encrypt_db encode_encrypt_query decrypt_decode; do
  ln -sf ../client.py "client_$stage"
done
for stage in preprocess_dataset encrypted_compute; do
  ln -sf ../server.py "server_$stage"
done
