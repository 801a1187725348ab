import { RowsOfReader } from './asked-rows.ts';
import { DataExtent } from './data-extent.ts';
import type { MadeService, Role } from './made-service.ts';
import { type OpenedPage, openPage, pagesFor } from './opened-page.ts';
import type { MadeOrganisation } from './organisations.ts';
import {
  causesBearHalf,
  coloursNeedVerdicts,
  earlierNumbersAreComparable,
  earlierTilesAreSaid,
  printedChangesFollowTheRows,
  sentencesFollowTheRows,
  sightIsSaid,
  theCauseIsNamed,
} from './printed-promises.ts';
import {
  answersSayHowFarDataReach,
  earlierEndsAreSaid,
  nothingIsComparedBeforeTheHistory,
  staleDataAreSaid,
  verdictsFollowTheRows,
  windowsEndWithWholeDays,
} from './promises.ts';
import { recomputedChanges } from './recomputed-changes.ts';

/** Opens every page of an organisation and says which promises they break. */
export async function brokenPromises(made: MadeService, organisation: MadeOrganisation, role: Role): Promise<string[]> {
  const reader = await made.readerOf(organisation, role);
  const rows = new RowsOfReader(reader);
  const ofOwner = role === 'Owner' ? rows : new RowsOfReader(await made.readerOf(organisation, 'Owner'));
  const extent = await DataExtent.of(organisation, ofOwner);
  const broken: string[] = [];
  for (const page of await pagesFor(rows)) {
    const found = await brokenBy(await openPage(reader, page), rows, extent);
    broken.push(...found.map((one) => `${page.path}: ${one}`));
  }
  return broken;
}

async function brokenBy(page: OpenedPage, rows: RowsOfReader, extent: DataExtent): Promise<string[]> {
  const changes = await recomputedChanges(page, rows, extent);
  return [
    ...windowsEndWithWholeDays(page, extent),
    ...verdictsFollowTheRows(changes),
    ...nothingIsComparedBeforeTheHistory(changes, extent),
    ...answersSayHowFarDataReach(page, extent),
    ...staleDataAreSaid(page, extent),
    ...earlierEndsAreSaid(page, extent),
    ...coloursNeedVerdicts(page),
    ...printedChangesFollowTheRows(page, changes),
    ...earlierTilesAreSaid(page, extent),
    ...sentencesFollowTheRows(page, changes),
    ...earlierNumbersAreComparable(page, changes),
    ...causesBearHalf(page, changes),
    ...theCauseIsNamed(page),
    ...sightIsSaid(page),
  ];
}
