import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { ROOT } from '../start/paths.ts';
import type { Backends } from './backends.ts';

const MAIN = path.join(ROOT, 'services/historic/src/copy-records.ts');

/** Records are read and written by historic alone, which knows how the store keeps them. */
export class HistoricProcess {
  readonly child: ChildProcess;
  readonly #ended: Promise<number>;
  #errors = '';

  constructor(backends: Backends, work: 'read' | 'write' | 'empty', environment: NodeJS.ProcessEnv = {}) {
    const { databaseUrl, influxUrl, influxDatabase, influxShards } = backends;
    this.child = spawn(process.execPath, [MAIN, work], {
      env: {
        ...process.env,
        ...NO_LOGINS,
        DATABASE_URL: databaseUrl,
        INFLUX_URL: influxUrl,
        INFLUX_SHARDS: influxShards,
        ...environment,
        ...(influxDatabase !== undefined && { INFLUX_DATABASE: influxDatabase }),
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.child.stderr?.on('data', (piece) => {
      this.#errors = (this.#errors + piece).slice(-2_000);
    });
    // The exit status reports an end that comes early.
    this.child.stdin?.on('error', () => {});
    this.#ended = once(this.child, 'close').then(([code]) => (code as number | null) ?? -1);
  }

  /** @param accepted exit statuses that are answers @throws Error with what the process said */
  async ended(accepted: readonly number[] = [0]): Promise<number> {
    const code = await this.#ended;
    if (!accepted.includes(code))
      throw new Error(`records: ${this.#errors.trim() || `the process ended with ${code}`}`);
    return code;
  }

  kill(): void {
    this.child.kill('SIGTERM');
  }
}

/** The URLs have them already. */
const NO_LOGINS = {
  DATABASE_USER: undefined,
  DATABASE_PASSWORD: undefined,
  INFLUX_USER: undefined,
  INFLUX_PASSWORD: undefined,
};
