import { CircleAlert, Clock, GitMerge, type LucideIcon, Rocket, Target, Unplug } from 'lucide-react';
import { useTeams } from '../../ask/choices.ts';
import type { ListedGoal } from '../../ask/goal-standing.ts';
import { useDocuments } from '../../ask/stored-documents.ts';
import { useJson } from '../../ask/use-answer.ts';
import { changeOwn, closePanel, useView } from '../../ask/use-view.ts';
import { grouped } from '../../view/format.ts';
import { useIsOwn } from '../../view/seen-by.tsx';
import { Failed } from '../../view/states.tsx';
import './attention.css';
import {
  type AttentionAnswer,
  type AttentionKind,
  attentionEntries,
} from '../../../../src/conclusions/attention-words.ts';
import { AttentionPanel } from './attention-panel.tsx';
import { attentionPath } from './attention-path.ts';
import { missedGoals } from './missed-goals.ts';
import { attentionStripWords } from './words.ts';

const icons: Readonly<Record<AttentionKind, LucideIcon>> = {
  review: Clock,
  merge: GitMerge,
  deploy: Rocket,
  failures: CircleAlert,
  goals: Target,
  sources: Unplug,
};

/** What needs attention now, whatever range the page shows. Each entry opens its records. */
export function AttentionStrip() {
  const view = useView();
  const { state } = view;
  const answer = useJson<AttentionAnswer>(attentionPath(view));
  // Goals are asked for apart: how they stand takes longer, and what waits is not to wait for it.
  const { data: goals = [] } = useDocuments<ListedGoal>('goals');
  const teams = useTeams(goals.length > 0);
  const isOwn = useIsOwn();
  const missed = missedGoals(goals, { filters: view.filtersFor('pull-requests-count'), teams, isOwn });
  const entries = answer.data && attentionEntries(answer.data, missed);
  const open = entries?.find(({ kind }) => kind === state.own.now);
  // One list at a time: the records of another number go, in the same step of Back.
  const show = (kind: AttentionKind) => () => {
    closePanel();
    changeOwn({ now: kind }, { replace: true });
  };
  return (
    <section className={`attention ${answer.isOld ? 'is-old' : ''}`} aria-label={attentionStripWords.needsAttentionNow}>
      {answer.error ? (
        <Failed error={answer.error} retry={answer.retry} what={attentionStripWords.whatNeedsAttention} />
      ) : !answer.data || !entries ? (
        <div className="skeleton attention-waiting" aria-busy="true" />
      ) : entries.length === 0 ? (
        <p className="attention-none secondary">{attentionStripWords.nothingNeedsAttentionNow(answer.data.hours)}</p>
      ) : (
        <ul>
          {entries.map(({ kind, count, label, more }) => {
            const Icon = icons[kind];
            return (
              <li key={kind}>
                <button
                  type="button"
                  data-attention={kind}
                  data-count={count}
                  aria-expanded={open?.kind === kind}
                  onClick={show(kind)}
                >
                  <span className={`attention-icon is-${kind}`}>
                    <Icon className="icon" aria-hidden="true" />
                  </span>
                  <span className="attention-words">
                    <span className="attention-count">
                      <b>{grouped(count)}</b> {more && <span className="small secondary">{more}</span>}
                    </span>
                    <span>{label}</span>
                  </span>
                </button>
              </li>
            );
          })}
        </ul>
      )}
      {answer.data && open && !state.panel && <AttentionPanel key={open.kind} entry={open} at={answer.data.at} />}
    </section>
  );
}
