import type { AlarmTextDue } from '@catchment/contracts/nodes-messages';
import { EVENT_MESSAGE_MAX } from '@catchment/query';
import { UTC_ZONE } from '@catchment/time';
import { DEFAULT_TIME_FORMAT } from '../../people/index.ts';
import { evaluateText } from '../domain/evaluate-text.ts';
import { isTextWanted } from '../store/alarm-texts-query.ts';
import { loadAbout, type NoticeDeps } from './load-notice.ts';
import type { AlarmTexts } from './ports.ts';
import { warnOfExpression } from './warn-of-expression.ts';

/**
 * Evaluates the custom message of an alarm, which shows the usual one until then (docs/reference/alarms.md#events-and-texts).
 * @param ageMs since it was asked for
 * @throws RetryAfter while the record of the transition is not there yet
 */
export async function evaluateAlarmText(
  store: AlarmTexts,
  deps: NoticeDeps,
  due: AlarmTextDue,
  ageMs: number,
): Promise<void> {
  const { database } = deps;
  if (!(await isTextWanted(database, due))) return;
  const about = await loadAbout(deps, due, due.customText, ageMs);
  const reader = { zone: UTC_ZONE, timeFormat: DEFAULT_TIME_FORMAT };
  const { text, problem } = evaluateText(due.customText, about, reader, deps.now());
  if (problem !== undefined) return warnOfExpression(store, deps, due, about.node, problem);
  await database.transaction(async (tx) => {
    const shown = [...text].slice(0, EVENT_MESSAGE_MAX).join('');
    if (shown !== '' && (await store.saveText(tx, due, shown))) await store.touchOwners(tx, [due.ownerId], 'alarms');
  });
}
