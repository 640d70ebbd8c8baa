#!/bin/sh
# The programs that the harness runs, by their names: links to two of Python. Run in the root of the harness.
set -e
mkdir -p submission/target/release
cd submission/target/release
for stage in key_generation encode_encrypt_input decrypt_decode; do
  ln -sf ../../client.py "client_$stage"
done
ln -sf ../../server.py server_encrypted_compute
# There is nothing to do in these.
for stage in preprocess_input postprocess; do
  echo '#!/bin/sh' > "client_$stage"
  chmod +x "client_$stage"
done
