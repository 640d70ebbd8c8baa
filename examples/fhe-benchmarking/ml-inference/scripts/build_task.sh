#!/bin/sh
# The model, unless it is there, and the programs that the harness runs, by their names: links to two of Python. Run in
# the root of the harness.
set -e
mkdir -p submission/build
cd submission/build
[ -f ../server.model ] || python3 ../train.py
for stage in key_generation preprocess_input encode_encrypt_input decrypt_decode postprocess; do
  ln -sf ../client.py "client_$stage"
done
ln -sf ../server.py server_encrypted_compute
# The model is compiled already.
echo '#!/bin/sh' > server_preprocess_model
chmod +x server_preprocess_model
