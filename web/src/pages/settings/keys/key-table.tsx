import { refresh } from '../../../ask/refresh.ts';
import { postJson, sendJson } from '../../../ask/send.ts';
import { useView } from '../../../ask/use-view.ts';
import { ActionOutcome, useAction } from '../../../view/action.tsx';
import { ConfirmButton } from '../../../view/confirm.tsx';
import { Table, type TableColumn } from '../../../view/data-table.tsx';
import { shownTime } from '../../../view/format.ts';
import { shownDate } from '../../../view/shown-date.ts';
import { isWorking, type KeyLine, keysPath, type ShownKey } from './questions.ts';
import { keyTableWords } from './words.ts';

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
      return keyTableWords.hasSuccessorShownAbove(key.name);
    });
  const revoke = (key: KeyLine) =>
    void action.run(async () => {
      await sendJson('DELETE', pathOf(key));
      await refresh(keysPath);
      return keyTableWords.keyRevokedItNo(key.name, key.prefix);
    });
  const columns: TableColumn<KeyLine>[] = [
    {
      name: keyTableWords.nameAndKey,
      meaning: keyTableWords.underName,
      cell: ({ name, prefix }) => (
        <>
          {name}
          <code className="small secondary under">{prefix}</code>
        </>
      ),
    },
    {
      name: keyTableWords.made,
      sortBy: ({ created_at }) => created_at,
      cell: ({ creator, role, is_own, created_at }) => (
        <>
          {shownDate(created_at, zone)}
          <span className="small secondary under">{keyTableWords.by(madeBy(creator?.name, role, is_own))}</span>
        </>
      ),
    },
    {
      name: keyTableWords.lastUsed,
      cell: ({ last_used_at }) => (last_used_at ? shownTime(last_used_at, zone) : 'never'),
      sortBy: ({ last_used_at }) => last_used_at,
    },
    {
      name: keyTableWords.worksUntil,
      cell: (key) => ending(key, zone),
      sortBy: ({ revoked_at, expires_at }) => revoked_at ?? expires_at,
    },
    {
      name: keyTableWords.change,
      isAction: true,
      cell: (key) =>
        isWorking(key) ? (
          <span className="row">
            {key.is_own && (
              <ConfirmButton
                className="link small"
                label={keyTableWords.rotate}
                name={keyTableWords.rotateName(key.name)}
                title={keyTableWords.rotateTitle(key.name)}
                verb={keyTableWords.rotateKey}
                isDisabled={action.isBusy}
                onConfirm={() => rotate(key)}
              >
                {keyTableWords.newKeyWithSame}
              </ConfirmButton>
            )}
            <ConfirmButton
              className="link small danger"
              label={keyTableWords.revoke}
              name={keyTableWords.revokeName(key.name)}
              title={keyTableWords.revokeTitle(key.name)}
              verb={keyTableWords.revokeKey}
              isDisabled={action.isBusy}
              onConfirm={() => revoke(key)}
            >
              {keyTableWords.programsWithIt}
            </ConfirmButton>
          </span>
        ) : (
          <span className="small secondary">{keyTableWords.noneItHasEnded}</span>
        ),
    },
  ];
  return (
    <>
      {keys.length === 0 ? (
        <p className="secondary">{empty}</p>
      ) : (
        <Table caption={keyTableWords.apiKeys} rows={keys} columns={columns} keyOf={({ id }) => id} />
      )}
      <ActionOutcome action={action} />
    </>
  );
}

const madeBy = (name: string | undefined, role: string | null, isOwn: boolean): string =>
  keyTableWords.youPerson(isOwn, name, role);

function ending({ status, expires_at, revoked_at }: KeyLine, zone: string): string {
  if (status === 'revoked') return keyTableWords.revoked(shownDate(revoked_at, zone));
  if (status === 'creator removed') return keyTableWords.endedWhoMade;
  if (status === 'expired') return keyTableWords.expired(shownDate(expires_at, zone));
  return expires_at ? shownDate(expires_at, zone) : keyTableWords.itRevoked;
}
