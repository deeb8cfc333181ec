#!/usr/bin/env bash
# The whole program on a staged GPU: listing it, measuring it in a child process, and the profile.
#   rehearse_program.sh LOADLINE PLUGIN FOLDER
set -euo pipefail
folder=$3
rm -rf "$folder"
mkdir -p "$folder"
ln "$1" "$folder/loadline" 2>/dev/null || cp "$1" "$folder/loadline"
ln -s "$2" "$folder/libloadline_cuda.so" # beside the program, where it looks
cat >"$folder/shapes.json" <<'END'
{"schema": "loadline.shapes/1", "key": "tiny", "name": "tiny", "source": "tests/gpu/rehearse",
 "gemms": [{"name": "dense", "shape": "128x64"}]}
END
"$folder/loadline" bench --list | tee "$folder/list.txt"
grep -q 'cuda:0.*RTX 3050' "$folder/list.txt"
"$folder/loadline" bench --device cuda:0 --shapes "$folder/shapes.json" --k 4 --preset quick --out "$folder/profile.json"
for expected in '"name": *"NVIDIA GeForce RTX 3050 (rehearsed)"' '"swap_ab"' '"cublas_fp16"' '"dequantise"' '"read_gb_s"' \
    '"both_ways_gb_s"'; do
    grep -q "$expected" "$folder/profile.json" || { echo "no $expected in the profile"; exit 1; }
done
! grep -q failed_checks "$folder/profile.json"
