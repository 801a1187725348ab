import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { textsOf } from '../../../src/warehouse/duckdb/connection.ts';
import { Engine, temporaryFolder } from '../../../src/warehouse/duckdb/engine.ts';

describe('the engine', () => {
  let outside: string;
  let place: string;
  let engine: Engine;
  beforeAll(async () => {
    outside = mkdtempSync(join(tmpdir(), 'plumb-engine-'));
    place = mkdtempSync(join(outside, 'warehouse-'));
    writeFileSync(join(outside, 'secret.csv'), 'a\n1\n');
    engine = await Engine.open(place, { threads: 2, memory: '128MB' });
  });
  afterAll(async () => {
    await engine.close();
    rmSync(outside, { recursive: true });
  });

  const run = (sql: string, seconds = 60) =>
    engine.use((connection) => connection.perform({ sql, values: [] }, { seconds }));
  const first = async (sql: string) => {
    for await (const [text] of textsOf(await run(sql))) return text;
    return undefined;
  };

  test.each([
    ['reads no other files', "SELECT * FROM read_text('/etc/passwd')"],
    ['reads no files beside its own', () => `SELECT * FROM read_csv('${join(outside, 'secret.csv')}')`],
    ['climbs out by no path', () => `SELECT * FROM read_csv('${join(place, '..', 'secret.csv')}')`],
    ['climbs out by no path with dots', () => `SELECT * FROM read_csv('${place}/../secret.csv')`],
    ['lists no folders', "SELECT * FROM glob('/etc/*')"],
    ['writes no other files', () => `COPY (SELECT 1) TO '${join(outside, 'out.csv')}'`],
    ['attaches no other files', () => `ATTACH '${join(outside, 'other.duckdb')}' AS other`],
    ['attaches nothing from a network', "ATTACH 'https://example.org/x.duckdb' AS other"],
    ['installs no extensions', 'INSTALL httpfs'],
    ['loads no extensions', 'LOAD httpfs'],
    ['loads no libraries', "LOAD '/tmp/x.duckdb_extension'"],
    ['lets nobody change its settings', 'SET threads = 1'],
    ['lets nobody open it again', 'SET GLOBAL enable_external_access = true'],
    ['lets nobody unlock it', 'SET GLOBAL lock_configuration = false'],
    ['lets nobody widen where it may write', "SET GLOBAL allowed_directories = ['/']"],
    ['lets nobody move where it spills', "SET temp_directory = '/tmp'"],
  ])('%s', async (_, sql) => {
    await expect(run(typeof sql === 'string' ? sql : sql())).rejects.toThrow(
      /disabled by configuration|disabled through configuration|has been locked|cannot be changed|requires the extension/i,
    );
    expect(readdirSync(outside).filter((file) => file !== 'secret.csv' && !file.startsWith('warehouse-'))).toEqual([]);
  });

  test('The engine reads and writes inside its own folder', async () => {
    const path = join(place, 'copy.parquet');
    await run(`COPY (SELECT 42 AS a) TO '${path}'`);
    expect(await first(`SELECT a::VARCHAR FROM read_parquet('${path}')`)).toBe('42');
  });

  test('The engine goes through the disk when sorting needs more memory than it may take, and clears up after itself', async () => {
    const rows = 1_000_000;
    await run(`CREATE TEMP TABLE sorted AS
      SELECT md5(i::VARCHAR) AS a, md5((i + 1)::VARCHAR) AS b, repeat(md5(i::VARCHAR), 4) AS c FROM range(${rows}) r(i) ORDER BY a`);
    // What was sorted is half as much again as the memory: a part of it stays on the disk as long as it is there.
    expect(readdirSync(temporaryFolder(place))).not.toEqual([]);
    expect(await first('SELECT count(*)::VARCHAR FROM sorted WHERE length(c) = 128')).toBe(String(rows));
    await engine.close();
    expect(readdirSync(place).filter((file) => !file.endsWith('.parquet'))).toEqual([]);
    engine = await Engine.open(place, { threads: 2, memory: '128MB' });
  });

  test('The engine stops a statement after the time that it may take', async () => {
    const slow = 'SELECT sum(hash(a.i * b.i)) FROM range(1000000) a(i), range(100000) b(i)';
    const began = performance.now();
    await expect(run(slow, 0.2)).rejects.toMatchObject({ why: 'late' });
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(await first("SELECT 'still there'")).toBe('still there');
  });
});
