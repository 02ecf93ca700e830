#!/bin/sh
# tools/installed.sh PREFIX: after make install, what a program needs where the system does not look by itself.
# SPDX-License-Identifier: Apache-2.0
prefix=$1
case $prefix in
/usr | /usr/local) exit 0 ;;
esac
cat <<END
winnow is in $prefix, where the system does not look by itself:
  compile      PKG_CONFIG_PATH=$prefix/lib/pkgconfig; cc program.c \$(pkg-config --cflags --libs winnow) -Wl,-rpath,$prefix/lib
  run          the -rpath above is enough; without it LD_LIBRARY_PATH=$prefix/lib
  CMake        -DCMAKE_PREFIX_PATH=$prefix, find_package(winnow), winnow::winnow
  manual page  man -M $prefix/share/man 3 winnow
END
