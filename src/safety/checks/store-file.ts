import { open } from 'node:fs/promises';
import { type Finding, Findings } from '../finding.ts';

const headerBytes = 4_096;
const headers = 3;
const checksumBytes = 8;
/** The layout that this knows how to read; a later one is left to the engine's own checks. */
const storageVersion = 64n;
const magic = 'DUCK';
const blockSizeAt = headerBytes + checksumBytes + 32;

/**
 * Compares every block of an embedded store's file with its checksum. The engine does so only for blocks that a query
 * happens to read, and no query reads a whole index: flipped bytes there would come out with the next write. The file
 * must not be open.
 */
export async function damagedBlocks(path: string): Promise<Finding[]> {
  const findings = new Findings();
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const start = Buffer.alloc(headerBytes * headers);
    const { bytesRead } = await file.read(start, 0, start.length, 0);
    if (bytesRead < start.length || start.toString('latin1', 8, 12) !== magic) {
      findings.add('file', 'the store file does not begin like one', 'byte 0');
      return findings.all();
    }
    for (let at = 0; at < start.length; at += headerBytes) {
      if (!isIntact(start.subarray(at, at + headerBytes))) {
        findings.add('file', 'a header of the store file does not match its checksum', `byte ${at}`);
      }
    }
    const blockBytes = Number(start.readBigUInt64LE(blockSizeAt));
    const isReadable =
      start.readBigUInt64LE(12) === storageVersion && blockBytes >= headerBytes && blockBytes <= 1 << 24;
    if (!isReadable) return findings.all();
    const block = Buffer.alloc(blockBytes);
    for (let at = start.length; at < size; at += blockBytes) {
      const { bytesRead: length } = await file.read(block, 0, blockBytes, at);
      if (length < blockBytes || !isIntact(block)) {
        findings.add('file', 'a block of the store file does not match its checksum', `byte ${at}`);
      }
    }
    return findings.all();
  } finally {
    await file.close();
  }
}

/** DuckDB's checksum: the words of the block, each multiplied, combined by exclusive or. It stands before them. */
function isIntact(block: Buffer): boolean {
  const words = new BigUint64Array(block.buffer, block.byteOffset + checksumBytes, block.length / 8 - 1);
  let sum = 5_381n;
  for (const word of words) sum ^= BigInt.asUintN(64, word * 0xbf58476d1ce4e5b9n);
  return sum === block.readBigUInt64LE(0);
}
