import { ServerExited } from './server-process.ts';

const TRIES = 3;

/** Another process may take a free port before the server listens on it: then another one is chosen. */
export async function retryOnTakenPort<T>(start: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start();
    } catch (error) {
      const isTaken = error instanceof ServerExited && /address already in use/i.test(error.message);
      if (!isTaken || attempt === TRIES) throw error;
    }
  }
}
