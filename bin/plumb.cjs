#!/usr/bin/env node
// CommonJS on purpose. DuckDB runs its queries on Node's native thread pool, four threads by default, and the pool's
// size is fixed the moment anything uses it, which loading an ES module already does. So it is set here, before that.
process.env.UV_THREADPOOL_SIZE ??= '16';

const { executionAsyncResource } = require('node:async_hooks');

// V8 keeps the shape of an object only as long as there is one. When it collects garbage while this loads and nothing
// waits in process.nextTick, it makes the next such object without knowing its shape, and so all others: each call then
// takes 0.5 µs in place of 0.07 for good. So one of them is kept.
process.nextTick(() => {
  module.exports.keptTick = executionAsyncResource();
});

async function run() {
  if (process.env.PLUMB_MEMORY || process.env.PLUMB_MEMORY_FILE) {
    // DuckDB brings an allocator of its own, which reads this when it is loaded. By itself it has several arenas, and is slow
    // to give back what is not used. Pieces of up to 32 KB, which columns are read in, stay with each thread: fetched from
    // the one arena each time, they make a question take a fifth longer.
    process.env.DUCKDB_JE_MALLOC_CONF ??= 'narenas:1,tcache_max:32768,dirty_decay_ms:1000,muzzy_decay_ms:0';
    const { runWithHeapLimit } = await import('../dist/heap-limit.js');
    const code = await runWithHeapLimit(__filename);
    if (code !== undefined) {
      process.exitCode = code;
      return;
    }
  }
  await import('../dist/plumb.js');
}

run().catch((error) => {
  process.stderr.write(
    error.code === 'ERR_MODULE_NOT_FOUND'
      ? `Plumb is not built yet: run \`npm start\`, or \`npm install && npm run build\`. (${error.message})\n`
      : `${error.stack}\n`,
  );
  process.exit(1);
});
