# One image for every way to run Plumb: deploy/compose.yaml, deploy/compose.replicas.yaml, deploy/helm/plumb.
FROM node:20-bookworm-slim AS build
WORKDIR /plumb
COPY package.json npm-shrinkwrap.json .npmrc ./
# Not `npm ci`: it refuses a lockfile made where the registry lacked a native package of some other platform.
RUN npm install --no-save --include=dev --no-audit --no-fund
COPY tsconfig.json ./
COPY scripts scripts
COPY src src
COPY web web
RUN npm run build && npm prune --omit=dev --no-audit --no-fund

FROM node:20-bookworm-slim
LABEL org.opencontainers.image.title="Plumb" org.opencontainers.image.licenses="Apache-2.0"
# Sources of the kind `git` read a clone with it.
RUN apt-get update \
  && apt-get install -y --no-install-recommends git=1:2.* \
  && rm -rf /var/lib/apt/lists/* \
  && install -d -o node -g node -m 0700 /data
WORKDIR /plumb
COPY --from=build /plumb/package.json ./
COPY --from=build /plumb/node_modules node_modules
COPY --from=build /plumb/dist dist
COPY --from=build /plumb/dist-web dist-web
COPY LICENSE ./
COPY bin bin
# The reference shows the guides.
COPY docs docs
ENV NODE_ENV=production PLUMB_HOST=0.0.0.0 PLUMB_DATA=/data
USER node
# All that is written: the root of the container may be read-only.
VOLUME /data
EXPOSE 4400
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=4 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PLUMB_PORT ?? 4400}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "bin/plumb.cjs"]
CMD ["serve"]
