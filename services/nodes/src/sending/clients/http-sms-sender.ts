import { REMOTE_LIMITS } from '@catchment/egress';
import { MESSAGE_WORK } from '@catchment/expressions';
import { SmsFailure, type SmsSender } from '../usecases/sms-sender.ts';
import type { SmsSettings } from './sms-settings.ts';

/** Sends each message by an HTTP request, as the settings say. Only the status of the answer is read. */
export const httpSmsSender = (
  { method, url, headers, body, from, user, password }: SmsSettings,
  answerMs: number = REMOTE_LIMITS.status.maxMs,
): SmsSender => ({
  send: async (message) => {
    const objects = { ...message, from, user, password };
    const render = (text: typeof url) => text.render(objects, { nowMs: 0, work: MESSAGE_WORK });
    const answer = await fetch(render(url), {
      method,
      headers: headers.map(([name, value]) => [name, render(value)] as [string, string]),
      ...(body && { body: render(body) }),
      // A gateway that sends us elsewhere would have the login sent there.
      redirect: 'manual',
      signal: AbortSignal.timeout(answerMs),
    });
    await answer.body?.cancel();
    if (!answer.ok) throw new SmsFailure(answer.status);
  },
});
