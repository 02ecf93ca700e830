#!/bin/sh
# oracle/suites/fetch.sh FOLDER: puts PyTorch's own test files there, out of Debian trixie's source package (PyTorch 2.6). apt-get gets the
# package from the mirror that this machine is set up with, by a source list of its own; its checksum is below.
# SPDX-License-Identifier: Apache-2.0
archive=pytorch_2.6.0+dfsg.orig.tar.xz
sum=099a9601bc40d67656e75735c44abedb0fbe92d08817852ab7472eebb7e6ddff
folder=$1
[ -f "$folder/test_torch.py" ] && exit 0
fail() { echo "oracle-suites: PyTorch's test files cannot be had here: $1" >&2; exit 1; }
command -v apt-get >/dev/null || fail 'there is no apt-get'
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | grep -m 1 '/debian/*$')
[ -n "$mirror" ] || fail "apt's configuration names no Debian mirror"
keys=/usr/share/keyrings/debian-archive-keyring.gpg
work=$(mktemp -d) || fail 'no temporary folder'
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$folder"
echo "deb-src [signed-by=$keys] $mirror trixie main" >"$work/sources.list"
apt() {
    apt-get -qq -o Dir::Etc::SourceList="$work/sources.list" -o Dir::Etc::SourceParts=/dev/null -o Dir::State::Lists="$work/lists" \
        -o Dir::Cache="$work/cache" -o APT::Sandbox::User=root "$@" >"$work/log" 2>&1
}
apt update || fail "$(tail -n 1 "$work/log")"
(cd "$work" && apt source --download-only pytorch) || fail "$(tail -n 1 "$work/log")"
[ -f "$work/$archive" ] || fail "$mirror has another version than 2.6.0"
echo "$sum  $work/$archive" | sha256sum --quiet -c - || fail 'the archive is not the one whose checksum is known'
tar -xJf "$work/$archive" -C "$work" --wildcards '*/test/test_*.py' '*/test/nn/*' '*/test/optim/*' '*/test/autograd/*' ||
    fail 'the archive cannot be unpacked'
mv "$work"/pytorch-*/test/* "$folder" || fail "$folder cannot be written"
