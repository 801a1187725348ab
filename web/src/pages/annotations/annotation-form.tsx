import { useState } from 'react';
import { type AnnotationDocument, annotationKinds } from '../../ask/annotations.ts';
import { useRepositories, useTeams } from '../../ask/choices.ts';
import { useView } from '../../ask/use-view.ts';
import { ActionOutcome, useAction } from '../../view/action.tsx';
import { SelectField, TextField } from '../../view/form.tsx';
import '../../view/goal-pill.css';
import { annotationWords, kindWords } from './words.ts';

interface AnnotationFormProps {
  readonly annotation?: AnnotationDocument;
  readonly verb: string;
  readonly onSave: (annotation: AnnotationDocument) => Promise<string>;
  readonly onCancel?: () => void;
}

/** The fields of an event, new or there already. */
export function AnnotationForm({ annotation: before, verb, onSave, onCancel }: AnnotationFormProps) {
  const { today } = useView();
  const [one, setOne] = useState<AnnotationDocument>(before ?? { title: '', at: today, kind: 'other', filters: {} });
  const action = useAction();
  const teams = useTeams();
  const repositories = useRepositories(today);
  const set = (change: Partial<AnnotationDocument>) => setOne({ ...one, ...change });
  const chosen = (name: string): readonly string[] => [one.filters?.[name] ?? []].flat().map(String);
  const choose = (name: string, values: readonly string[]) => {
    const { [name]: _old, ...others } = one.filters ?? {};
    set({ filters: values.length === 0 ? others : { ...others, [name]: values } });
  };
  const idOfTeam = (team: string): string => teams.find(({ id, name }) => id === team || name === team)?.id ?? team;
  return (
    <form
      className="form goal-form"
      onSubmit={(event) => {
        event.preventDefault();
        void action.run(() => onSave({ ...one, title: one.title.trim() }));
      }}
    >
      <TextField
        label={annotationWords.titleField}
        value={one.title}
        onChange={(title) => set({ title })}
        hint={annotationWords.titleHint}
        maxLength={200}
        isRequired
      />
      <TextField label={annotationWords.at} type="date" value={one.at} onChange={(at) => set({ at })} isRequired />
      <TextField
        label={annotationWords.until}
        type="date"
        value={one.until ?? ''}
        hint={annotationWords.untilHint}
        onChange={(until) => set({ until: until === '' ? null : until })}
      />
      <SelectField
        label={annotationWords.kind}
        value={one.kind}
        choices={annotationKinds.map((kind) => [kind, kindWords[kind]] as const)}
        onChange={(text) => set({ kind: annotationKinds.find((kind) => kind === text) ?? 'other' })}
      />
      <Choice
        label={annotationWords.team}
        all={annotationWords.everyone}
        chosen={chosen('team').map(idOfTeam)}
        choices={teams}
        onChange={(values) => choose('team', values)}
      />
      <Choice
        label={annotationWords.repository}
        all={annotationWords.allRepositories}
        chosen={chosen('repositories')}
        choices={repositories}
        onChange={(values) => choose('repositories', values)}
      />
      <div className="goal-form-end">
        <div className="row">
          <button
            type="submit"
            className="button primary"
            disabled={one.title.trim() === '' || one.at === '' || action.isBusy}
          >
            {verb}
          </button>
          {onCancel && (
            <button type="button" className="button" onClick={onCancel}>
              {annotationWords.cancel}
            </button>
          )}
        </div>
        <ActionOutcome action={action} />
      </div>
    </form>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly all: string;
  readonly chosen: readonly string[];
  readonly choices: readonly { readonly id: string; readonly name: string }[];
  readonly onChange: (values: readonly string[]) => void;
}

/** One of the choices or all; several that were written elsewhere stay one choice. */
function Choice({ label, all, chosen, choices, onChange }: ChoiceProps) {
  const written = chosen.join();
  const isKnown = chosen.length === 0 || choices.some(({ id }) => id === written);
  return (
    <SelectField
      label={label}
      value={written}
      choices={[
        ['', all],
        ...(isKnown ? [] : [[written, chosen.join(', ')] as const]),
        ...choices.map(({ id, name }) => [id, name] as const),
      ]}
      onChange={(value) => onChange(value === '' ? [] : value === written ? chosen : [value])}
    />
  );
}
