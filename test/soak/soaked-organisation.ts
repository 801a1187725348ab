import type { Fleet } from '../replicas/fleet.ts';
import { organisationWithSource } from '../replicas/organisation-with-source.ts';
import { worldOfPages } from '../sources/github/replay/moving-world.ts';
import { startReplay } from '../sources/github/replay/server.ts';
import { pullRequestsInSoak, type SoakTerms, soakRecords } from './soak-load.ts';

const owner = { email: 'owner@soak.example', password: 'correct horse battery' };
const webhookSecret = 'the secret of the soak';
const bodyOf = 2_500;

export interface SoakedOrganisation {
  readonly terms: Omit<SoakTerms, 'isOver' | 'urls'>;
  /** Lets the Owner choose a password and brings the records, once servers are there. */
  fill(fleet: Fleet): Promise<void>;
  close(): Promise<void>;
}

/** An organisation with a source, whose Owner signs in with a password, and with as many records as the load replaces. */
export async function soakedOrganisation(
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<SoakedOrganisation> {
  const world = worldOfPages();
  const github = await startReplay(world);
  const { key, sourceId, signInPath } = await organisationWithSource(folder, environment, {
    org: 'Soak',
    owner: owner.email,
    githubUrl: github.url,
    isSynced: true,
    settings: { repositories: 'acme/web,acme/api', webhook_secret: webhookSecret },
  });
  return {
    terms: { key, owner, source: { id: sourceId, webhookSecret, world } },
    async fill(fleet) {
      const [url = ''] = fleet.urls;
      const chosen = await fetch(`${url}${signInPath}`, {
        method: 'POST',
        body: new URLSearchParams({ password: owner.password }),
        headers: { origin: url },
        redirect: 'manual',
      });
      if (chosen.status !== 303) throw new Error(`the Owner has no password: ${chosen.status} ${await chosen.text()}`);
      const put = async (table: string, records: readonly object[]) => {
        const answer = await fleet.ask(0, `/ingest/${table}`, key, records);
        if (answer?.status !== 200) throw new Error(`${table}: ${answer?.status} ${answer?.text.slice(0, 300)}`);
      };
      await put(
        'people',
        Array.from({ length: 50 }, (_, n) => ({ main_email: `engineer-${n}@soak.example`, name: `Engineer ${n}` })),
      );
      for (let from = 0; from < pullRequestsInSoak; from += bodyOf) {
        const { pulls, reviews } = soakRecords(
          Array.from({ length: bodyOf }, (_, i) => from + i),
          0,
        );
        await put('pull_requests', pulls);
        await put('pull_request_reviews', reviews);
      }
    },
    close: () => github.close(),
  };
}
