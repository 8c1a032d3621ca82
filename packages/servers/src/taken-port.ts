import { ServerExited } from './server-process.ts';

const TRIES = 3;

/** Between the choice of a free port and the server's listening somebody else may take it: then choose again. */
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
