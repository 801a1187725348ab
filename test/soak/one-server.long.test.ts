import { expect, test } from 'vitest';
import { freshFolder } from '../conformance/stores.ts';
import { Fleet } from '../replicas/fleet.ts';
import { closedAfterAll } from '../setup/closed-after-all.ts';
import { soak, soakTimeoutMs } from './soak-run.ts';
import { soakedOrganisation } from './soaked-organisation.ts';

const closing = closedAfterAll();

test(
  'One server takes no more memory, open files, disk and time in the end of a long day than at its beginning',
  async () => {
    const folder = freshFolder();
    closing(() => folder.remove());
    const organisation = await soakedOrganisation(folder.path, {});
    const fleet = new Fleet({ PLUMB_RATE_LIMIT: '0' });
    closing(
      () => fleet.close(),
      () => organisation.close(),
    );
    await fleet.addIn(folder.path);
    await organisation.fill(fleet);
    await soak('one server', { pids: fleet.pids, folders: fleet.folders }, { ...organisation.terms, urls: fleet.urls });
    await fleet.close();
    expect(fleet.logs.filter((line) => line.includes('request failed'))).toEqual([]);
  },
  soakTimeoutMs,
);
