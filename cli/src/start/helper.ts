import { type ChildProcess, fork } from 'node:child_process';
import { ownLogins } from '@catchment/config';
import type { ServerKind } from '@catchment/servers';
import { COMPILE_CACHE } from './paths.ts';

/** The helper does these once, at the beginning of a start; secrets are in the state of the data folder. */
export type FirstSteps = {
  readonly dataDir: string;
  readonly demo: boolean;
  readonly json?: boolean;
  /** Prefix of classes. */
  readonly namespace: string;
  readonly url: string;
  readonly nodesAddress: string;
  /** The start began then. */
  readonly beganMs: number;
};

export type FirstStepsTaken = {
  /** The owner of the account sets a password here, when it has just been made. */
  readonly activateUrl?: string;
  /** Public dashboards of the demonstration. */
  readonly shown: readonly { readonly name: string; readonly path: string }[];
};

/** Tasks of the helper: what each is given, and what it answers. */
export type Tasks = {
  readonly checkServer: {
    readonly of: { readonly kind: ServerKind; readonly url: string };
    readonly answer: undefined;
  };
  readonly waitReady: {
    readonly of: { readonly url: string; readonly name: string; readonly limitMs: number; readonly logFile: string };
    readonly answer: undefined;
  };
  readonly firstSteps: { readonly of: FirstSteps; readonly answer: FirstStepsTaken };
};
export type TaskName = keyof Tasks;
export type Asked = { readonly id: number; readonly task: TaskName; readonly of: Tasks[TaskName]['of'] };
export type Answered = { readonly id: number; readonly failure?: string; readonly answer?: Tasks[TaskName]['answer'] };

/**
 * Does what `start` needs clients of servers and of the API for. The process of `start` stays, and holds nothing of
 * them; the helper ends when the start is over, and is there again for a moment when a server is started again.
 */
export class Helper implements Disposable {
  readonly #waiting = new Map<number, PromiseWithResolvers<Answered>>();
  #child: ChildProcess | undefined;
  #asked = 0;
  #isKept = true;

  /** @throws Error with what went wrong, also when the helper ended */
  async ask<Name extends TaskName>(task: Name, of: Tasks[Name]['of']): Promise<Tasks[Name]['answer']> {
    const child = this.#open();
    const id = ++this.#asked;
    const answered = Promise.withResolvers<Answered>();
    this.#waiting.set(id, answered);
    child.send({ id, task, of } satisfies Asked, () => {});
    try {
      const { failure, answer } = await answered.promise;
      if (failure !== undefined) throw new Error(failure);
      return answer;
    } finally {
      this.#waiting.delete(id);
      this.#endUnused();
    }
  }

  /** Lets it go: from now on it ends with what it does. */
  letGo(): void {
    this.#isKept = false;
    this.#endUnused();
  }

  [Symbol.dispose](): void {
    this.#child?.kill('SIGKILL');
  }

  /** Loads its code while others work. */
  open(): void {
    this.#open();
  }

  #open(): ChildProcess {
    if (this.#child) return this.#child;
    const child = fork(new URL('./helper-process.ts', import.meta.url), {
      env: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...ownLogins(process.env) },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      // Ctrl-C reaches the process of the start only: it stops the others in order.
      detached: true,
    });
    this.#child = child;
    child.on('message', (message) => this.#waiting.get((message as Answered).id)?.resolve(message as Answered));
    const ended = () => {
      if (this.#child !== child) return;
      this.#child = undefined;
      for (const { reject } of this.#waiting.values())
        reject(new Error('The helper of the start ended before its time.'));
    };
    child.once('close', ended);
    // The machine may have no room for one more process.
    child.once('error', ended);
    return child;
  }

  #endUnused(): void {
    if (this.#isKept || this.#waiting.size > 0) return;
    const child = this.#child;
    this.#child = undefined;
    if (child?.connected) child.disconnect();
  }
}
