import type { ConnectionCheck } from '../../../ask/sources.ts';

/** The result of a check: whose token it is, what the token sees, and what it lacks. */
export function CheckResult({ check }: { readonly check: ConnectionCheck }) {
  if (!check.ok) {
    return (
      <p>
        <strong>{check.error}.</strong> {check.to_do}
      </p>
    );
  }
  const clock = check.clock_difference_seconds ?? 0;
  return (
    <dl className="fact-list">
      {check.account && (
        <>
          <dt>Reads as</dt>
          <dd>{check.account}</dd>
        </>
      )}
      <dt>Sees</dt>
      <dd>{check.sees.length === 0 ? 'nothing' : check.sees.join(', ')}</dd>
      {check.missing.length > 0 && (
        <>
          <dt>Lacks</dt>
          <dd>{check.missing.join(', ')}</dd>
        </>
      )}
      {Math.abs(clock) > 60 && (
        <>
          <dt>Clock</dt>
          <dd>differs by {Math.round(clock)} seconds: set the clock of the server</dd>
        </>
      )}
    </dl>
  );
}
