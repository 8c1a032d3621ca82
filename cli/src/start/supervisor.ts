import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CONFIG_REFUSED } from '@catchment/config';
import { tailOf } from '@catchment/servers';
import { LogFile } from './log-file.ts';
import { RestartDelay, type Run } from './restart-delay.ts';

export type Program = {
  /** Name of its log. */
  readonly name: string;
  /** Its process is recognized by these services, which run in it; default: its name. */
  readonly members?: readonly string[];
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** It may take so long to stop. */
  readonly stopLimitMs?: number;
};

type Running = { readonly program: Program; readonly child: ChildProcess };

const STOP_LIMIT_MS = 30_000;
/** A process of all services logs some kilobytes while it ends. */
const LAST_WORDS_BYTES = 64 * 1024;
const REFUSED = `exit code ${CONFIG_REFUSED}`;
const LOG_LIMIT_BYTES = 20 * 1024 * 1024;

/** Keeps processes running, each with its output in a log file, and stops them in order. */
export class Supervisor {
  readonly #logFolder: string;
  readonly #say: (line: string) => void;
  readonly #onChange: () => void;
  readonly #running = new Map<string, Running>();
  readonly #ready = new Map<string, PromiseWithResolvers<void>>();
  readonly #kept: Promise<void>[] = [];
  readonly #stopping = new AbortController();
  readonly #refused = Promise.withResolvers<never>();

  constructor(options: { logFolder: string; say: (line: string) => void; onChange: () => void }) {
    this.#logFolder = options.logFolder;
    this.#say = options.say;
    this.#onChange = options.onChange;
    this.#refused.promise.catch(() => {});
  }

  /** Rejects when a program refuses its settings, with what they lack: it would refuse them each time. */
  get refused(): Promise<never> {
    return this.#refused.promise;
  }

  /** Process ids of those that run now, by what runs in them: several may have the same. */
  get pids(): Record<string, number> {
    return Object.fromEntries(
      [...this.#running.values()].flatMap(({ program, child: { pid } }) =>
        pid === undefined ? [] : membersOf(program).map((name) => [name, pid]),
      ),
    );
  }

  logFile(name: string): string {
    return path.join(this.#logFolder, `${name}.log`);
  }

  /** Resolves when a process of this name has said for the first time that it is ready, by a message to its parent. */
  ready(name: string): Promise<void> {
    return this.#readyOf(name).promise;
  }

  #readyOf(name: string): PromiseWithResolvers<void> {
    const known = this.#ready.get(name) ?? Promise.withResolvers<void>();
    this.#ready.set(name, known);
    return known;
  }

  async start(program: Program): Promise<void> {
    await mkdir(this.#logFolder, { recursive: true, mode: 0o700 });
    // Everybody could read a log of an earlier version.
    await chmod(this.#logFolder, 0o700);
    this.#kept.push(this.#keep(program, this.logFile(program.name)));
  }

  /** Sends SIGTERM to all, in waves: those named first have ended before the next get it. */
  async stop(waves: readonly (readonly string[])[]): Promise<void> {
    this.#stopping.abort();
    for (const wave of waves) await Promise.all(wave.map((name) => this.#end(name)));
    await Promise.all([...this.#running.keys()].map((name) => this.#end(name)));
    await Promise.all(this.#kept);
  }

  async #keep(program: Program, file: string): Promise<void> {
    const log = new LogFile({ file, say: this.#say, limitBytes: LOG_LIMIT_BYTES });
    const restartDelay = new RestartDelay();
    while (!this.#stopping.signal.aborted) {
      const { code, ...run } = await this.#runOnce(program, log);
      if (this.#stopping.signal.aborted) break;
      const reason = await lastError(file);
      if (code === REFUSED) {
        this.#refused.reject(
          new Error(`${reason || `${listOf(program)}: settings are refused; `}correct it and start again (${file})`),
        );
        break;
      }
      const again = membersOf(program).length > 1 ? 'them' : 'it';
      this.#say(`${listOf(program)} stopped unexpectedly (${code}), starting ${again} again; ${reason}see ${file}`);
      await delay(restartDelay.after(run), undefined, { signal: this.#stopping.signal }).catch(() => {});
    }
    await log.close();
  }

  async #runOnce(program: Program, log: LogFile): Promise<Run & { code: string }> {
    const startedAt = performance.now();
    let wasReady = false;
    const child = spawn(process.execPath, [...program.args], {
      env: program.env,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // Ctrl-C reaches this process only: it stops the others in order.
      detached: true,
    });
    for (const output of [child.stdout, child.stderr]) if (output) log.take(output);
    child.on('message', (message) => {
      if (message !== 'ready') return;
      wasReady = true;
      this.#readyOf(program.name).resolve();
    });
    const ended = endOf(child);
    if (child.pid !== undefined) this.#running.set(program.name, { program, child });
    this.#onChange();
    const code = await ended;
    this.#running.delete(program.name);
    return { code, wasReady, ranMs: performance.now() - startedAt };
  }

  async #end(name: string): Promise<void> {
    const { child, program } = this.#running.get(name) ?? {};
    if (!child || !program) return;
    const gone = endOf(child);
    child.kill('SIGTERM');
    const limit = setTimeout(() => child.kill('SIGKILL'), program.stopLimitMs ?? STOP_LIMIT_MS);
    await gone;
    clearTimeout(limit);
  }
}

const membersOf = ({ name, members = [name] }: Program): readonly string[] => members;

/** Names what runs in a program, for people. */
export const listOf = (program: Pick<Program, 'name' | 'members'>): string =>
  (program.members ?? [program.name]).join(', ');

/** Says how a process ended, or why there is none: the machine may have no room for one more. */
function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
    // This holds also when a signal or a message cannot be sent: its end comes by itself then.
    child.on('error', (error) => child.pid === undefined && resolve(error.message));
  });
}

/** Returns what a process logged last as an error, as the begin of a sentence; empty when it logged none. */
async function lastError(logFile: string): Promise<string> {
  const lines = (await tailOf(logFile, LAST_WORDS_BYTES))
    .split('\n')
    .filter((line) => line.includes('"level":"error"'));
  try {
    type Line = { service?: string; msg: string; err?: { message: string }; problems?: readonly string[] };
    const { service, msg, err, problems } = JSON.parse(lines.at(-1) ?? '') as Line;
    const what = err?.message ?? problems?.join('; ');
    return `${service === undefined ? '' : `${service}: `}${msg}${what === undefined ? '' : `: ${what}`}; `;
  } catch {
    return '';
  }
}
