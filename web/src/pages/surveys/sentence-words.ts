import { counted, shown } from '../../view/format.ts';
import { isOpen, type Survey } from './questions.ts';

/** How many of those who were asked have answered. */
export function participationSentence(recipients: number, completed: number, surveys: readonly Survey[]): string {
  const soFar = surveys.some(isOpen) ? ' so far' : '';
  const asked = counted(recipients, 'recipient', 'recipients');
  const where = `in ${counted(surveys.length, 'survey', 'surveys')}`;
  if (completed === 0) return `None of ${asked} answered${soFar}, ${where}.`;
  const share = shown(completed / recipients, 'percent');
  return `${counted(completed, 'person', 'people')} of ${asked} answered${soFar} (${share}), ${where}.`;
}
