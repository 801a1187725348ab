import type { ApiKeys } from '../access/api-keys.ts';
import { keyExpiry } from '../access/key-expiry.ts';
import type { SignIns } from '../access/sign-in.ts';
import { type PersonRecord, personRecord } from '../catalogue/directory-records.ts';
import { type RecordForm, readRecord } from '../catalogue/read-record.ts';
import { isDirectoryTable, type RecordTable } from '../catalogue/record-tables.ts';
import type { Actor, ChangeContext } from '../directory/directory.ts';
import { mergePeople, unmergePerson } from '../directory/merging.ts';
import { type OrganisationView, organisationView } from '../directory/organisation-view.ts';
import { createOrganisation, resolveOrganisation, setOrganisation } from '../directory/organisations.ts';
import { findPerson, removePerson, setPerson } from '../directory/people.ts';
import { beginImport } from '../directory/record-transfers.ts';
import type { RecordLine, RecordsOutcome } from '../directory/records.ts';
import type { Ingest } from '../ingest/ingest.ts';
import { endParts, takeRecords } from '../ingest/record-intake.ts';
import { accountsOfNobody, matchSuggestions } from '../ingest/resolve/match-suggestions.ts';
import type { Suggestion, UnknownAccount } from '../ingest/resolve/suggestions.ts';
import type { ReadableAnswer } from '../mcp/readable-answer.ts';
import type { ToolArguments, ToolParts } from '../mcp/tool.ts';
import { callTool } from '../mcp/tools.ts';
import { Refusal } from '../refusal.ts';
import { type Diagnosis, examine } from '../safety/doctor.ts';
import type { StorePlace } from '../safety/restore.ts';
import { tablesElsewhere } from '../safety/tables-elsewhere.ts';
import { type Verification, verify } from '../safety/verify.ts';
import type { SecretSettings } from '../secrets/secrets.ts';
import { auditEntries } from '../store/audit.ts';
import { listOrganisations } from '../store/organisations.ts';
import type { EmbeddedPort } from '../warehouse/embedded-port.ts';
import type { IntakePort } from '../warehouse/intake-port.ts';
import type { MaintenancePort } from '../warehouse/maintenance-port.ts';
import { dryRunIn } from './dry-run-rederive.ts';
import { type FindingsInput, type ImportFindings, importFindings } from './import-findings.ts';
import { type KeyView, keyNamed, keyView, type NamedKey } from './listed-keys.ts';
import { principalNamed } from './metric-answers.ts';
import {
  type DeletedOrganisation,
  deletable,
  deleteOrganisation,
  demoOrganisations,
  removeDemo,
} from './organisation-deletion.ts';
import { type OrganisationStatus, organisationStatuses } from './organisation-status.ts';
import { type ListedPerson, listedPeople, type PersonView } from './people-list.ts';
import { recordChecks } from './record-checks.ts';
import { sourceChecks } from './source-checks.ts';
import { type SourceOperationParts, type SourceOperations, sourceOperationsOf } from './source-operations.ts';
import { type SourcePeopleOperations, sourcePeopleOperationsOf } from './source-people.ts';

/**
 * Everything an operator can do, as plain data in and plain data out, so that a command does the same thing whether it
 * opened the data folder itself or speaks to the server that owns it. An organisation is named by identifier or name.
 */
export interface Operations extends SourceOperations, SourcePeopleOperations {
  createOrganisation(input: { name: string; ownerEmail: string; ownerName?: string }): Promise<CreatedOrganisation>;
  setOrganisation(input: { org: string; values: Readonly<Record<string, string>> }): Promise<OrganisationView>;
  listOrganisations(input: Record<string, never>): Promise<OrganisationView[]>;
  setPerson(input: {
    org: string;
    who: string;
    /** Field names and texts, as typed on the command line; null clears. */
    fields: Readonly<Record<string, string | null>>;
    create: boolean;
  }): Promise<PersonView>;
  /** A new person. Refused where another has that address already. */
  addPerson(input: {
    org: string;
    email: string;
    fields: Readonly<Record<string, string | null>>;
  }): Promise<PersonView>;
  listPeople(input: { org: string }): Promise<ListedPerson[]>;
  removePerson(input: { org: string; who: string }): Promise<PersonView>;
  mergePeople(input: { org: string; keep: string; absorb: string }): Promise<MergeView>;
  unmergePerson(input: { org: string; who: string }): Promise<MergeView>;
  /** People who may be the same as others, or as accounts that belong to no one. */
  suggestMatches(input: { org: string }): Promise<Suggestion[]>;
  listUnknownAccounts(input: { org: string }): Promise<UnknownAccount[]>;
  createKey(input: { org: string; as: string; name: string; expires?: string }): Promise<{ id: string; key: string }>;
  listKeys(input: { org: string }): Promise<KeyView[]>;
  revokeKey(input: { org: string } & NamedKey): Promise<{ id: string }>;
  rotateKey(input: { org: string; overlapSeconds: number } & NamedKey): Promise<{ id: string; key: string }>;
  createSignIn(input: { org: string; who: string }): Promise<{ sign_in_url: string }>;
  putRecords(input: {
    org: string;
    table: RecordTable;
    lines: readonly RecordLine[];
    form: RecordForm;
    strict: boolean;
    /** The same for all batches of a file: together they are one entry of the audit log. */
    importId?: string;
    /** Other batches follow. `endImport` is called after the last. */
    isPart?: boolean;
  }): Promise<RecordsOutcome>;
  /** What follows from records that were put in parts. Whether anything did. */
  endImport(input: { org: string; table: RecordTable }): Promise<boolean>;
  /** What is unusual about records that are brought in, or would be. */
  checkImport(input: FindingsInput): Promise<ImportFindings>;
  listAudit(input: { org: string; most: number }): Promise<AuditView[]>;
  /** Of all organisations where none is named. */
  showStatus(input: { org?: string }): Promise<OrganisationStatus[]>;
  /** The organisation that a deletion means. Refuses where its name does not confirm it. */
  confirmDeletion(input: { org: string; confirm: string }): Promise<DeletedOrganisation>;
  deleteOrganisation(input: { org: string; confirm: string }): Promise<DeletedOrganisation>;
  /** The organisations of the demo: what removing it would delete. */
  listDemo(input: Record<string, never>): Promise<DeletedOrganisation[]>;
  removeDemo(input: Record<string, never>): Promise<DeletedOrganisation[]>;
  verify(input: { deep?: boolean }): Promise<Verification>;
  /** Of one organisation, or of everything; with all that was found, or with a few examples. */
  examine(input: { org?: string; isWhole?: boolean }): Promise<readonly Diagnosis[]>;
  /** A call of a tool for agents, in the name of a person of the organisation. */
  callTool(input: ToolInput): Promise<ReadableAnswer>;
}

interface ToolInput {
  readonly org: string;
  readonly as: string;
  readonly name: string;
  readonly arguments: ToolArguments;
}

type CommandActor = Actor & { readonly via: 'command' };

interface CreatedOrganisation {
  readonly id: string;
  readonly owner_id: string;
  readonly sign_in_url: string;
}

interface MergeView {
  readonly survivor: PersonView;
  readonly absorbed: PersonView;
}

interface AuditView {
  readonly at: string;
  readonly via: string;
  readonly actor: string | null;
  readonly key_id: string | null;
  readonly action: string;
  readonly subject: string;
  readonly details: unknown;
}

interface OperationParts extends SourceOperationParts {
  /** The tables, and the way into them. Throws where another process keeps them. */
  readonly tables: () => {
    readonly warehouse: IntakePort &
      Pick<MaintenancePort, 'clock'> & { versionOf(organisationId: string): number | undefined };
    /** The same, where it is files in the data folder. */
    readonly embedded: (IntakePort & EmbeddedPort) | undefined;
    readonly ingest: Ingest;
  } & Omit<ToolParts, 'now'>;
  readonly keys: ApiKeys;
  readonly signIns: SignIns;
  /** Where the store lives, and what its secrets are encrypted with. */
  readonly place: StorePlace & SecretSettings;
}

export function operationsOf(parts: OperationParts, actor: CommandActor): Operations {
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
  const personNamed = async (organisationId: string, who: string) =>
    (await directory.store.read((session) => findPerson(session, organisationId, who))).effective;

  return {
    ...sourceOperationsOf(parts, actor),
    ...sourcePeopleOperationsOf(parts, actor),
    async createOrganisation(input) {
      const { id, ownerId } = await createOrganisation(directory, actor, input);
      return { id, owner_id: ownerId, sign_in_url: await signInUrl(id, ownerId) };
    },
    async setOrganisation({ org, values }) {
      return organisationView(await setOrganisation(directory, await changeContextFor(org), values));
    },
    async listOrganisations() {
      return (await directory.store.read(listOrganisations)).map(organisationView);
    },
    async setPerson({ org, who, fields, create }) {
      const context = await changeContextFor(org);
      return personView(await setPerson(directory, context, who, personFields(fields), { create }));
    },
    async addPerson({ org, email, fields }) {
      const context = await changeContextFor(org);
      return personView(await setPerson(directory, context, email, personFields(fields), { isNew: true }));
    },
    async listPeople({ org }) {
      return listedPeople(directory.store, (await organisation(org)).id);
    },
    async removePerson({ org, who }) {
      return personView(await removePerson(directory, await changeContextFor(org), who));
    },
    async mergePeople({ org, keep, absorb }) {
      const { survivor, absorbed } = await mergePeople(directory, await changeContextFor(org), keep, absorb);
      return { survivor: personView(survivor), absorbed: personView(absorbed) };
    },
    async unmergePerson({ org, who }) {
      const { survivor, absorbed } = await unmergePerson(directory, await changeContextFor(org), who);
      return { survivor: personView(survivor), absorbed: personView(absorbed) };
    },
    async suggestMatches({ org }) {
      return matchSuggestions(tables(), (await organisation(org)).id);
    },
    async listUnknownAccounts({ org }) {
      return accountsOfNobody(tables(), (await organisation(org)).id);
    },
    async createKey({ org, as, name, expires }) {
      const { id } = await organisation(org);
      const creator = await personNamed(id, as);
      const expiresAt = expires === undefined ? undefined : keyExpiry(expires);
      return keys.create(id, actor, { creatorId: creator.id, name, ...(expiresAt ? { expiresAt } : {}) });
    },
    async listKeys({ org }) {
      const now = directory.now();
      return (await keys.list((await organisation(org)).id)).map((key) => keyView(key, now));
    },
    async revokeKey({ org, ...key }) {
      const { id: organisationId } = await organisation(org);
      const id = await idOfKey(organisationId, key);
      await keys.revoke(organisationId, actor, id);
      return { id };
    },
    async rotateKey({ org, overlapSeconds, ...key }) {
      const { id: organisationId } = await organisation(org);
      return keys.rotate(organisationId, actor, await idOfKey(organisationId, key), overlapSeconds);
    },
    async createSignIn({ org, who }) {
      const { id } = await organisation(org);
      return { sign_in_url: await signInUrl(id, (await personNamed(id, who)).id) };
    },
    async putRecords({ org, table, lines, form, strict, importId, isPart }) {
      const context = await changeContextFor(org);
      // Only records of what happened need the tables, and what is refused is not brought in.
      const ingest: Pick<Ingest, 'put' | 'divideSurveys'> = isDirectoryTable(table) ? noTables : tables().ingest;
      const counted = await beginImport(directory, context, table, importId);
      const outcome = await takeRecords({ directory, ingest }, context, table, lines, { form, strict, isPart });
      await counted.add(outcome.accepted);
      return outcome;
    },
    async endImport({ org, table }) {
      return !isDirectoryTable(table) && endParts(tables(), (await organisation(org)).id, table);
    },
    checkImport: (input) => importFindings(directory, input),
    async listAudit({ org, most }) {
      const { id } = await organisation(org);
      const entries = await directory.store.read((session) => auditEntries(session, id, most));
      return entries.map(({ happened_at, via, actor: who, key_id, action, subject, details }) => ({
        at: happened_at.toISOString(),
        via,
        actor: who,
        key_id,
        action,
        subject,
        details: details === null ? null : JSON.parse(details),
      }));
    },
    showStatus: ({ org }) => organisationStatuses({ directory, tables }, org),
    confirmDeletion: (input) => deletable({ directory, tables }, input),
    async deleteOrganisation(input) {
      const meant = await deletable({ directory, tables }, input);
      await deleteOrganisation({ directory, tables }, meant.id);
      return meant;
    },
    listDemo: () => demoOrganisations({ directory, tables }),
    removeDemo: () => removeDemo({ directory, tables }),
    verify: async ({ deep }) => {
      const { embedded } = tables();
      if (deep && !embedded) throw tablesElsewhere('recompute');
      const files = embedded ? { warehouse: embedded } : {};
      return verify(directory.store, { ...files, ...(deep ? { deep: dryRunIn(place) } : {}) });
    },
    examine: async ({ org, isWhole }) =>
      examine({
        ...place,
        org,
        isWhole,
        environment: process.env,
        now: directory.now(),
        store: directory.store,
        warehouse: tables().warehouse,
        recordChecks,
        storeChecks: sourceChecks(place),
      }),
    async callTool(input) {
      const { ingest, ...found } = tables();
      const publish = (organisationId: string) => ingest.bringUp(organisationId);
      const principal = await principalNamed({ directory, publish, user: actor.user }, input);
      return callTool({ ...found, now: directory.now }, { principal }, input.name, input.arguments);
    },
  };
}

function personFields(fields: Readonly<Record<string, string | null>>): PersonRecord {
  const reading = readRecord(personRecord, fields, 'text');
  if ('problem' in reading) throw new Refusal('bad-input', `${reading.problem}.`);
  return reading.record;
}

/** The directory's own tables are in the store. */
const noTable = () => Promise.reject(new Error('records of the directory were sent to the tables'));
const noTables: Pick<Ingest, 'put' | 'divideSurveys'> = { put: noTable, divideSurveys: noTable };

function personView(row: {
  id: string;
  name: string;
  main_email: string | null;
  access_role: string;
  onboarded: boolean;
  is_bot: boolean;
}): PersonView {
  const { id, name, main_email, access_role, onboarded, is_bot } = row;
  return { merged_user_id: id, name, email: main_email, access_role, onboarded, is_bot };
}
