import { CalendarX, CloudOff, Lock, type LucideIcon, Plug, RefreshCw, Shield } from 'lucide-react';
import { lazy, type ReactNode, Suspense } from 'react';
import { nearestWindow } from '../ask/nearest-window.ts';
import { metricOf, type Question, singleQuestions } from '../ask/question.ts';
import type { AskError } from '../ask/send.ts';
import { useExplanation } from '../ask/use-answer.ts';
import { changeView, useView } from '../ask/use-view.ts';
import { type DayWindow, dayCount } from '../ask/windows.ts';
import { useSession } from '../page-session.ts';
import { noDataWords } from './cut-words.ts';
import { shownWindow } from './format.ts';
import { privacyWords } from './privacy-words.ts';
import { useWhoseWords } from './whose-words.ts';
import './states.css';
import { statesWords } from './state-words.ts';

interface StateProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly actions?: ReactNode;
  readonly kind: 'unconnected' | 'syncing' | 'empty' | 'not-allowed' | 'hidden' | 'error';
}

/** Names of columns are loaded with the first part that says one. */
const ColumnName = lazy(() => import('./column-name.tsx'));

const DateName = ({ column }: { readonly column: string }) => (
  <Suspense fallback={statesWords.dates}>
    <ColumnName column={column} />
  </Suspense>
);

const icons: Readonly<Record<StateProps['kind'], LucideIcon>> = {
  unconnected: Plug,
  syncing: RefreshCw,
  empty: CalendarX,
  'not-allowed': Lock,
  hidden: Shield,
  error: CloudOff,
};

/** Every state of a part has the same place: what is the case, why, and what to do. Never a bare zero, never blank. */
export function State({ title, children, actions, kind }: StateProps) {
  const Icon = icons[kind];
  return (
    <section className="state" data-state={kind}>
      <span className="state-icon">
        <Icon className="icon" aria-hidden="true" />
      </span>
      <h3>{title}</h3>
      <div className="secondary">{children}</div>
      {actions && <div className="row">{actions}</div>}
    </section>
  );
}

/** The people to ask. */
export function OwnerLinks() {
  return useSession().owners.map(({ name, email }, at) => (
    <span key={email}>
      {at > 0 && ', '}
      <a href={`mailto:${email}`}>{name}</a>
    </span>
  ));
}

interface EmptyProps {
  /** What an empty window has none of: `deployments`. */
  readonly what: string;
  readonly window: DayWindow;
  /** The question without an answer: its explanation says which window was searched and where the nearest rows are. */
  readonly question: Question;
}

/** Nothing in this window: which date was looked at, and the nearest window that has something. */
export function NothingInWindow({ what, window, question }: EmptyProps) {
  const view = useView();
  const { ofWhom } = useWhoseWords();
  const single = singleQuestions(question)[0];
  const { data } = useExplanation(single);
  const nearest = nearestWindow(data?.nearest, window);
  const metric = single && metricOf(single);
  const noData = noDataWords(window, metric ? view.reachFor(metric) : view.reach, view.today);
  return (
    <State
      kind="empty"
      title={statesWords.no(what, ofWhom, noData, dayCount(window))}
      actions={
        nearest && (
          <button type="button" className="button primary" onClick={() => changeView({ range: nearest.window })}>
            {statesWords.show(shownWindow(nearest.window))}
          </button>
        )
      }
    >
      <p>
        {noData ?? (
          <>
            {statesWords.looked} {data?.date_field ? <DateName column={data.date_field} /> : statesWords.dates}{' '}
            {statesWords.fromWithFiltersAbove(shownWindow(window))}
          </>
        )}{' '}
        {nearest
          ? statesWords.nearest(shownWindow({ start: nearest.day, end: nearest.day }))
          : data?.nearest
            ? statesWords.nothingThereAtAny
            : ''}
      </p>
    </State>
  );
}

/** This reader may not see it: says which right is needed, and who can grant it. */
export function NotAllowed({ what, needs }: { readonly what: string; readonly needs: string }) {
  const { owners, role } = useSession();
  return (
    <State kind="not-allowed" title={statesWords.youDontHaveAccess}>
      <p>
        {statesWords.yourRole(what, needs, role, owners.length)}
        <OwnerLinks />
      </p>
    </State>
  );
}

/** Hidden because it would reveal who answered. `answers` is how many the server left out, where it says so. */
export function HiddenForPrivacy({ answers = 0 }: { readonly answers?: number | undefined }) {
  const { survey_minimum_group: least, survey_privacy } = useSession().organisation;
  return (
    <State kind="hidden" title={statesWords.hiddenToProtectAnonymity}>
      {privacyWords({ answers, least, isAnonymous: survey_privacy === 'anonymous' })}
    </State>
  );
}

/** So many letters of a request's id tell it from all others in a log. */
const lettersOfId = 8;

/** The id by which an operator finds the request. Short, whole on hover. */
export const RequestId = ({ id }: { readonly id: string | undefined }) =>
  id && (
    <code className="small tertiary" title={statesWords.request(id)}>
      {id.slice(0, lettersOfId)}
    </code>
  );

/** `The list of keys` within a sentence; titles of cards stay as they are. */
const inSentence = (what: string): string =>
  what.replace(/^(?:This|The|Some|One|Your|What)\b/, (word) => word.toLowerCase());

/** This part failed; the rest of the page stays. */
export function Failed({
  error,
  retry,
  what = 'this',
}: {
  readonly error: AskError;
  readonly retry: () => void;
  readonly what?: string;
}) {
  return (
    <State
      kind="error"
      title={statesWords.couldntLoad(inSentence(what))}
      actions={
        <>
          <button type="button" className="button" onClick={retry}>
            <RefreshCw className="icon" aria-hidden="true" />
            {statesWords.tryAgain}
          </button>
          <RequestId id={error.requestId} />
        </>
      }
    >
      <p>{error.message}</p>
    </State>
  );
}

interface AnsweredProps<T> {
  readonly answer: {
    readonly data: T | undefined;
    readonly error: AskError | undefined;
    readonly isOld: boolean;
    readonly retry: () => void;
  };
  readonly height?: number;
  readonly what?: string;
  /** What a reader sees whose request is refused. */
  readonly needs?: string;
  readonly children: (data: T) => ReactNode;
}

/** An answer, or the state it is in: skeleton, refusal, failure. An old answer stays, dimmed. */
export function Answered<T>({ answer, height = 280, what, needs, children }: AnsweredProps<T>) {
  const { data, error, isOld, retry } = answer;
  if (error?.isNotAllowed) return <NotAllowed what={error.message} needs={needs ?? ''} />;
  if (error) return <Failed error={error} retry={retry} {...(what ? { what } : {})} />;
  if (data === undefined) return <div className="skeleton" style={{ height }} aria-busy="true" />;
  return <div className={isOld ? 'is-old' : undefined}>{children(data)}</div>;
}
