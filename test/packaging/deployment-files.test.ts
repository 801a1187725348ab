import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { describe, expect, inject, test } from 'vitest';
import { parseDocument } from 'yaml';
import { settingMeanings } from '../../src/config.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8');

/** Fails on a key that is given twice, and on whatever else is no YAML. */
function readYaml(path: string) {
  const document = parseDocument(read(path));
  expect([...document.errors, ...document.warnings]).toEqual([]);
  return document.toJS();
}

const yamllint = inject('yamllintPath');
test.skipIf(yamllint === null)('Compose files and values have nothing that yamllint would change', () => {
  const files = ['deploy/compose.yaml', 'deploy/compose.replicas.yaml', 'deploy/helm/plumb/values.yaml'];
  const { stdout, status } = spawnSync(yamllint ?? '', ['--strict', '--format', 'parsable', ...files], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(stdout).toBe('');
  expect(status).toBe(0);
});

const isSetting = (name: string): boolean => settingMeanings.some(([known]) => known === name);

describe.each(['deploy/compose.yaml', 'deploy/compose.replicas.yaml'])('%s', (path) => {
  const { plumb } = readYaml(path).services;

  test('A deployment file sets only what Plumb knows', () => {
    expect(Object.keys(plumb.environment).filter((name) => !isSetting(name))).toEqual([]);
  });

  test('A deployment file leaves the container nothing to write to but its data, and no rights that it does not need', () => {
    expect(plumb).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
  });

  test('A deployment file gives the container a quarter more memory than Plumb divides', () => {
    const [, gigabytes] = /^(\d+)GB$/.exec(plumb.environment.PLUMB_MEMORY) ?? [];
    expect(plumb.mem_limit).toBe(`${Number(gigabytes) * 1_280}m`);
  });
});

describe('the chart', () => {
  const values = readYaml('deploy/helm/plumb/values.yaml');
  const isFit = new Ajv({ strict: true, strictTypes: false }).compile(
    JSON.parse(read('deploy/helm/plumb/values.schema.json')),
  );

  test('The chart has usual values that fit its schema', () => {
    expect(isFit(values), JSON.stringify(isFit.errors)).toBe(true);
  });

  const shared = {
    secret: { existingSecret: 'plumb', key: 'PLUMB_SECRET' },
    database: { existingSecret: 'plumb', key: 'DATABASE_URL' },
    clickhouse: { existingSecret: 'plumb', key: 'CLICKHOUSE_URL' },
  };
  test('The chart takes several replicas only where they share their store, their tables and their secret', () => {
    expect(isFit({ ...values, replicas: 3, ...shared })).toBe(true);
    expect(isFit({ ...values, replicas: 3 })).toBe(false);
    for (const name of Object.keys(shared))
      expect(isFit({ ...values, replicas: 3, ...shared, [name]: values[name] }), name).toBe(false);
  });

  test.each([
    ['a value that nobody knows', { image: { repository: 'plumb', digest: 'x' } }],
    ['less memory than Plumb needs', { memoryMegabytes: 100 }],
    ['a public address with a path', { publicUrl: 'https://acme.example/plumb' }],
    ['a setting of somebody else', { settings: { NODE_OPTIONS: '--inspect' } }],
    ['an ingress without a host', { ingress: { ...values.ingress, enabled: true } }],
  ])('The chart refuses %s', (_, given) => {
    expect(isFit({ ...values, ...given })).toBe(false);
  });

  test('The chart sets only what Plumb knows', () => {
    const names = [...read('deploy/helm/plumb/templates/_pod.tpl').matchAll(/\b(?:PLUMB_[A-Z_]+|[A-Z]+_URL)\b/g)];
    expect(names.length).toBeGreaterThan(6);
    expect(names.map(([name]) => name).filter((name) => !isSetting(name))).toEqual([]);
  });

  test('The chart lets a pod listen until nobody sends anything to it, and then end by itself', () => {
    const pod = read('deploy/helm/plumb/templates/_pod.tpl');
    const [, waits] = /preStop:\n.*\n *exec: \{command: \[sleep, "(\d+)"\]\}/.exec(pod) ?? [];
    const [, grace] = /terminationGracePeriodSeconds: (\d+)/.exec(pod) ?? [];
    expect(Number(waits)).toBeGreaterThan(0);
    // As docs/operating/install.md promises.
    const endsWithin = 10;
    expect(Number(grace)).toBeGreaterThan(Number(waits) + endsWithin);
  });

  const helm = inject('helmPath');
  test.skipIf(helm === null)('The chart renders a volume for one process, and none for replicas', () => {
    const render = (...given: string[]) =>
      execFileSync(helm ?? '', ['template', 'some', `${root}deploy/helm/plumb`, ...given], { encoding: 'utf8' });
    expect(render()).toContain('kind: StatefulSet');
    const names = Object.keys(shared).flatMap((name) => ['--set', `${name}.existingSecret=plumb`]);
    const replicas = render('--set', 'replicas=3', ...names);
    expect(replicas).toContain('kind: Deployment');
    expect(replicas).toContain('kind: PodDisruptionBudget');
    expect(replicas).not.toContain('PersistentVolumeClaim');
  });
});
