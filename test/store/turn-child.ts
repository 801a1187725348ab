import { openPostgresStore } from '../../src/store/postgres/store.ts';

// Takes the turn of an organisation, says so, and keeps it until it is killed.
const [url = '', organisationId = ''] = process.argv.slice(2);
const lease = { leaseMs: 1_500, renewMs: 200, retryMs: 50, patienceMs: 5_000, answerMs: 5_000 };
const store = await openPostgresStore(url, {}, { lease });
await store.writerTurns.inTurn(organisationId, async ({ change }) => {
  process.stdout.write(String(change));
  await new Promise((resolve) => setTimeout(resolve, 60_000));
});
