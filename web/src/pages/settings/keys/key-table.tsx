import { refresh } from '../../../ask/refresh.ts';
import { postJson, sendJson } from '../../../ask/send.ts';
import { useView } from '../../../ask/use-view.ts';
import { ActionOutcome, useAction } from '../../../view/action.tsx';
import { ConfirmButton } from '../../../view/confirm.tsx';
import { Table, type TableColumn } from '../../../view/data-table.tsx';
import { shownTime } from '../../../view/format.ts';
import { shownDate } from '../../../view/shown-date.ts';
import { isWorking, type KeyLine, keysPath, type ShownKey } from './questions.ts';

interface KeyTableProps {
  readonly keys: readonly KeyLine[];
  readonly empty: string;
  readonly onRotated: (made: ShownKey) => void;
}

export function KeyTable({ keys, empty, onRotated }: KeyTableProps) {
  const { zone } = useView();
  const action = useAction();
  const pathOf = ({ id }: KeyLine) => `${keysPath}/${encodeURIComponent(id)}`;
  const rotate = (key: KeyLine) =>
    void action.run(async () => {
      const made = await postJson<ShownKey>(`${pathOf(key)}/rotate`, {});
      onRotated(made);
      await refresh(keysPath);
      return `“${key.name}” has a successor, shown above. The old key works for one more day.`;
    });
  const revoke = (key: KeyLine) =>
    void action.run(async () => {
      await sendJson('DELETE', pathOf(key));
      await refresh(keysPath);
      return `The key “${key.name}” (${key.prefix}) is revoked. It no longer works.`;
    });
  const columns: TableColumn<KeyLine>[] = [
    {
      name: 'Name and key',
      meaning: 'Under the name: how all keys begin and how this one ends',
      cell: ({ name, prefix }) => (
        <>
          {name}
          <code className="small secondary under">{prefix}</code>
        </>
      ),
    },
    {
      name: 'Made',
      sortBy: ({ created_at }) => created_at,
      cell: ({ creator, role, is_own, created_at }) => (
        <>
          {shownDate(created_at, zone)}
          <span className="small secondary under">by {madeBy(creator?.name, role, is_own)}</span>
        </>
      ),
    },
    {
      name: 'Last used',
      cell: ({ last_used_at }) => (last_used_at ? shownTime(last_used_at, zone) : 'never'),
      sortBy: ({ last_used_at }) => last_used_at,
    },
    {
      name: 'Works until',
      cell: (key) => ending(key, zone),
      sortBy: ({ revoked_at, expires_at }) => revoked_at ?? expires_at,
    },
    {
      name: 'Change',
      isAction: true,
      cell: (key) =>
        isWorking(key) ? (
          <span className="row">
            {key.is_own && (
              <ConfirmButton
                className="link small"
                label="Rotate"
                name={`Rotate ${key.name}`}
                title={`Rotate “${key.name}”?`}
                verb="Rotate the key"
                isDisabled={action.isBusy}
                onConfirm={() => rotate(key)}
              >
                A new key with the same name and rights is made and shown once. The old one stops working after a day.
              </ConfirmButton>
            )}
            <ConfirmButton
              className="link small danger"
              label="Revoke"
              name={`Revoke ${key.name}`}
              title={`Revoke “${key.name}”?`}
              verb="Revoke the key"
              isDisabled={action.isBusy}
              onConfirm={() => revoke(key)}
            >
              Programs that ask with {key.prefix} are refused from now on. This cannot be undone.
            </ConfirmButton>
          </span>
        ) : (
          <span className="small secondary">none: it has ended</span>
        ),
    },
  ];
  return (
    <>
      {keys.length === 0 ? (
        <p className="secondary">{empty}</p>
      ) : (
        <Table caption="API keys" rows={keys} columns={columns} keyOf={({ id }) => id} />
      )}
      <ActionOutcome action={action} />
    </>
  );
}

const madeBy = (name: string | undefined, role: string | null, isOwn: boolean): string =>
  `${isOwn ? 'you' : (name ?? 'a person who was removed')}${role ? `, ${role}` : ''}`;

function ending({ status, expires_at, revoked_at }: KeyLine, zone: string): string {
  if (status === 'revoked') return `revoked ${shownDate(revoked_at, zone)}`;
  if (status === 'creator removed') return 'ended: who made it was removed';
  if (status === 'expired') return `expired ${shownDate(expires_at, zone)}`;
  return expires_at ? shownDate(expires_at, zone) : 'it is revoked';
}
