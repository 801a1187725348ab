import { keyOf } from '../../text-comparison.ts';

/**
 * The pull request that a revert names. The look-up tries the number first, then the number in the quoted title, then
 * the title itself, then the commit.
 */
export interface RevertMarks {
  readonly number?: number;
  /** The repository of the number, `owner/name`; absent when it is the revert's own. */
  readonly repository?: string;
  readonly title?: string;
  /** The `12` of a quoted title that ends in `(#12)`, as a squashed merge calls its commit. */
  readonly quotedNumber?: number;
  /** The hash in lower case, perhaps abbreviated. */
  readonly sha?: string;
}

export interface RevertText {
  readonly headBranch: string | null;
  readonly body: string | null;
  readonly title: string | null;
  readonly repository: string | null;
}

/** The marks as JSON text, or null when it does not say that it reverts anything. */
export function revertMarks({ headBranch, body, title, repository }: RevertText): string | null {
  // Text that a template hides in comments is nobody's word.
  const said = (body ?? '').replace(/<!--[\s\S]*?(?:-->|$)/g, ' ');
  const sha = revertedCommit.exec(said)?.[1]?.toLowerCase();
  const quoted = revertedTitle.exec(title ?? '')?.[1]?.trim();
  const quotedNumber = numberAtEnd.exec(quoted ?? '')?.[1];
  const marks: RevertMarks = {
    ...(numberInBranch(headBranch) ?? numberInBody(said, repository)),
    ...(quoted ? { title: quoted } : {}),
    ...(quotedNumber ? { quotedNumber: Number(quotedNumber) } : {}),
    ...(sha ? { sha } : {}),
  };
  return Object.keys(marks).length === 0 ? null : JSON.stringify(marks);
}

/** Reads what `revertMarks` wrote. */
export function parseRevertMarks(text: string | null): RevertMarks | null {
  return text === null ? null : (JSON.parse(text) as RevertMarks);
}

/** `revert-12-branch` is how GitHub names the branch of its button, `revert-pr-12` how Bitbucket does. */
const revertBranch = /^revert-(?:(\d{1,9})-|pr-(\d{1,9})(?:-|$))/i;

function numberInBranch(branch: string | null): Pick<RevertMarks, 'number'> | undefined {
  const [, github, bitbucket] = revertBranch.exec(branch ?? '') ?? [];
  const number = github ?? bitbucket;
  return number === undefined ? undefined : { number: Number(number) };
}

/**
 * `Reverts #12` and `Reverts owner/name#12` of GitHub, with an address where somebody pasted one; `This reverts merge
 * request !12` of GitLab; `This reverts pull request #12` of Bitbucket. Only in the third person: "we may have to revert
 * #12" takes nothing back.
 */
const revertedNumber =
  /\breverts:?\s+(?:(?:pull request|merge request|pr|mr):?\s+)?(?:https?:\/\/[^/\s]+\/([\w.-]+(?:\/[\w.-]+){1,19}?)(?:\/-)?\/(?:pull|pulls|pull-requests|merge_requests)\/|([\w.-]+(?:\/[\w.-]+){1,19})?[#!])(\d{1,9})\b/i;

function numberInBody(body: string, own: string | null): Pick<RevertMarks, 'number' | 'repository'> | undefined {
  const [, linked, named, number] = revertedNumber.exec(body) ?? [];
  if (number === undefined) return undefined;
  const repository = linked ?? named;
  const isOwn = repository === undefined || (own !== null && keyOf(repository) === keyOf(own));
  return isOwn ? { number: Number(number) } : { number: Number(number), repository };
}

/**
 * `Revert "Add x"`, behind tags and prefixes if any. Up to the last quote, so that the title which `Revert "Revert "Add
 * x""` takes back is `Revert "Add x"`. Git calls taking back a revert `Reapply "…"`, which is no revert.
 */
const revertedTitle = /^\s*(?:\[[^\]]*\]\s*|[\w()/.-]+!?:\s+)*revert:?\s*["“„](.+)["”“]/i;

const numberAtEnd = /\(#(\d{1,9})\)$/;

const revertedCommit = /\breverts\s+commits?:?\s+[`[(]?([\da-f]{7,64})\b/i;

/** Hotfix, hot-fix, hot_fix or hot fix as a word of its own; a `hotfixture` is something else. */
const hotfix = /(?<!\p{L})hot[\s_-]?fix(?:es)?(?!\p{L})/iu;

export function isHotfix({
  title,
  headBranch,
  labels,
}: {
  readonly title: string | null;
  readonly headBranch: string | null;
  readonly labels: readonly string[];
}): boolean {
  return [title, headBranch, ...labels].some((words) => words !== null && hotfix.test(words));
}
