import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { damagedFileParts } from '../../src/store/open.ts';

const headerBytes = 4_096;
const blocksBegin = 3 * headerBytes;
const blockBytes = 1 << 18;

/** Turns one bit of a file over, and back when it is done again. */
export function flipBit(path: string, at: number): void {
  const descriptor = openSync(path, 'r+');
  const byte = Buffer.alloc(1);
  readSync(descriptor, byte, 0, 1, at);
  writeSync(descriptor, Buffer.from([(byte[0] ?? 0) ^ 0x01]), 0, 1, at);
  closeSync(descriptor);
}

/** Where the header or the block begins that a byte of an embedded engine's file is in. */
export function partOf(at: number): number {
  if (at < blocksBegin) return at - (at % headerBytes);
  return at - ((at - blocksBegin) % blockBytes);
}

export async function damagedPartsIn(path: string): Promise<ReadonlySet<number>> {
  const parts = new Set<number>();
  for await (const { at } of damagedFileParts(path)) parts.add(at);
  return parts;
}
