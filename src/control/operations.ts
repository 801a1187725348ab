import { type ApiKeys, keyExpiry } from '../access/api-keys.ts';
import type { SignIns } from '../access/sign-in-links.ts';
import type { Alerts } from '../alerts/alert-evaluation.ts';
import { type PersonRecord, personRecord } from '../catalogue/directory-records.ts';
import { readRecord } from '../catalogue/read-record.ts';
import type { RecordForm } from '../catalogue/read-value.ts';
import { isDirectoryTable, type RecordTable } from '../catalogue/record-tables.ts';
import type { Actor, ChangeContext } from '../directory/directory.ts';
import { mergePeople, unmergePerson } from '../directory/merging.ts';
import { organisationView } from '../directory/organisation-settings.ts';
import { createOrganisation, resolveOrganisation, setOrganisation } from '../directory/organisations.ts';
import { findPerson, removePerson, setPerson } from '../directory/people.ts';
import { beginImport, type RecordLine } from '../directory/put-records.ts';
import { goalPeriodsIn } from '../goals/goal-history.ts';
import type { Ingest } from '../ingest/ingest.ts';
import { endParts, takeRecords } from '../ingest/record-intake.ts';
import { accountsOfNobody, matchSuggestions } from '../ingest/resolve/suggestions.ts';
import { callTool } from '../mcp/all-tools.ts';
import type { ToolArguments, ToolParts } from '../mcp/tool.ts';
import { Refusal } from '../refusal.ts';
import { examine } from '../safety/doctor.ts';
import type { StorePlace } from '../safety/restore.ts';
import { tablesElsewhere } from '../safety/tables-elsewhere.ts';
import { verify } from '../safety/verify.ts';
import type { SecretSettings } from '../secrets/secrets.ts';
import { auditEntries } from '../store/audit.ts';
import { listOrganisations } from '../store/organisation-rows.ts';
import type { PersonRow } from '../store/people-rows.ts';
import type { IntakePort } from '../warehouse/intake-port.ts';
import type { EmbeddedPort, MaintenancePort } from '../warehouse/maintenance-port.ts';
import { principalNamed } from './command-questions.ts';
import { type DocumentOperationParts, documentOperationsOf } from './document-operations.ts';
import { dryRunIn } from './dry-run-in-place.ts';
import { type FindingsInput, importFindings } from './import-findings.ts';
import { keyNamed, keyView, type NamedKey } from './listed-keys.ts';
import { messageChecks } from './message-diagnoses.ts';
import { type StreamParts, streamsOf } from './operator-streams.ts';
import { deletable, deleteOrganisation, demoOrganisations, removeDemo } from './organisation-deletion.ts';
import { organisationStatuses } from './organisation-status.ts';
import { listedPeople, personView } from './people-list.ts';
import { recordChecks } from './record-checks.ts';
import { sourceChecks } from './source-diagnoses.ts';
import { type SourceOperationParts, sourceOperationsOf } from './source-operations.ts';
import { sourcePeopleOperationsOf } from './source-people.ts';

type CommandActor = Actor & { readonly via: 'command' };

interface OperationParts extends SourceOperationParts, StreamParts, DocumentOperationParts {
  /** The tables, and the way into them. Throws where another process keeps them. */
  readonly tables: () => {
    readonly warehouse: Pick<MaintenancePort, 'clock'> & { versionOf(organisationId: string): number | undefined };
    /** The same where it is files in the data folder. */
    readonly embedded: (IntakePort & EmbeddedPort) | undefined;
    readonly alerts: Pick<Alerts, 'sendExample' | 'deliveries'>;
  } & Omit<ToolParts, 'now'> &
    ReturnType<StreamParts['tables']>;
  readonly keys: ApiKeys;
  readonly signIns: SignIns;
  /** The place of the store, and the secret that encrypts its secrets. */
  readonly place: StorePlace & SecretSettings;
}

/**
 * Everything an operator can do, as plain data in and plain data out, so that a command does the same thing whether it
 * opened the data folder itself or speaks to the server that owns it. An organisation is named by identifier or name.
 */
export type Operations = ReturnType<typeof operationsOf>;

export function operationsOf(parts: OperationParts, actor: CommandActor) {
  const { directory, tables, keys, signIns, place, baseUrl } = parts;
  const organisation = (org: string) => directory.store.read((session) => resolveOrganisation(session, org));
  const changeContextFor = async (org: string): Promise<ChangeContext> => ({
    organisationId: (await organisation(org)).id,
    actor,
  });
  const signInUrl = async (organisationId: string, personId: string) =>
    `${baseUrl()}/sign-in/${await signIns.create(organisationId, actor, personId)}`;
  const idOfKey = async (organisationId: string, key: NamedKey): Promise<string> =>
    'id' in key ? key.id : keyNamed(await keys.list(organisationId), key.name, directory.now());
  const readerNamed = (input: { org: string; as: string }) => {
    const publish = (organisationId: string) => tables().ingest.bringUp(organisationId);
    return principalNamed({ directory, publish, user: actor.user }, input);
  };
  const personNamed = async (organisationId: string, who: string) =>
    (await directory.store.read((session) => findPerson(session, organisationId, who))).effective;

  return {
    ...sourceOperationsOf(parts, actor),
    ...sourcePeopleOperationsOf(parts, actor),
    ...streamsOf(parts, actor),
    ...documentOperationsOf(parts, actor),
    async createOrganisation(input: { name: string; ownerEmail: string; ownerName?: string }) {
      const { id, ownerId } = await createOrganisation(directory, actor, input);
      return { id, owner_id: ownerId, sign_in_url: await signInUrl(id, ownerId) };
    },
    async setOrganisation({ org, values }: { org: string; values: Fields<string> }) {
      return organisationView(await setOrganisation(directory, await changeContextFor(org), values));
    },
    async listOrganisations(_: Nothing) {
      return (await directory.store.read(listOrganisations)).map(organisationView);
    },
    async setPerson({ org, who, fields, create }: { org: string; who: string; fields: TypedFields; create: boolean }) {
      const context = await changeContextFor(org);
      return personView(await setPerson(directory, context, who, personFields(fields), { create }));
    },
    /** A new person. Refused where another has that address already. */
    async addPerson({ org, email, fields }: { org: string; email: string; fields: TypedFields }) {
      const context = await changeContextFor(org);
      return personView(await setPerson(directory, context, email, personFields(fields), { isNew: true }));
    },
    async listPeople({ org }: { org: string }) {
      return listedPeople(directory.store, (await organisation(org)).id);
    },
    async removePerson({ org, who }: { org: string; who: string }) {
      return personView(await removePerson(directory, await changeContextFor(org), who));
    },
    async mergePeople({ org, keep, absorb }: { org: string; keep: string; absorb: string }) {
      return mergeView(await mergePeople(directory, await changeContextFor(org), keep, absorb));
    },
    async unmergePerson({ org, who }: { org: string; who: string }) {
      return mergeView(await unmergePerson(directory, await changeContextFor(org), who));
    },
    /** People who may be the same as others, or as accounts that belong to no one. */
    async suggestMatches({ org }: { org: string }) {
      return matchSuggestions(tables(), (await organisation(org)).id);
    },
    async listUnknownAccounts({ org }: { org: string }) {
      return accountsOfNobody(tables(), (await organisation(org)).id);
    },
    async createKey({ org, as, name, expires }: { org: string; as: string; name: string; expires?: string }) {
      const { id } = await organisation(org);
      const creator = await personNamed(id, as);
      const expiresAt = expires === undefined ? undefined : keyExpiry(expires);
      return keys.create(id, actor, { creatorId: creator.id, name, ...(expiresAt ? { expiresAt } : {}) });
    },
    async listKeys({ org }: { org: string }) {
      const now = directory.now();
      return (await keys.list((await organisation(org)).id)).map((key) => keyView(key, now));
    },
    async revokeKey({ org, ...key }: { org: string } & NamedKey) {
      const { id: organisationId } = await organisation(org);
      const id = await idOfKey(organisationId, key);
      await keys.revoke(organisationId, actor, id);
      return { id };
    },
    async rotateKey({ org, overlapSeconds, ...key }: { org: string; overlapSeconds: number } & NamedKey) {
      const { id: organisationId } = await organisation(org);
      return keys.rotate(organisationId, actor, await idOfKey(organisationId, key), overlapSeconds);
    },
    async createSignIn({ org, who }: { org: string; who: string }) {
      const { id } = await organisation(org);
      return { sign_in_url: await signInUrl(id, (await personNamed(id, who)).id) };
    },
    async putRecords({ org, table, form, strict, importId, isPart }: PutInput, lines: RecordLines) {
      const context = await changeContextFor(org);
      // Only records of what happened need the tables, and rejected ones are not brought in.
      const ingest: Pick<Ingest, 'put' | 'divideSurveys'> = isDirectoryTable(table) ? noTables : tables().ingest;
      const batch: RecordLine[] = [];
      for await (const line of lines) batch.push(line);
      const counted = await beginImport(directory, context, table, importId);
      const outcome = await takeRecords({ directory, ingest }, context, table, batch, { form, strict, isPart });
      await counted.add(outcome.accepted);
      return outcome;
    },
    /** Does the work that follows from records that were put in parts. Answers whether there was any. */
    async endImport({ org, table }: { org: string; table: RecordTable }) {
      return !isDirectoryTable(table) && endParts(tables(), (await organisation(org)).id, table);
    },
    /** The unusual findings about records that are brought in, or would be. */
    checkImport: (input: FindingsInput) => importFindings(directory, input),
    async listAudit({ org, limit }: { org: string; limit: number }) {
      const { id } = await organisation(org);
      const entries = await directory.store.read((session) => auditEntries(session, id, limit));
      return entries.map(({ happened_at, via, actor: who, key_id, action, subject, details }) => ({
        at: happened_at.toISOString(),
        via,
        actor: who,
        key_id,
        action,
        subject,
        details: details === null ? null : (JSON.parse(details) as unknown),
      }));
    },
    /** Looks at all organisations where none is named. */
    showStatus: ({ org }: { org?: string }) => organisationStatuses({ directory, tables }, org),
    /** The organisation that a deletion means. Refuses where its name does not confirm it. */
    confirmDeletion: (input: { org: string; confirm: string }) => deletable({ directory, tables }, input),
    async deleteOrganisation(input: { org: string; confirm: string }) {
      const meant = await deletable({ directory, tables }, input);
      await deleteOrganisation({ directory, tables }, meant.id);
      return meant;
    },
    /** The organisations of the demo: what removing it would delete. */
    listDemo: (_: Nothing) => demoOrganisations({ directory, tables }),
    removeDemo: (_: Nothing) => removeDemo({ directory, tables }),
    async verify({ deep }: { deep?: boolean }) {
      const { embedded } = tables();
      if (deep && !embedded) throw tablesElsewhere('recompute');
      const files = embedded ? { warehouse: embedded } : {};
      return verify(directory.store, { ...files, ...(deep ? { deep: dryRunIn(place) } : {}) });
    },
    /** Looks at one organisation, or at everything; returns all findings, or a few examples. */
    examine: async ({ org, isWhole }: { org?: string; isWhole?: boolean }) =>
      examine({
        ...place,
        org,
        isWhole,
        environment: process.env,
        now: directory.now(),
        store: directory.store,
        warehouse: tables().warehouse,
        recordChecks,
        storeChecks: [...sourceChecks(place), ...messageChecks],
      }),
    /** A call of a tool for agents, in the name of a person of the organisation. */
    async callTool(input: { org: string; as: string; name: string; arguments: ToolArguments }) {
      const { ingest: _, ...found } = tables();
      const principal = await readerNamed(input);
      return callTool({ ...found, now: directory.now }, { principal }, input.name, input.arguments);
    },
    /** The whole periods of a goal, in the rights of a person of the organisation. */
    async goalHistory({ slug, periods, ...input }: NamedInput & { periods: number }) {
      const { goals } = tables();
      return goals.history({ principal: await readerNamed(input) }, slug, goalPeriodsIn(periods));
    },
    /** Sends an example to everyone whom an alert tells. How many get it. */
    async testAlert({ slug, ...input }: NamedInput) {
      const { alerts } = tables();
      return { sent: await alerts.sendExample({ principal: await readerNamed(input) }, slug) };
    },
    /** What was sent for an alert, the newest first. */
    async alertDeliveries({ slug, ...input }: NamedInput) {
      const { alerts } = tables();
      return alerts.deliveries({ principal: await readerNamed(input) }, slug);
    },
  };
}

/** A document, and the person in whose name something is done with it. */
interface NamedInput {
  readonly org: string;
  readonly as: string;
  readonly slug: string;
}

type Nothing = Readonly<Record<string, never>>;
type Fields<T> = Readonly<Record<string, T>>;
/** Field names and texts, as typed on the command line; null clears. */
type TypedFields = Fields<string | null>;
type RecordLines = AsyncIterable<RecordLine> | readonly RecordLine[];

interface PutInput {
  readonly org: string;
  readonly table: RecordTable;
  readonly form: RecordForm;
  readonly strict: boolean;
  /** Counts as one for all batches of a file, which have one entry in the audit log. */
  readonly importId?: string;
  /** Other batches follow. `endImport` is called after the last. */
  readonly isPart?: boolean;
}

function personFields(fields: TypedFields): PersonRecord {
  const reading = readRecord(personRecord, fields, 'text');
  if ('problem' in reading) throw new Refusal('bad-input', `${reading.problem}.`);
  return reading.record;
}

/** The directory's own tables are in the store. */
const noTable = () => Promise.reject(new Error('records of the directory were sent to the tables'));
const noTables: Pick<Ingest, 'put' | 'divideSurveys'> = { put: noTable, divideSurveys: noTable };

const mergeView = ({ survivor, absorbed }: { survivor: PersonRow; absorbed: PersonRow }) => ({
  survivor: personView(survivor),
  absorbed: personView(absorbed),
});
