import { RowsOfReader } from './asked-rows.ts';
import { benchmarksFollowTheRows } from './benchmark-promises.ts';
import { DataExtent } from './data-extent.ts';
import type { MadeService, Reader, Role } from './made-service.ts';
import { type OpenedPage, openPage, type PageToOpen, pagesFor } from './opened-page.ts';
import type { MadeOrganisation } from './organisations.ts';
import {
  causesBearHalf,
  coloursNeedVerdicts,
  daysBeforeTheHistoryAreSaid,
  earlierNumbersAreComparable,
  earlierTilesAreSaid,
  printedChangesFollowTheRows,
  sentencesFollowTheRows,
  sightIsSaid,
  theCauseIsNamed,
  whoToLookAtBecameWorse,
} from './printed-promises.ts';
import {
  answersSayHowFarDataReach,
  earlierEndsAreSaid,
  everythingIsAnswered,
  nothingIsComparedBeforeTheHistory,
  staleDataAreSaid,
  verdictsFollowTheRows,
  windowsEndWithWholeDays,
} from './promises.ts';
import { recomputedChanges } from './recomputed-changes.ts';

/** Opens pages of a service's organisations and says which promises they break. What owners see is asked once. */
export class PromiseKeeper {
  readonly #made: MadeService;
  readonly #ownerRows = new Map<MadeOrganisation, Promise<RowsOfReader>>();

  constructor(made: MadeService) {
    this.#made = made;
  }

  async readerOf(organisation: MadeOrganisation, role: Role): Promise<KeptReader> {
    const reader = await this.#made.readerOf(organisation, role);
    const ofOwner = await this.#rowsOfOwner(organisation);
    const rows = role === 'Owner' ? ofOwner : new RowsOfReader(reader);
    return { reader, rows, extent: await DataExtent.of(organisation, ofOwner) };
  }

  /** Of every page that there is. */
  async brokenBy(organisation: MadeOrganisation, role: Role, search?: string): Promise<string[]> {
    const kept = await this.readerOf(organisation, role);
    const broken: string[] = [];
    for (const page of await pagesFor(kept.rows)) {
      const { broken: found } = await this.open(kept, page, search);
      broken.push(...found.map((one) => `${page.path}: ${one}`));
    }
    return broken;
  }

  /** One page, whatever its range. */
  async open(
    { reader, rows, extent }: KeptReader,
    at: PageToOpen,
    search?: string,
  ): Promise<{ readonly page: OpenedPage; readonly broken: string[] }> {
    const page = await openPage(reader, at, search);
    const changes = await recomputedChanges(page, rows, extent);
    const others = page.path === '/benchmarks' ? await this.#rowsOfOthers(reader.organisation) : [];
    const broken = [
      ...everythingIsAnswered(page),
      ...windowsEndWithWholeDays(page, extent),
      ...verdictsFollowTheRows(changes),
      ...nothingIsComparedBeforeTheHistory(changes, extent),
      ...(await benchmarksFollowTheRows(page, rows, extent, others)),
      ...answersSayHowFarDataReach(page, extent),
      ...staleDataAreSaid(page, extent),
      ...earlierEndsAreSaid(page, extent),
      ...coloursNeedVerdicts(page),
      ...printedChangesFollowTheRows(page, changes),
      ...earlierTilesAreSaid(page, extent),
      ...daysBeforeTheHistoryAreSaid(page, extent),
      ...sentencesFollowTheRows(page, changes),
      ...whoToLookAtBecameWorse(page, changes),
      ...earlierNumbersAreComparable(page, changes),
      ...causesBearHalf(page, changes),
      ...theCauseIsNamed(page),
      ...sightIsSaid(page),
    ];
    return { page, broken };
  }

  #rowsOfOwner(organisation: MadeOrganisation): Promise<RowsOfReader> {
    const known = this.#ownerRows.get(organisation);
    const rows = known ?? this.#made.readerOf(organisation, 'Owner').then((reader) => new RowsOfReader(reader));
    this.#ownerRows.set(organisation, rows);
    return rows;
  }

  #rowsOfOthers(organisation: MadeOrganisation): Promise<readonly RowsOfReader[]> {
    const others = this.#made.organisations.filter((one) => one !== organisation && one.history !== undefined);
    return Promise.all(others.map((one) => this.#rowsOfOwner(one)));
  }
}

interface KeptReader {
  readonly reader: Reader;
  readonly rows: RowsOfReader;
  readonly extent: DataExtent;
}
