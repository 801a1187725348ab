import { Check, CheckCheck, CircleDashed, EyeOff, Hourglass, type LucideIcon, TriangleAlert, X } from 'lucide-react';
import type { GoalState } from '../ask/goal-standing.ts';
import { goalStateWords } from './goal-words.ts';
import './goal-pill.css';

const looks: Readonly<Record<GoalState, readonly [icon: LucideIcon, tone: string]>> = {
  met: [CheckCheck, 'good'],
  on_track: [Check, 'good'],
  at_risk: [TriangleAlert, 'warn'],
  off_track: [TriangleAlert, 'bad'],
  missed: [X, 'bad'],
  too_early: [Hourglass, 'plain'],
  too_few: [CircleDashed, 'plain'],
  no_data: [CircleDashed, 'plain'],
  limited: [EyeOff, 'plain'],
};

/** How a goal stands: an icon and a word, never a colour alone. */
export function GoalPill({ state }: { readonly state: GoalState }) {
  const [Icon, tone] = looks[state];
  return (
    <span className={`goal-pill is-${tone}`}>
      <Icon className="icon" aria-hidden="true" />
      {goalStateWords[state]}
    </span>
  );
}
