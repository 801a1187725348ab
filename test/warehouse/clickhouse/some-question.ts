import { planOf } from '../../../src/query/planner.ts';
import { readMultiple } from '../../../src/query/reading/metric-request.ts';
import { someOwner } from '../../setup/some-owner.ts';

/** Every issue of 1970, one row each. */
export function someQuestion(organisationId: string) {
  const owner = someOwner(organisationId);
  const filters = { start_date: '1970-01-01', end_date: '1970-12-31' };
  const body = { filters, metrics: ['issues-count'], group_by: ['issue_id'] };
  return planOf(readMultiple(body, { principal: owner, now: new Date(0) }), owner);
}
