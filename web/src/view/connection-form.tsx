import { useState } from 'react';
import { draftOfSettings, isKept, type SettingDraft, settingsToSend } from '../ask/connection-settings.ts';
import { refresh } from '../ask/refresh.ts';
import { sendJson } from '../ask/send.ts';
import {
  type Connection,
  type ConnectionCheck,
  type ConnectionKind,
  type SettingLine,
  sourcesPath,
} from '../ask/sources.ts';
import { ActionOutcome, useAction } from './action.tsx';
import { connectionFormWords } from './connection-words.ts';
import { CheckField, SelectField, TextField } from './form.tsx';
import { SavedChoice } from './saved-choice.tsx';

/** A new connection; the secret of its webhooks is shown this once. */
export interface MadeConnection extends Connection {
  readonly webhook_secret: string | null;
  /** What the token sees and what it lacks: the server tried it before it saved the connection. */
  readonly check: ConnectionCheck;
}

interface ChangeProps {
  readonly kind: ConnectionKind;
  readonly connection: Connection;
  /** Names of the settings to show; all of them where it is absent. */
  readonly only?: readonly string[];
}

/** Changes the settings of a connection. Secrets stay unless new ones are typed. */
export function ConnectionSettingsForm({ kind: whole, connection, only }: ChangeProps) {
  const kind = only ? { ...whole, settings: whole.settings.filter(({ name }) => only.includes(name)) } : whole;
  const action = useAction();
  const [draft, setDraft] = useState(() => draftOfSettings(kind, connection.settings));
  const changed = settingsToSend(kind, draft, connection.settings);
  const advanced = kind.settings.filter(({ step }) => step === 'advanced');
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        void action.run(async () => {
          const path = `${sourcesPath}/${encodeURIComponent(connection.id)}`;
          const saved = await sendJson<Connection>('PATCH', path, { settings: changed });
          setDraft(draftOfSettings(kind, saved.settings));
          await refresh(sourcesPath);
          const labels = kind.settings.filter(({ name }) => name in changed).map(({ label }) => label);
          return connectionFormWords.savedNextSyncReads(labels.join(', '));
        });
      }}
    >
      <SettingFields
        settings={kind.settings.filter(({ step }) => step !== 'advanced' && step !== 'choice')}
        draft={draft}
        onChange={setDraft}
        known={connection.settings}
      />
      {kind.settings
        .filter(({ step }) => step === 'choice')
        .map((line) => (
          <SavedChoice
            key={line.name}
            connection={connection}
            line={line}
            value={draft[line.name] ?? ''}
            onChange={(value) => setDraft({ ...draft, [line.name]: value })}
          >
            <SettingFields settings={[line]} draft={draft} onChange={setDraft} known={connection.settings} />
          </SavedChoice>
        ))}
      {advanced.length > 0 && (
        <details>
          <summary>{connectionFormWords.advanced}</summary>
          <div className="form after">
            <SettingFields settings={advanced} draft={draft} onChange={setDraft} known={connection.settings} />
          </div>
        </details>
      )}
      <div className="row">
        <button type="submit" className="button primary" disabled={Object.keys(changed).length === 0 || action.isBusy}>
          {connectionFormWords.save}
        </button>
      </div>
      <ActionOutcome action={action} />
    </form>
  );
}

interface FieldsProps {
  readonly settings: readonly SettingLine[];
  readonly draft: SettingDraft;
  readonly onChange: (draft: SettingDraft) => void;
  readonly known?: Connection['settings'];
}

/** A field for each setting, by its type. */
export function SettingFields({ settings, draft, onChange, known = {} }: FieldsProps) {
  return settings.map((line) => {
    const { name, type, is_secret, usual, one_of } = line;
    const value = draft[name] ?? '';
    const set = (text: string) => onChange({ ...draft, [name]: text });
    const hint = hintOf(line, known);
    if (type === 'boolean') {
      const isOn = (value === '' ? (usual ?? 'false') : value) === 'true';
      return <CheckField key={name} label={line.label} hint={hint} value={isOn} onChange={(on) => set(String(on))} />;
    }
    if (one_of) {
      const choices = [['', usual ?? connectionFormWords.found] as const, ...one_of.map((one) => [one, one] as const)];
      return <SelectField key={name} label={line.label} hint={hint} value={value} onChange={set} choices={choices} />;
    }
    const isPem = type === 'private-key';
    return (
      <TextField
        key={name}
        label={line.label}
        hint={hint}
        isRequired={line.is_required && !isKept(known[name])}
        value={type === 'list' ? value.replaceAll(',', '\n') : value}
        onChange={(text) => set(type === 'list' ? text.replaceAll('\n', ',') : text)}
        type={is_secret && !isPem ? 'password' : type === 'date' ? 'date' : type === 'integer' ? 'number' : 'text'}
        autoComplete={is_secret ? 'new-password' : 'off'}
        {...(type === 'list' || isPem ? { rows: 3 } : {})}
        {...(usual !== null ? { placeholder: usual } : {})}
      />
    );
  });
}

function hintOf({ meaning, type, name }: SettingLine, known: Connection['settings']): string {
  const setting = known[name];
  const says = connectionFormWords.listOnePerLine(meaning[0]?.toUpperCase(), meaning.slice(1), type);
  if (typeof setting !== 'object') return says;
  if (setting.problem) return `${says} ${setting.problem}`;
  return connectionFormWords.operatorServerKeeps(says, setting.by_operator);
}
