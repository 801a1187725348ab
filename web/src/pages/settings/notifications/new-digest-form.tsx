import { useState } from 'react';
import { useTeams } from '../../../ask/choices.ts';
import { refresh } from '../../../ask/refresh.ts';
import { makeDocument, useDocuments } from '../../../ask/stored-documents.ts';
import { useSession } from '../../../page-session.ts';
import { ActionOutcome, useAction } from '../../../view/action.tsx';
import { SelectField } from '../../../view/form.tsx';
import '../../../view/goal-pill.css';
import { dayChoices, digestFormWords, everyOf, hourChoices, rhythmChoices, weekdayChoices } from './form-words.ts';
import { type DigestDocument, notificationsPath } from './questions.ts';

/** A digest for the reader alone: what it shows, of which team, and when it comes. */
export function NewDigestForm({ known }: { readonly known: readonly string[] }) {
  const { person } = useSession();
  const boards = useDocuments<{ readonly board: string; readonly title: string }>('boards').data ?? [];
  const teams = useTeams();
  const action = useAction();
  const [board, setBoard] = useState('');
  const [team, setTeam] = useState('');
  const [rhythm, setRhythm] = useState('week');
  const [weekday, setWeekday] = useState('monday');
  const [dayOfMonth, setDayOfMonth] = useState('1');
  const [time, setTime] = useState('08:00');
  const every = everyOf(rhythm, weekday, dayOfMonth);
  const make = () =>
    void action.run(async () => {
      const digest: DigestDocument = {
        board: board === '' ? null : board,
        filters: team === '' ? {} : { team: [team] },
        every: `${every} ${time}`,
        to: [{ email: person.email }],
      };
      await makeDocument('digests', `${board === '' ? 'overview' : board} ${every}`, digest, known);
      await refresh(notificationsPath);
      return digestFormWords.made;
    });
  return (
    <section className="card" aria-labelledby="new-digest">
      <header>
        <div>
          <h2 id="new-digest">{digestFormWords.newDigest}</h2>
          <p className="subtitle">{digestFormWords.newDigestMeaning}</p>
        </div>
      </header>
      <form
        className="form goal-form"
        onSubmit={(event) => {
          event.preventDefault();
          make();
        }}
      >
        <SelectField
          label={digestFormWords.shows}
          value={board}
          choices={[
            ['', digestFormWords.overview],
            ...boards.map((one) => [one.board, digestFormWords.board(one.title)] as const),
          ]}
          onChange={setBoard}
        />
        <SelectField
          label={digestFormWords.team}
          value={team}
          choices={[['', digestFormWords.allTeams], ...teams.map(({ id, name }) => [id, name] as const)]}
          onChange={setTeam}
        />
        <SelectField label={digestFormWords.comes} value={rhythm} choices={rhythmChoices} onChange={setRhythm} />
        {rhythm === 'week' && (
          <SelectField label={digestFormWords.day} value={weekday} choices={weekdayChoices} onChange={setWeekday} />
        )}
        {rhythm === 'month' && (
          <SelectField label={digestFormWords.day} value={dayOfMonth} choices={dayChoices} onChange={setDayOfMonth} />
        )}
        <SelectField label={digestFormWords.at} value={time} choices={hourChoices} onChange={setTime} />
        <div className="goal-form-end">
          <button type="submit" className="button primary" disabled={action.isBusy}>
            {digestFormWords.make}
          </button>
          <ActionOutcome action={action} />
        </div>
      </form>
    </section>
  );
}
