import { hang } from '@catchment/testkit';
import type { Installation } from './installation.ts';

/** Does `work` while a process of an installation that this run started is there and answers nobody. */
export async function whileHung<T>(installation: Installation, name: string, work: () => Promise<T>): Promise<T> {
  const pid = (await installation.pids())[name];
  if (pid === undefined) throw new Error(`${name} has no process`);
  const goOn = await hang(pid);
  try {
    return await work();
  } finally {
    await goOn();
  }
}
