import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { memoryOfMachine, memoryUsual } from '../admission/memory-division.ts';
import { fileDescriptorsMost } from '../warehouse/file-descriptors.ts';
import { warehouseFilesIn, warehouseFolder } from '../warehouse/open.ts';
import { type Diagnosis, type Judgement, ok, problem } from './diagnosis.ts';
import type { StorePlace } from './restore.ts';
import { judgeFileDescriptors, judgeMemory, judgeRoom } from './warehouse-diagnosis.ts';

/** Looks at the folder of the warehouses and at what the machine has for them. None of them is opened. */
export async function examineWarehouses({ folder, memory = memoryUsual() }: StorePlace): Promise<Diagnosis[]> {
  const place = join(folder, warehouseFolder);
  const files = warehouseFilesIn(folder);
  const sizes = files.map(({ path, logPath }) => sizeOf(path) + sizeOf(logPath));
  const { bavail, bsize } = await statfs(folder);
  const descriptors = fileDescriptorsMost();
  return [
    { name: 'warehouse folder', ...judgeFolder(place) },
    { name: 'warehouses', ...judgeRoom(bavail * bsize, sizes) },
    { name: 'memory', ...judgeMemory(memory, memoryOfMachine()) },
    ...(descriptors === undefined
      ? []
      : [{ name: 'file descriptors', ...judgeFileDescriptors(descriptors, files.length) }]),
  ];
}

function judgeFolder(place: string): Judgement {
  if (!existsSync(place)) return ok('It is made when it is first needed.');
  try {
    accessSync(place, constants.R_OK | constants.W_OK | constants.X_OK);
    return ok(place);
  } catch {
    return problem(`${place} cannot be written to. Give it to the user who runs Plumb.`);
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
