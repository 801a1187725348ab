import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hasLeftCopies, warehouseFilesIn, warehouseFolder } from '../warehouse/open.ts';
import { dryRunFolder, isDryRunUnderWay } from './dry-run-rederive.ts';
import { Staging } from './staging.ts';

/** Who owns the folder while it is looked at. */
interface Holder {
  /** The organisations in the store. */
  readonly organisationIds: ReadonlySet<string>;
  /** Whether a server is at work in the folder: what it is copying at the moment is no leftover. */
  readonly isServing: boolean;
}

/** What interrupted work has left in a data folder, each with what to do about it. */
export function leftoversIn(folder: string, { organisationIds, isServing }: Holder): string[] {
  const found: string[] = [];
  const place = join(folder, warehouseFolder);
  const unknown = warehouseFilesIn(folder).filter(({ owner }) => !organisationIds.has(owner));
  const isLeft = Staging.isLeftIn(folder);
  if (isLeft) {
    found.push(
      organisationIds.size === 0 || unknown.length > 0
        ? `A restore into this folder was interrupted. Run it again.`
        : `${Staging.pathIn(folder)} is left over from a restore that is complete. Delete it.`,
    );
  }
  if (existsSync(join(folder, dryRunFolder)) && !isDryRunUnderWay(folder)) {
    found.push(`${join(folder, dryRunFolder)} is left over from \`plumb verify --deep\`. Delete it.`);
  }
  if (!isServing && hasLeftCopies(folder)) {
    found.push(`${place} has copies that a killed process made. They are removed at the next start.`);
  }
  // Before the restore that brought them is complete, nobody's warehouses are in the store.
  const strangers = isLeft ? [] : unknown.map(({ name }) => name);
  for (const name of strangers) {
    found.push(`${join(place, name)} is of an organisation that is not in the store. Move it away.`);
  }
  return found;
}
