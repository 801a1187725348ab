import type { Directory } from '../directory/directory.ts';
import { isFields } from '../documents/document-fields.ts';
import { type DocumentFormat, readDocument, yamlText } from '../documents/document-text.ts';
import type { Documents, ShownDocument } from '../documents/documents.ts';
import type { WrittenDocument } from '../documents/planned-change.ts';
import { Refusal } from '../refusal.ts';
import type { Actor } from '../store/audit.ts';
import type { DocumentKindName } from '../store/document-tables.ts';
import { principalNamed } from './command-questions.ts';

/** The documents of every kind that there is. */
type DocumentsByKind = { readonly [K in DocumentKindName]?: Documents<object> };

export interface DocumentOperationParts {
  readonly directory: Directory;
  readonly documents: DocumentsByKind;
}

/** Which documents are meant, and the person in whose name something is done with them. */
export interface DocumentsInput {
  readonly org: string;
  readonly as: string;
  readonly kind: DocumentKindName;
}

/** A file that somebody has written. */
export interface DocumentFile {
  readonly name: string;
  readonly format: DocumentFormat;
  readonly text: string;
}

interface ApplyInput extends DocumentsInput {
  readonly files: readonly DocumentFile[];
  /** Only says what would change. */
  readonly isDryRun: boolean;
  /** The tags of the documents that were looked at, by name; null where there was none. */
  readonly etags?: Readonly<Record<string, string | null>>;
}

/** Documents as an operator lists, shows, applies and removes them, in the name of a person. */
export function documentOperationsOf(
  { directory, documents }: DocumentOperationParts,
  { user }: Actor & { user: string },
) {
  const parts = { directory, user, publish: async () => {} };
  const of = (kind: DocumentKindName): Documents<object> => {
    const found = documents[kind];
    if (!found) throw new Refusal('not-found', `There are no documents of the kind ${kind}.`);
    return found;
  };
  const callerOf = async (input: DocumentsInput) => ({ principal: await principalNamed(parts, input) });

  return {
    async listDocuments(input: DocumentsInput) {
      const all = await of(input.kind).list(await callerOf(input));
      return all.map((one) => documentView(one));
    },
    async showDocument({ slug, ...input }: DocumentsInput & { slug: string }) {
      return documentView(await of(input.kind).read(await callerOf(input), slug));
    },
    async applyDocuments({ files, isDryRun, etags, ...input }: ApplyInput) {
      const written = await Promise.all(files.map((file) => readFile(file, input.kind)));
      const options = { isDryRun, ...(etags ? { etags } : {}) };
      const changes = await of(input.kind).apply(await callerOf(input), written, options);
      return changes.map(({ slug, change, before, after, etagBefore }) => ({
        slug,
        change,
        before,
        after,
        /** Both as YAML, to be compared line by line. */
        yaml: { before: before === null ? '' : yamlText(before), after: yamlText(after) },
        etag_before: etagBefore,
      }));
    },
    async removeDocument({ slug, ...input }: DocumentsInput & { slug: string }) {
      await of(input.kind).remove(await callerOf(input), slug);
      return { slug };
    },
  };
}

async function readFile({ name, format, text }: DocumentFile, kind: DocumentKindName): Promise<WrittenDocument> {
  const written = await readDocument(Buffer.from(text), format).catch((error: unknown) => {
    throw error instanceof Refusal ? new Refusal(error.reason, `${name}: ${error.message}`) : error;
  });
  const slug = isFields(written) ? written[kind] : undefined;
  if (typeof slug === 'string') return { slug, written, from: name };
  throw new Refusal('bad-input', `${name}: ${kind} is missing, the name of the ${kind}: a–z, 0–9 and '-'.`);
}

const documentView = ({ slug, shown, owner, mayChange, changedAt }: ShownDocument<object>) => ({
  slug,
  document: shown,
  yaml: yamlText(shown),
  owner: owner?.name ?? null,
  may_change: mayChange,
  changed_at: changedAt.toISOString(),
});

type DocumentOperations = ReturnType<typeof documentOperationsOf>;
export type DocumentView = Awaited<ReturnType<DocumentOperations['showDocument']>>;
export type AppliedDocument = Awaited<ReturnType<DocumentOperations['applyDocuments']>>[number];
