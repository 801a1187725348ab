import { Writable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** Counts the packed bytes that this process unpacks while something is done. */
export async function countingPackedBytes<T>(work: (packedBytes: () => number) => Promise<T>): Promise<T> {
  const shared: object = Object.getPrototypeOf(createGunzip());
  let bytes = 0;
  const write = function (this: Writable, ...given: Parameters<Writable['write']>): boolean {
    bytes += given[0].length;
    return Writable.prototype.write.apply(this, given);
  };
  Object.defineProperty(shared, 'write', { value: write, configurable: true });
  try {
    return await work(() => bytes);
  } finally {
    Reflect.deleteProperty(shared, 'write');
  }
}
