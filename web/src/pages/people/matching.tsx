import { useState } from 'react';
import type { FullPerson, ListedPerson, NamedOne } from '../../ask/people-answers.ts';
import { refresh } from '../../ask/refresh.ts';
import { getJson, postJson, sendJson } from '../../ask/send.ts';
import { useJson } from '../../ask/use-answer.ts';
import { ActionOutcome, type PageAction, useAction } from '../../view/action.tsx';
import { ConfirmButton } from '../../view/confirm.tsx';
import { Table } from '../../view/data-table.tsx';
import { PersonLink } from '../../view/person-link.tsx';
import { PersonPicker } from '../../view/person-picker.tsx';
import { Answered } from '../../view/states.tsx';
import { showToast } from '../../view/toast.tsx';
import {
  accountInWords,
  fieldsWithAccount,
  type MergeSuggestion,
  type SuggestedAccount,
  suggestionsPath,
} from './suggestions.ts';

interface Merged {
  readonly survivor: NamedOne;
  readonly absorbed: NamedOne;
}

const changedPaths = ['/app/people', '/app/groups', '/teams', '/data-quality'];

async function merge(into: string, from: string): Promise<string> {
  const { survivor, absorbed } = await postJson<Merged>('/app/people/merge', { into, from });
  await refresh(...changedPaths);
  const isOneName = absorbed.name === survivor.name;
  showToast({
    text: isOneName
      ? `The two called ${survivor.name} are merged.`
      : `${absorbed.name} is now part of ${survivor.name}.`,
    undo: async () => {
      await postJson('/app/people/unmerge', { person: absorbed.id });
      await refresh(...changedPaths);
      return isOneName
        ? `The two called ${survivor.name} are separate again.`
        : `${absorbed.name} and ${survivor.name} are separate again.`;
    },
  });
  // The note at the foot says it, and is right after Undo as well.
  return '';
}

/** Records that may belong to the same person. Nothing is merged by itself. */
export default function Matching() {
  const answer = useJson<{ readonly suggestions: readonly MergeSuggestion[] }>(suggestionsPath);
  const action = useAction();
  return (
    <>
      <section className="card" aria-labelledby="suggestions">
        <header>
          <div>
            <h2 id="suggestions">Possible duplicates</h2>
            <p className="subtitle">They share a full name. You decide, and you can undo a merge.</p>
          </div>
        </header>
        <ActionOutcome action={action} />
        <Answered answer={answer} what="The list of suggestions">
          {({ suggestions }) =>
            suggestions.length === 0 ? (
              <p className="secondary">No two people share a full name.</p>
            ) : (
              <Table
                isOfPeople
                caption="Who may be the same"
                rows={suggestions}
                keyOf={(one) => JSON.stringify([one.person, one.may_be])}
                columns={[
                  {
                    name: 'Person',
                    cell: ({ name, person }) => (
                      <>
                        <PersonLink id={person.merged_user_id}>{name}</PersonLink>{' '}
                        <span className="small secondary">{person.email}</span>
                      </>
                    ),
                  },
                  { name: 'May be', cell: (one) => <Other suggestion={one} /> },
                  { name: 'Why', cell: ({ why }) => why },
                  { name: 'Change', isAction: true, cell: (one) => <Decide suggestion={one} action={action} /> },
                ]}
              />
            )
          }
        </Answered>
      </section>
      <MergeByHand />
    </>
  );
}

function Other({ suggestion: { may_be, name } }: { readonly suggestion: MergeSuggestion }) {
  if ('account' in may_be) return `the account ${accountInWords(may_be.account)}, ${may_be.account.rows} rows`;
  return (
    <>
      <PersonLink id={may_be.merged_user_id}>{name}</PersonLink> <span className="small secondary">{may_be.email}</span>
    </>
  );
}

const [keepFirst, keepSecond] = ['Keep the first', 'Keep the second'];

function Decide({ suggestion, action }: { readonly suggestion: MergeSuggestion; readonly action: PageAction }) {
  const { name, person, may_be } = suggestion;
  if ('account' in may_be) {
    return <TakeAccount name={name} personId={person.merged_user_id} account={may_be.account} action={action} />;
  }
  const ways = [
    { into: person, from: may_be },
    { into: may_be, from: person },
  ];
  return (
    <span className="row">
      {ways.map(({ into, from }) => (
        <ConfirmButton
          key={into.merged_user_id}
          className="link small"
          label={into === person ? keepFirst : keepSecond}
          name={`${into === person ? keepFirst : keepSecond}, ${into.email ?? into.merged_user_id}`}
          title={`Merge the two called ${name}?`}
          verb="Merge them"
          isDisabled={action.isBusy}
          onConfirm={() => void action.run(() => merge(into.merged_user_id, from.merged_user_id))}
        >
          {into.email ?? into.merged_user_id} stays, and gets the addresses, logins and work of{' '}
          {from.email ?? from.merged_user_id}. You can undo this.
        </ConfirmButton>
      ))}
    </span>
  );
}

interface TakeAccountProps {
  readonly name: string;
  readonly personId: string;
  readonly account: SuggestedAccount;
  readonly action: PageAction;
}

function TakeAccount({ name, personId, account, action }: TakeAccountProps) {
  return (
    <button
      type="button"
      className="link small"
      disabled={action.isBusy}
      onClick={() =>
        void action.run(async () => {
          const path = `/app/people/${encodeURIComponent(personId)}`;
          await sendJson('PATCH', path, fieldsWithAccount(await getJson<FullPerson>(path), account));
          await refresh(...changedPaths);
          return `${accountInWords(account)} is now an account of ${name}: ${account.rows} rows count as theirs.`;
        })
      }
    >
      Match to them
    </button>
  );
}

/** Merges two people who are chosen by hand, for pairs that no suggestion names. */
function MergeByHand() {
  const [into, setInto] = useState<ListedPerson>();
  const [from, setFrom] = useState<ListedPerson>();
  const action = useAction();
  return (
    <section className="card" aria-labelledby="by-hand">
      <header>
        <h2 id="by-hand">Merge two people</h2>
      </header>
      <div className="form">
        <PersonPicker
          label={into ? `Who stays: ${into.name}` : 'Who stays'}
          onPick={setInto}
          without={from ? [from.id] : []}
        />
        <PersonPicker
          label={from ? `Who becomes part of them: ${from.name}` : 'Who becomes part of them'}
          onPick={setFrom}
          without={into ? [into.id] : []}
        />
        {into && from && (
          <div className="row">
            <ConfirmButton
              label={`Merge ${from.name} into ${into.name}`}
              title={`Merge ${from.name} into ${into.name}?`}
              verb="Merge them"
              isDisabled={action.isBusy}
              onConfirm={async () => {
                if (!(await action.run(() => merge(into.id, from.id)))) return;
                setInto(undefined);
                setFrom(undefined);
              }}
            >
              {into.name} stays, and gets the addresses, logins and work of {from.name}. You can undo this.
            </ConfirmButton>
          </div>
        )}
        <ActionOutcome action={action} />
      </div>
    </section>
  );
}
