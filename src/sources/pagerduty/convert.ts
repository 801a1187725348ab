import type { FieldValues } from '../../catalogue/field-values.ts';
import { hostedId } from '../../catalogue/record-ids.ts';
import { convertEach, Payload } from '../payload.ts';
import type { ConvertedItems } from '../streams/newest-first-stream.ts';

/** What a record needs that is not in its payload. */
export interface IncidentContext {
  readonly host: string;
  /** By the name of a service. */
  readonly repositoryOf: (service: string | null) => string | null;
}

export const incidentId = (host: string, id: string): string => hostedId('pagerduty', host, id);

export function convertIncidents(context: IncidentContext, payloads: readonly unknown[]): ConvertedItems {
  const { records, problems } = convertEach(payloads, (payload) => incidentRecord(context, payload));
  return { records: [{ table: 'incidents', records }], problems };
}

function incidentRecord({ host, repositoryOf }: IncidentContext, payload: unknown): FieldValues {
  const incident = Payload.of(payload, 'incident');
  const service = incident.objectOrNull('service')?.textOrNull('summary') ?? null;
  return {
    incident_id: incidentId(host, incident.text('id')),
    source: 'pagerduty',
    repository: repositoryOf(service),
    service,
    opened_at: incident.time('created_at'),
    resolved_at: resolvedAt(incident),
    severity: incident.objectOrNull('priority')?.textOrNull('summary') ?? incident.textOrNull('urgency'),
    title: incident.textOrNull('title') ?? incident.textOrNull('summary'),
    url: incident.textOrNull('html_url'),
  };
}

/** Older answers have only the time of the last change of status, which a resolved incident has no other of. */
function resolvedAt(incident: Payload): string | null {
  if (incident.text('status') !== 'resolved') return null;
  return incident.timeOrNull('resolved_at') ?? incident.timeOrNull('last_status_change_at');
}
