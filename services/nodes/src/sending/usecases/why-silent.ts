import type { NotificationDue } from '@catchment/contracts/nodes-messages';
import { type DiagnosisDeps, diagnosisOf, stateSentence } from '../../diagnosis/index.ts';
import { nodesById } from '../../nodes/index.ts';

/** A mail goes without the sentence rather than late. */
const WAIT_MS = 4_000;

/**
 * Says in one sentence why the source is silent that an outdatedAlarm was raised for
 * (docs/reference/sources.md#diagnosis). The sentence is about this source alone: the reader of the mail may see less
 * than others.
 * @returns empty: it is not about an outdatedAlarm, or nothing can be said in time
 */
export async function whySilent(
  deps: DiagnosisDeps,
  { ownerId, nodeId, raisedAlarmType }: NotificationDue,
): Promise<string> {
  if (raisedAlarmType !== 'outdatedAlarm') return '';
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, WAIT_MS, '');
  });
  try {
    return await Promise.race([sentenceOf(deps, ownerId, nodeId), late]);
  } catch (err) {
    deps.log.warn({ err, nodeId }, 'a mail goes without the diagnosis of its source');
    return '';
  } finally {
    clearTimeout(timer);
  }
}

async function sentenceOf(deps: DiagnosisDeps, ownerId: string, nodeId: string): Promise<string> {
  const [source] = await nodesById(deps.database, ownerId, [nodeId]);
  const diagnosis = source && (await diagnosisOf(deps, source));
  return diagnosis?.isSilent ? stateSentence(diagnosis) : '';
}
