import { may, needs, table } from './define-table.ts';

/** What an alert has told a person, so that it is told once. */
export const alertStates = table('alert_states', ['organisation_id', 'slug', 'person_id', 'cause'], {
  organisation_id: needs('text'),
  slug: needs('text'),
  /** The person in whose rights it was evaluated. */
  person_id: needs('text'),
  cause: needs('text'),
  /** JSON of the rule: what was told of another rule counts no more. */
  rule: needs('text'),
  /** The period, moment or day that was told; null where the cause is over and its messages still wait. */
  told: may('text'),
  /** JSON: what happened in quiet hours and is still to be told. */
  held: needs('text'),
});

/** The last moment at which a digest was due and sent. */
export const digestRuns = table('digest_runs', ['organisation_id', 'slug'], {
  organisation_id: needs('text'),
  slug: needs('text'),
  due_at: needs('timestamptz'),
  /** Whether Owners were told that it has no owner, and is not sent any more. */
  is_silent: needs('boolean'),
});

/** When the alerts of an organisation were last evaluated, and the process that does it now. */
export const evaluationRounds = table('evaluation_rounds', ['organisation_id'], {
  organisation_id: needs('text'),
  evaluated_at: may('timestamptz'),
  /** The version of the data that was looked at. */
  data_version: may('text'),
  holder: may('text'),
  lease_until: may('timestamptz'),
});
