import { dataChannel } from './version-watch.ts';
import { mayWrite } from './write-hold.ts';

/** All times are the database's own: the clocks of servers may differ. */
const leaseEnd = "clock_timestamp() + $2 * interval '1 millisecond'";

/**
 * Drawn by itself: a server that never hears that it was given the turn knows which one to give back. The numbers before it are
 * left to changes that go beside it.
 */
export const drawNumber = `SELECT max(drawn)::text AS change
  FROM (SELECT nextval('change_number') AS drawn FROM generate_series(1, 16)) AS numbers`;

/** Refused where a writer with a later number was quicker: numbers of an organisation only grow. */
export const takeTurn = `INSERT INTO data_versions AS d (organisation_id, published, writer, lease_until, dead)
  SELECT $1, 0, $3::bigint, ${leaseEnd}, '{}' WHERE ${mayWrite}
  ON CONFLICT (organisation_id) DO UPDATE SET writer = $3::bigint, lease_until = ${leaseEnd},
    dead = CASE WHEN d.writer IS NULL THEN d.dead ELSE array_append(d.dead, d.writer) END,
    left_copies = NULL, beside = NULL, beside_until = NULL
  WHERE (d.writer IS NULL OR d.lease_until < clock_timestamp())
    AND $3::bigint > ALL (d.dead || d.published || coalesce(d.writer, 0))
  RETURNING published::text, dead::text[], layout::jsonb`;

/** No copies are being written beside the change, or their writer has been gone for longer than a turn lasts. */
const isAlone = '(beside IS NULL OR beside_until < clock_timestamp())';

/** Renews, publishes and ends a turn. */
export interface TurnStatements {
  readonly renew: string;
  readonly publish: string;
  readonly end: string;
}

/**
 * The part of a turn that these columns hold. Published numbers only grow, so the number that was published last ends
 * a turn. Where the engine undoes unpublished rows (`$3`), no row has the number of a dead change, and the list can
 * go.
 */
function statementsOf(number: string, until: string, mayEnd: string): TurnStatements {
  const isHad = (change: string) => `organisation_id = $1 AND ${number} = ${change}::bigint AND published < ${number}`;
  const others = `array_remove(dead, ${number})`;
  return {
    renew: `UPDATE data_versions SET ${until} = ${leaseEnd} WHERE ${isHad('$3')} RETURNING 1`,
    publish: `WITH done AS (
        UPDATE data_versions SET published = ${number}, ${number} = NULL, ${until} = NULL,
          dead = CASE WHEN $3::boolean THEN '{}' ELSE ${others} END, layout = coalesce($4::text, layout)
        WHERE ${isHad('$2')} AND ${mayEnd} RETURNING organisation_id, published, dead, layout)
      SELECT published::text, dead::text[], layout::jsonb, pg_notify('${dataChannel}', organisation_id) FROM done`,
    end: `UPDATE data_versions SET ${number} = NULL, ${until} = NULL,
        dead = CASE WHEN $3::boolean THEN ${others} ELSE array_append(${others}, ${number}) END
      WHERE ${isHad('$2')} AND ${mayEnd}`,
  };
}

export const ownTurn = statementsOf('writer', 'lease_until', isAlone);
/** The one that follows the change beside which this one goes may write copies itself: taking the turn ends this one. */
export const turnBeside = statementsOf('beside', 'beside_until', 'true');

export const isStillHad = 'SELECT 1 FROM data_versions WHERE organisation_id = $1 AND writer = $2::bigint';

export const leaveCopies =
  'UPDATE data_versions SET left_copies = writer WHERE organisation_id = $1 AND writer = $2::bigint';

/**
 * The first free number below the writer's: it is larger than every published number, so it shows nothing of the
 * writer's.
 */
const numberBeside = '(SELECT max(known) + 1 FROM unnest(d.dead || d.published) AS known WHERE known < d.writer)';

/** The number counts as dead until it is published: if its writer is lost, no half of its rows is seen. */
export const goBeside = `UPDATE data_versions AS d SET beside = ${numberBeside}, beside_until = ${leaseEnd},
    dead = array_append(d.dead, ${numberBeside})
  WHERE organisation_id = $1 AND ${mayWrite} AND left_copies = writer AND lease_until > clock_timestamp() AND ${isAlone}
    AND ${numberBeside} < writer
  RETURNING beside::text AS change, published::text, array_remove(dead, beside)::text[] AS dead, layout::jsonb`;

/** Others hear of it with the next change: what they know until then hides rows that are no longer there. */
export const forgetDead = `UPDATE data_versions SET dead = ARRAY(SELECT one FROM unnest(dead) AS one WHERE one <> ALL($2::bigint[]))
  WHERE organisation_id = $1`;

/** A writer that has its turn meanwhile may say such a table again: then it is forgotten later. */
export const forgetEnds = `UPDATE data_versions SET layout = jsonb_set(layout::jsonb, '{ends}', (
    SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM jsonb_each(layout::jsonb -> 'ends')
    WHERE NOT (key = ANY($2::text[]) AND value::text::bigint <= $3::bigint)))::text
  WHERE organisation_id = $1 AND layout IS NOT NULL`;

export const endEveryTurn = `UPDATE data_versions SET dead = array_append(dead, writer), writer = NULL, lease_until = NULL
  WHERE writer IS NOT NULL`;
