import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { seesSalaries } from '../../access/scope.ts';
import type { SensitiveReads } from '../../access/sensitive-reads.ts';
import { utcDay } from '../../calendar.ts';
import type { DataStatuses } from '../../data-quality/data-status.ts';
import type { Actor } from '../../directory/directory.ts';
import { ownCommand } from '../../own-command.ts';
import { Refusal } from '../../refusal.ts';
import type { BackupOptions } from '../../safety/backup.ts';
import type { PartLeftOut } from '../../safety/backup-manifest.ts';
import { version } from '../../version.ts';
import { onlyFor, principalOf } from '../admission/admission.ts';
import { changeContextOf, requestTicket } from '../admission/request-ticket.ts';
import { type LongAnswers, whenOver } from '../answer/long-answers.ts';
import { noQuery } from '../openapi.ts';

export interface BackupRouteParts {
  readonly backUp: (actor: Actor, options: BackupOptions) => AsyncIterable<Uint8Array>;
  readonly dataStatuses: Pick<DataStatuses, 'of' | 'hasAnonymousSurveys'>;
  readonly reads: Pick<SensitiveReads, 'note'>;
  readonly long: LongAnswers;
  readonly now: () => Date;
}

/** Each takes space on the disk for a copy of an organisation's tables. */
const maxDownloads = 2;

/** When the last backup was made, how the operator makes one, and one of the Owner's own organisation. */
export function backupRoutes(app: FastifyInstance, { backUp, dataStatuses, reads, long, now }: BackupRouteParts): void {
  const hidden = {
    onRequest: onlyFor('Owner', 'Backing up the organisation'),
    schema: { hide: true, querystring: noQuery },
  };
  const underWay = new Set<string>();
  const today = () => utcDay(now());

  app.get('/app/backup', hidden, async (request) => {
    const principal = principalOf(request);
    const { organisationId } = principal;
    const { lastBackupAt } = await dataStatuses.of(organisationId);
    return {
      last_backup_at: lastBackupAt,
      download_has_salaries: seesSalaries(principal),
      command: `${ownCommand} backup plumb-${today()}.backup`,
      command_for_this_organisation: `${ownCommand} backup --org ${organisationId} plumb-${today()}.backup`,
    };
  });

  // A download writes into the store that a backup was made, and into the audit log: that is more than a GET may do.
  const download = async (request: FastifyRequest, reply: FastifyReply) => {
    const { organisationId, actor } = changeContextOf(request, reply);
    const ticket = requestTicket(request, reply);
    if (underWay.has(organisationId) || underWay.size >= maxDownloads) {
      throw new Refusal('too-many-requests', 'A backup is being downloaded already. Wait until it is there.', {
        retryAfterSeconds: 30,
      });
    }
    underWay.add(organisationId);
    whenOver(reply, () => underWay.delete(organisationId));
    const principal = principalOf(request);
    const leftOut: PartLeftOut[] = [];
    if (seesSalaries(principal)) await reads.note(principal, [{ name: 'backup', gate: 'salary' }]);
    else leftOut.push('salaries');
    // Where answers are anonymous, an Owner may not read them one by one here either, whatever holds for later surveys.
    const areAnonymous =
      principal.minRespondents !== undefined || (await dataStatuses.hasAnonymousSurveys(organisationId, { ticket }));
    if (areAnonymous) leftOut.push('survey answers');
    const bytes = Readable.from(backUp(actor, { at: now(), plumbVersion: version, organisationId, leftOut }));
    reply
      .type('application/octet-stream')
      .header('content-disposition', `attachment; filename="plumb-${organisationId}-${today()}.backup"`);
    return long.sendPieces(request, reply, bytes, ticket.signal);
  };
  app.register(async (forms) => {
    // The browser itself sends the form, and writes the answer to the disk however large it is. The form has no fields.
    const none = { parseAs: 'string', bodyLimit: 1 } as const;
    forms.addContentTypeParser('application/x-www-form-urlencoded', none, (_request, _body, done) => done(null));
    forms.post('/app/backup/download', hidden, download);
  });
}
