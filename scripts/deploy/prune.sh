#!/bin/sh
# Leaves of a built clone what a server needs. npm prune --omit=dev would keep optional peers (Prisma's command line, TypeScript), and Prisma's
# client has a compiler for every database.
set -eu
npm pkg delete devDependencies
npm prune --ignore-scripts
rm -rf dist/client dist/run dist/test dist/.tsbuildinfo
find dist/scripts -type f ! -name migrate.js -delete
find node_modules/@prisma/client/runtime -name 'query_compiler_*' ! -name '*_small_bg.postgresql.*' -delete
find dist node_modules -name '*.map' -delete
