import { useState } from 'react';
import {
  draftOfSettings,
  isKept,
  missingSettings,
  type SettingDraft,
  settingsToSend,
} from '../ask/connection-settings.ts';
import { refresh } from '../ask/refresh.ts';
import { postJson, sendJson } from '../ask/send.ts';
import {
  type Connection,
  type ConnectionCheck,
  type ConnectionKind,
  type SettingLine,
  sourcesPath,
} from '../ask/sources.ts';
import { ActionOutcome, useAction } from './action.tsx';
import { CheckField, TextField } from './form.tsx';

/** A new connection; the secret of its webhooks is shown this once. */
export interface MadeConnection extends Connection {
  readonly webhook_secret: string | null;
  /** What the token sees and what it lacks: the server tried it before it saved the connection. */
  readonly check: ConnectionCheck;
}

interface NewProps {
  readonly kind: ConnectionKind;
  readonly onMade: (made: MadeConnection) => void;
  readonly onCancel?: () => void;
}

/** Adds a connection: a name, and the settings that its kind needs. */
export function NewConnectionForm({ kind, onMade, onCancel }: NewProps) {
  const action = useAction();
  const [name, setName] = useState(kind.label);
  const [draft, setDraft] = useState(() => draftOfSettings(kind));
  const missing = missingSettings(kind, draft);
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        void action.run(async () => {
          const body = { kind: kind.kind, name: name.trim(), settings: settingsToSend(kind, draft) };
          const made = await postJson<MadeConnection>(sourcesPath, body);
          await refresh(sourcesPath, '/app/status');
          onMade(made);
          return `${made.name} is connected. The first sync starts on its own.`;
        });
      }}
    >
      <p className="secondary">{kind.meaning}</p>
      <TextField label="Name" hint="What you call this connection." value={name} onChange={setName} isRequired />
      <SettingFields kind={kind} draft={draft} onChange={setDraft} />
      <div className="row">
        <button
          type="submit"
          className="button primary"
          disabled={name.trim() === '' || missing.length > 0 || action.isBusy}
        >
          Connect {kind.label}
        </button>
        {onCancel && (
          <button type="button" className="button quiet" onClick={onCancel}>
            Cancel
          </button>
        )}
        {missing.length > 0 && (
          <span className="small secondary">Add {missing.join(' and ').toLowerCase()} to continue</span>
        )}
      </div>
      <ActionOutcome action={action} />
    </form>
  );
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
          return `Saved: ${labels.join(', ')}. The next sync reads with it.`;
        });
      }}
    >
      <SettingFields kind={kind} draft={draft} onChange={setDraft} known={connection.settings} />
      <div className="row">
        <button type="submit" className="button primary" disabled={Object.keys(changed).length === 0 || action.isBusy}>
          Save
        </button>
      </div>
      <ActionOutcome action={action} />
    </form>
  );
}

interface FieldsProps {
  readonly kind: ConnectionKind;
  readonly draft: SettingDraft;
  readonly onChange: (draft: SettingDraft) => void;
  readonly known?: Connection['settings'];
}

function SettingFields({ kind, draft, onChange, known = {} }: FieldsProps) {
  return kind.settings.map((line) => {
    const { name, type, is_secret, usual } = line;
    const value = draft[name] ?? '';
    const set = (text: string) => onChange({ ...draft, [name]: text });
    const hint = hintOf(line, known);
    if (type === 'boolean') {
      const isOn = (value === '' ? (usual ?? 'false') : value) === 'true';
      return <CheckField key={name} label={line.label} hint={hint} value={isOn} onChange={(on) => set(String(on))} />;
    }
    return (
      <TextField
        key={name}
        label={line.label}
        hint={hint}
        isRequired={line.is_required && !isKept(known[name])}
        value={type === 'list' ? value.replaceAll(',', '\n') : value}
        onChange={(text) => set(type === 'list' ? text.replaceAll('\n', ',') : text)}
        type={is_secret ? 'password' : type === 'date' ? 'date' : type === 'integer' ? 'number' : 'text'}
        autoComplete={is_secret ? 'new-password' : 'off'}
        {...(type === 'list' ? { rows: 3 } : {})}
        {...(usual !== null ? { placeholder: usual } : {})}
      />
    );
  });
}

function hintOf({ meaning, type, name }: SettingLine, known: Connection['settings']): string {
  const setting = known[name];
  const says = `${meaning[0]?.toUpperCase()}${meaning.slice(1)}${type === 'list' ? ', one per line' : ''}.`;
  if (typeof setting !== 'object') return says;
  if (setting.problem) return `${says} ${setting.problem}`;
  return `${says} ${setting.by_operator ? 'The operator of the server keeps it.' : 'Saved. Leave empty to keep it.'}`;
}
