import { alertStates, digestRuns, evaluationRounds } from './alert-tables.ts';
import type { StoreRowOf } from './define-table.ts';
import { putRows, selectList } from './put-rows.ts';
import type { OrganisationWriting, Reading, Store } from './store.ts';

export type AlertStateRow = StoreRowOf<typeof alertStates>;
type EvaluationRoundRow = StoreRowOf<typeof evaluationRounds>;

export function listAlertStates(session: Reading, organisationId: string): Promise<AlertStateRow[]> {
  return session.rows(
    `SELECT ${selectList(alertStates, 's')} FROM alert_states s WHERE s.organisation_id = $1
     ORDER BY s.slug, s.person_id, s.cause`,
    [organisationId],
  );
}

/** Puts other states of one alert in place of all that it has. */
export async function replaceAlertStates(
  session: OrganisationWriting,
  slug: string,
  rows: readonly AlertStateRow[],
): Promise<void> {
  await session.run('DELETE FROM alert_states WHERE organisation_id = $1 AND slug = $2', [
    session.organisationId,
    slug,
  ]);
  await putRows(session, alertStates, rows);
}

export type DigestRunRow = StoreRowOf<typeof digestRuns>;

/** When a digest was last sent; undefined where it never was. */
export async function findDigestRun(
  session: Reading,
  organisationId: string,
  slug: string,
): Promise<DigestRunRow | undefined> {
  const [row] = await session.rows<DigestRunRow>(
    `SELECT ${selectList(digestRuns, 'r')} FROM digest_runs r WHERE r.organisation_id = $1 AND r.slug = $2`,
    [organisationId, slug],
  );
  return row;
}

export const putDigestRun = (session: OrganisationWriting, row: Omit<DigestRunRow, 'organisation_id'>): Promise<void> =>
  putRows(session, digestRuns, [{ ...row, organisation_id: session.organisationId }]);

/** Forgets what an alert or a digest has said: a later one of the same name starts from nothing. */
export async function forgetTold(session: OrganisationWriting, kind: 'alert' | 'digest', slug: string): Promise<void> {
  const table = kind === 'alert' ? 'alert_states' : 'digest_runs';
  await session.run(`DELETE FROM ${table} WHERE organisation_id = $1 AND slug = $2`, [session.organisationId, slug]);
}

/** The organisations that have alerts or digests. */
export async function organisationsWithMessages(session: Reading): Promise<string[]> {
  const rows = await session.rows<{ readonly organisation_id: string }>(
    `SELECT DISTINCT organisation_id FROM documents WHERE kind IN ('alert', 'digest') ORDER BY organisation_id`,
  );
  return rows.map(({ organisation_id }) => organisation_id);
}

export async function findEvaluationRound(
  session: Reading,
  organisationId: string,
): Promise<EvaluationRoundRow | undefined> {
  const [row] = await session.rows<EvaluationRoundRow>(
    `SELECT ${selectList(evaluationRounds, 'r')} FROM evaluation_rounds r WHERE r.organisation_id = $1`,
    [organisationId],
  );
  return row;
}

interface RoundLease {
  readonly organisationId: string;
  readonly holder: string;
  readonly now: Date;
  readonly until: Date;
}

/** Takes the right to evaluate an organisation; false where another process has it. It ends by itself after a crash. */
export async function takeRound(store: Pick<Store, 'note'>, lease: RoundLease): Promise<boolean> {
  const { organisationId, holder, now, until } = lease;
  let isTaken = false;
  await store.note(async (session) => {
    await session.lock(`evaluation ${organisationId}`);
    const round = await findEvaluationRound(session, organisationId);
    isTaken = !round?.holder || round.holder === holder || (round.lease_until?.getTime() ?? 0) <= now.getTime();
    const { evaluated_at = null, data_version = null } = round ?? {};
    const row = { organisation_id: organisationId, evaluated_at, data_version, holder, lease_until: until };
    if (isTaken) await putRows(session, evaluationRounds, [row]);
  });
  return isTaken;
}

/** Gives the right back, and says what was looked at, where all of it was. */
export async function endRound(
  store: Pick<Store, 'note'>,
  { organisationId, holder }: Pick<RoundLease, 'organisationId' | 'holder'>,
  evaluated: { readonly at: Date; readonly dataVersion: string | null } | undefined,
): Promise<void> {
  await store.note(async (session) => {
    const round = await findEvaluationRound(session, organisationId);
    if (round?.holder !== holder) return;
    const looked = evaluated ? { evaluated_at: evaluated.at, data_version: evaluated.dataVersion } : {};
    await putRows(session, evaluationRounds, [{ ...round, ...looked, holder: null, lease_until: null }]);
  });
}
