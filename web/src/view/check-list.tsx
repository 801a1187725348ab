import { Check, TriangleAlert, X } from 'lucide-react';
import { splitMissing } from '../ask/connect-draft.ts';
import type { ConnectionCheck } from '../ask/sources.ts';
import { checkListWords } from './check-list-words.ts';

interface Line {
  readonly kind: 'good' | 'warn' | 'bad';
  readonly title: string;
  readonly detail?: string;
}

const icons = { good: Check, warn: TriangleAlert, bad: X } as const;
const says = { good: checkListWords.fine, warn: checkListWords.toNote, bad: checkListWords.failed } as const;

/** Clocks that differ by less tell nobody anything. */
const maxClockSeconds = 60;

function linesOf(check: ConnectionCheck): readonly Line[] {
  if (!check.ok) return [{ kind: 'bad', title: check.error ?? checkListWords.itCantBeRead, detail: check.to_do ?? '' }];
  const clock = Math.round(check.clock_difference_seconds ?? 0);
  return [
    ...(check.account ? [{ kind: 'good' as const, title: checkListWords.signed(check.account) }] : []),
    ...check.sees.map((seen) => ({ kind: 'good' as const, title: checkListWords.canSee(seen) })),
    ...(check.reads ?? []).map((right) => ({
      kind: 'good' as const,
      title: checkListWords.canRead(right[0]?.toLowerCase(), right.slice(1)),
    })),
    ...check.missing.map((text) => ({ kind: 'warn' as const, ...splitMissing(text) })),
    ...(Math.abs(clock) > maxClockSeconds
      ? [
          {
            kind: 'warn' as const,
            title: checkListWords.itsClockDiffers(Math.abs(clock)),
            detail: checkListWords.setClockServer,
          },
        ]
      : []),
  ];
}

/** The outcome of a check, right by right. */
export function CheckList({ check }: { readonly check: ConnectionCheck }) {
  return (
    <ul className="check-list">
      {linesOf(check).map(({ kind, title, detail }) => {
        const Icon = icons[kind];
        return (
          <li key={title}>
            <span className={`check-mark ${kind}`}>
              <Icon className="icon" aria-hidden="true" />
              <span className="unseen">{says[kind]}: </span>
            </span>
            <div>
              <p>{title}</p>
              {detail && <p className="small tertiary">{detail}</p>}
            </div>
          </li>
        );
      })}
    </ul>
  );
}

/** The verdict of a check in a few words. */
export function CheckPill({ check: { ok, missing } }: { readonly check: ConnectionCheck }) {
  const notes = missing.length;
  return (
    <span className={`pill ${ok ? (notes === 0 ? 'good' : 'warn') : 'bad'}`}>
      {ok ? (notes === 0 ? checkListWords.readyAlone : checkListWords.ready(notes)) : checkListWords.cantBeRead}
    </span>
  );
}
