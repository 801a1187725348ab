import { open } from 'node:fs/promises';

const headerBytes = 4_096;
const headers = 3;
const checksumBytes = 8;
/** The layout that this knows how to read; a later one is left to the engine's own checks. */
const storageVersion = 64n;
const magic = 'DUCK';
const blockSizeAt = headerBytes + checksumBytes + 32;

/** A part of a file that is not what its checksum says. */
interface DamagedPart {
  readonly part: 'start' | 'header' | 'block';
  /** The byte that it begins with. */
  readonly at: number;
}

/**
 * Compares every block of an embedded engine's file with its checksum. The engine does so only for blocks that a query
 * happens to read, and no query reads a whole index: flipped bytes there would come out with the next write. The file
 * must not be open.
 */
export async function* damagedFileParts(path: string): AsyncGenerator<DamagedPart> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const start = Buffer.alloc(headerBytes * headers);
    const { bytesRead } = await file.read(start, 0, start.length, 0);
    if (bytesRead < start.length || start.toString('latin1', 8, 12) !== magic) {
      yield { part: 'start', at: 0 };
      return;
    }
    for (let at = 0; at < start.length; at += headerBytes) {
      if (!isIntact(start.subarray(at, at + headerBytes))) yield { part: 'header', at };
    }
    const blockBytes = Number(start.readBigUInt64LE(blockSizeAt));
    const isReadable =
      start.readBigUInt64LE(12) === storageVersion && blockBytes >= headerBytes && blockBytes <= 1 << 24;
    if (!isReadable) return;
    const block = Buffer.alloc(blockBytes);
    for (let at = start.length; at < size; at += blockBytes) {
      const { bytesRead: length } = await file.read(block, 0, blockBytes, at);
      if (length < blockBytes || !isIntact(block)) yield { part: 'block', at };
    }
  } finally {
    await file.close();
  }
}

/** The factor 0xbf58476d1ce4e5b9 in halves, and its lower half in halves again. */
const factorHigh = 0xbf58476d;
const factorLow = 0x1ce4e5b9;
const factorLowTop = factorLow >>> 16;
const factorLowEnd = factorLow & 0xffff;

/**
 * DuckDB's checksum: the words of the block, each multiplied, combined by exclusive or. It stands before them. In
 * halves of 32 bits, because a `bigint` for each word makes it five times slower, and warehouses have gigabytes.
 */
function isIntact(block: Buffer): boolean {
  const halves = new Uint32Array(block.buffer, block.byteOffset + checksumBytes, (block.length - checksumBytes) / 4);
  let high = 0;
  let low = 5_381;
  for (let i = 0; i < halves.length; i += 2) {
    const wordLow = halves[i] ?? 0;
    const wordHigh = halves[i + 1] ?? 0;
    const top = wordLow >>> 16;
    const end = wordLow & 0xffff;
    // The carry of the product of the lower halves into the upper one.
    const middle = end * factorLowTop + ((end * factorLowEnd) >>> 16);
    const carried = top * factorLowTop + Math.floor((top * factorLowEnd + middle) / 0x10000);
    low ^= Math.imul(wordLow, factorLow);
    high ^= (carried + Math.imul(wordLow, factorHigh) + Math.imul(wordHigh, factorLow)) | 0;
  }
  return low >>> 0 === block.readUInt32LE(0) && high >>> 0 === block.readUInt32LE(4);
}
