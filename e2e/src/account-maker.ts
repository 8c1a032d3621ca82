import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

const PROGRAM = path.resolve(import.meta.dirname, '../../cli/test/make-accounts.ts');

export type AskedAccount = {
  readonly name: string;
  readonly email: string;
  readonly type?: string;
  readonly parent?: string;
};
export type MadeAccount = { readonly id: string; readonly key: string };
export type MakesAccounts = {
  /** @throws Error with what was wrong */
  make(asked: AskedAccount): Promise<MadeAccount>;
  end(): Promise<void>;
};

/** Makes accounts of an installation as `catchment account create` does, by one process in place of one for each. */
export class AccountMaker implements MakesAccounts {
  readonly #dataDir: string;
  #process: { readonly child: ChildProcess; readonly answers: AsyncIterator<string> } | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  make(asked: AskedAccount): Promise<MadeAccount> {
    const made = this.#last.then(() => this.#ask(asked));
    this.#last = made.catch(() => {});
    return made;
  }

  async end(): Promise<void> {
    if (!this.#process) return;
    const { child } = this.#process;
    this.#process = undefined;
    child.stdin?.end();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }

  async #ask(asked: AskedAccount): Promise<MadeAccount> {
    this.#process ??= this.#start();
    this.#process.child.stdin?.write(`${JSON.stringify(asked)}\n`);
    const { value, done } = await this.#process.answers.next();
    if (done) {
      this.#process = undefined;
      throw new Error(`${PROGRAM} has ended`);
    }
    const answer = JSON.parse(value) as MadeAccount & { error?: string };
    if (answer.error !== undefined) throw new Error(`no account ${asked.name} was made: ${answer.error}`);
    return answer;
  }

  #start() {
    const { NODE_OPTIONS: _ours, ...env } = process.env;
    const child = spawn(process.execPath, [PROGRAM, this.#dataDir], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    return { child, answers: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
  }
}
