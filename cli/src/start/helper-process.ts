// The process of helper.ts. It ends with the channel to its parent.
import { checkServer } from '@catchment/servers';
import { errorText } from '../error-text.ts';
import type { Answered, Asked, TaskName, Tasks } from './helper.ts';
import { waitReady } from './wait-ready.ts';

const DOERS: { readonly [Name in TaskName]: (of: Tasks[Name]['of']) => Promise<Tasks[Name]['answer']> } = {
  checkServer: async ({ kind, url }) => {
    await checkServer(kind, url);
    return undefined;
  },
  waitReady: async ({ url, ...options }) => {
    await waitReady(url, options);
    return undefined;
  },
  firstSteps: async (steps) => (await import('./first-steps.ts')).takeFirstSteps(steps),
};

process.once('disconnect', () => process.exit());
process.on('message', async (message) => {
  const answer = await answerTo(message as Asked);
  process.send?.(answer, () => {});
});

async function answerTo({ id, task, of }: Asked): Promise<Answered> {
  try {
    const answer = await (DOERS[task] as (of: Asked['of']) => Promise<Answered['answer']>)(of);
    return { id, ...(answer && { answer }) };
  } catch (error) {
    return { id, failure: errorText(error) };
  }
}
