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
import { accountInWords, matchingWords } from './matching-words.ts';
import { fieldsWithAccount, type MergeSuggestion, type SuggestedAccount, suggestionsPath } from './suggestions.ts';

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
      ? matchingWords.twoCalledMerged(survivor.name)
      : matchingWords.nowPart(absorbed.name, survivor.name),
    undo: async () => {
      await postJson('/app/people/unmerge', { person: absorbed.id });
      await refresh(...changedPaths);
      return isOneName
        ? matchingWords.twoCalledSeparateAgain(survivor.name)
        : matchingWords.andSeparateAgain(absorbed.name, survivor.name);
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
            <h2 id="suggestions">{matchingWords.possibleDuplicates}</h2>
            <p className="subtitle">{matchingWords.theyShareFullName}</p>
          </div>
        </header>
        <ActionOutcome action={action} />
        <Answered answer={answer} what={matchingWords.listSuggestions}>
          {({ suggestions }) =>
            suggestions.length === 0 ? (
              <p className="secondary">{matchingWords.noTwoPeopleShare}</p>
            ) : (
              <Table
                isOfPeople
                caption={matchingWords.whoMayBeSame}
                rows={suggestions}
                keyOf={(one) => JSON.stringify([one.person, one.may_be])}
                columns={[
                  {
                    name: matchingWords.person,
                    cell: ({ name, person }) => (
                      <>
                        <PersonLink id={person.merged_user_id}>{name}</PersonLink>{' '}
                        <span className="small secondary">{person.email}</span>
                      </>
                    ),
                  },
                  { name: matchingWords.may, cell: (one) => <Other suggestion={one} /> },
                  { name: matchingWords.why, cell: ({ why }) => why },
                  {
                    name: matchingWords.change,
                    isAction: true,
                    cell: (one) => <Decide suggestion={one} action={action} />,
                  },
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
  if ('account' in may_be) return matchingWords.accountRows(accountInWords(may_be.account), may_be.account.rows);
  return (
    <>
      <PersonLink id={may_be.merged_user_id}>{name}</PersonLink> <span className="small secondary">{may_be.email}</span>
    </>
  );
}

const [keepFirst, keepSecond] = [matchingWords.keepFirst, matchingWords.keepSecond];

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
          title={matchingWords.mergeTwoCalled(name)}
          verb={matchingWords.merge}
          isDisabled={action.isBusy}
          onConfirm={() => void action.run(() => merge(into.merged_user_id, from.merged_user_id))}
        >
          {matchingWords.staysAndGetsAddresses(into.email, into.merged_user_id, from.email, from.merged_user_id)}
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
          return matchingWords.nowAccountRowsCount(accountInWords(account), name, account.rows);
        })
      }
    >
      {matchingWords.match}
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
        <h2 id="by-hand">{matchingWords.mergeTwoPeople}</h2>
      </header>
      <div className="form">
        <PersonPicker
          label={into ? matchingWords.whoStays(into.name) : matchingWords.whoStaysLabel}
          onPick={setInto}
          without={from ? [from.id] : []}
        />
        <PersonPicker
          label={from ? matchingWords.whoBecomesPart(from.name) : matchingWords.whoBecomesPartLabel}
          onPick={setFrom}
          without={into ? [into.id] : []}
        />
        {into && from && (
          <div className="row">
            <ConfirmButton
              label={matchingWords.mergeInto(from.name, into.name)}
              title={matchingWords.mergeIntoTitle(from.name, into.name)}
              verb={matchingWords.merge}
              isDisabled={action.isBusy}
              onConfirm={async () => {
                if (!(await action.run(() => merge(into.id, from.id)))) return;
                setInto(undefined);
                setFrom(undefined);
              }}
            >
              {matchingWords.staysAndGetsAddressesLogins(into.name, from.name)}
            </ConfirmButton>
          </div>
        )}
        <ActionOutcome action={action} />
      </div>
    </section>
  );
}
