import type { FastifyInstance } from 'fastify';
import { type AttentionRouteParts, attentionRoutes } from './attention-routes.ts';
import { type BackupRouteParts, backupRoutes } from './backup-routes.ts';
import { type GroupRouteParts, groupRoutes } from './group-routes.ts';
import { type KeyRouteParts, keyRoutes } from './key-routes.ts';
import { eventRoutes, type LiveEventParts } from './live-events.ts';
import { type NotificationRouteParts, notificationRoutes } from './notification-routes.ts';
import {
  type AuditRouteParts,
  auditRoutes,
  type OrganisationRouteParts,
  organisationRoutes,
} from './organisation-routes.ts';
import { type MatchingRouteParts, type PeopleRouteParts, peopleMatchingRoutes, peopleRoutes } from './people-routes.ts';
import { type PinnedBoardRouteParts, pinnedBoardRoutes } from './pinned-board-routes.ts';
import { type SourceRouteParts, sourceRoutes } from './source-routes.ts';
import { type StatusRouteParts, statusRoutes } from './status-routes.ts';

export type AppRouteParts = AttentionRouteParts &
  AuditRouteParts &
  BackupRouteParts &
  GroupRouteParts &
  KeyRouteParts &
  LiveEventParts &
  MatchingRouteParts &
  NotificationRouteParts &
  OrganisationRouteParts &
  PeopleRouteParts &
  PinnedBoardRouteParts &
  SourceRouteParts &
  StatusRouteParts;

/** Routes that pages need beyond the public interface. For people who are signed in; docs/app-routes.md. */
export function appRoutes(app: FastifyInstance, parts: AppRouteParts): void {
  keyRoutes(app, parts);
  peopleRoutes(app, parts);
  peopleMatchingRoutes(app, parts);
  groupRoutes(app, parts);
  organisationRoutes(app, parts);
  sourceRoutes(app, parts);
  statusRoutes(app, parts);
  attentionRoutes(app, parts);
  auditRoutes(app, parts);
  backupRoutes(app, parts);
  pinnedBoardRoutes(app, parts);
  notificationRoutes(app, parts);
  eventRoutes(app, parts);
}
