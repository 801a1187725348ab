import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Sent } from './soak-load.ts';

/** What a service takes of its machine at one moment, in bytes and numbers. */
export interface Taken {
  readonly atMs: number;
  readonly memory: number;
  readonly openFiles: number;
  readonly disk: number;
}

export interface Measured {
  readonly pids: readonly number[];
  readonly folders: readonly string[];
  /** Bytes that lie outside of the folders, in databases. */
  bytesElsewhere?(): Promise<number>;
}

const everyMs = 2_000;

/** Looks every two seconds at what all processes of a service take together. */
export async function watch(measured: Measured, isOver: () => boolean): Promise<Taken[]> {
  const taken: Taken[] = [];
  const sum = <T>(list: readonly T[], of: (one: T) => number) => list.reduce((all, one) => all + of(one), 0);
  while (!isOver()) {
    taken.push({
      atMs: performance.now(),
      memory: sum(measured.pids, residentBytes),
      openFiles: sum(measured.pids, (pid) => readdirSync(`/proc/${pid}/fd`).length),
      disk: sum(measured.folders, bytesIn) + ((await measured.bytesElsewhere?.()) ?? 0),
    });
    await pause(everyMs);
  }
  return taken;
}

function residentBytes(pid: number): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1_024;
}

/** A file that goes away meanwhile takes nothing. */
function bytesIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  return files.reduce(
    (all, file) => all + (statSync(join(file.parentPath, file.name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

/** The figures of one part of the time. */
export interface Figures {
  readonly memory: number;
  readonly openFiles: number;
  readonly disk: number;
  /** Of new questions, in milliseconds. */
  readonly p99: number;
}

export function figuresBetween(
  fromMs: number,
  untilMs: number,
  taken: readonly Taken[],
  sent: readonly Sent[],
): Figures {
  const isWithin = ({ atMs }: { readonly atMs: number }) => atMs >= fromMs && atMs < untilMs;
  const looks = taken.filter(isWithin);
  // One look in the middle of a large answer or of a batch says little: nine in ten are no higher.
  const of = (name: 'memory' | 'openFiles' | 'disk') =>
    quantile(
      looks.map((look) => look[name]),
      0.9,
    );
  const questions = sent.filter((one) => one.kind === 'question' && isWithin(one)).map(({ ms }) => ms);
  return { memory: of('memory'), openFiles: of('openFiles'), disk: of('disk'), p99: quantile(questions, 0.99) };
}

/** NaN where there is nothing, which no limit takes for good. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
