import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { defaultMemory, memoryOfMachine } from '../admission/memory-division.ts';
import { maxFileDescriptors } from '../warehouse/file-descriptors.ts';
import { warehouseFilesIn, warehouseFolder } from '../warehouse/open.ts';
import { type Diagnosis, type Judgement, ok, problem, warning } from './diagnosis.ts';
import type { StorePlace } from './restore.ts';

/** Looks at the folder of the warehouses and at what the machine has for them. None of them is opened. */
export async function examineWarehouses({ folder, memory = defaultMemory() }: StorePlace): Promise<Diagnosis[]> {
  const place = join(folder, warehouseFolder);
  const files = warehouseFilesIn(folder);
  const sizes = files.map(({ path, logPath }) => sizeOf(path) + sizeOf(logPath));
  const { bavail, bsize } = await statfs(folder);
  const descriptors = maxFileDescriptors();
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

const gibibyte = 2 ** 30;
const inGibibytes = (bytes: number): string => `${(bytes / gibibyte).toFixed(1)} GiB`;

/** A backup writes the tables of one organisation after another to the disk, and reclustering writes a table again. */
export function judgeRoom(freeBytes: number, warehouseBytes: readonly number[]): Judgement {
  const total = warehouseBytes.reduce((sum, bytes) => sum + bytes, 0);
  const largest = Math.max(0, ...warehouseBytes);
  const sizes = `${warehouseBytes.length} of ${inGibibytes(total)}, the largest ${inGibibytes(largest)}`;
  return freeBytes >= largest
    ? ok(sizes)
    : warning(
        `${sizes}, and ${inGibibytes(freeBytes)} free: a backup and reclustering may need as much again as the largest has. Make room on the disk.`,
      );
}

/** The share of the machine that the process may take before others, and files that the system keeps at hand, get short. */
const maxShare = 0.75;

export function judgeMemory(processBytes: number, machineBytes: number): Judgement {
  const shown = `${inGibibytes(processBytes)} for Plumb of ${inGibibytes(machineBytes)}`;
  if (processBytes > machineBytes) return problem(`${shown}: the process may be killed. Set PLUMB_MEMORY lower.`);
  return processBytes > maxShare * machineBytes
    ? warning(`${shown} leaves little for the rest. Set PLUMB_MEMORY lower.`)
    : ok(shown);
}

/** Each organisation that is asked about has a file and a write-ahead log open; the rest are connections. */
const filesOfOrganisation = 2;
const filesBesides = 500;

export function judgeFileDescriptors(max: number, organisations: number): Judgement {
  const needed = filesOfOrganisation * organisations + filesBesides;
  return max >= needed
    ? ok(max === Number.POSITIVE_INFINITY ? 'unlimited' : String(max))
    : warning(
        `${max} for ${organisations} organisations and their callers: files of those who are not asked are closed, and opened again when they are. ${needed} would be enough for all. Raise the limit (ulimit -n).`,
      );
}
