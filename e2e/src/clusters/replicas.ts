import { copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { freePort } from '@catchment/testkit';
import { type Installation, runCatchment, startInstallation } from '../installation.ts';
import type { Backends } from './backends.ts';

export type Finding = { readonly about: string; readonly level: string; readonly says: string };

/** Runs two processes of each service on the same backends: two installations with the same secret and data. */
export class Replicas {
  readonly #dataDir: string;
  readonly #backends: Backends;
  readonly #ports: readonly number[];
  #running: Installation[] = [];
  #environment: NodeJS.ProcessEnv = {};

  private constructor(dataDir: string, backends: Backends, ports: readonly number[]) {
    this.#dataDir = dataDir;
    this.#backends = backends;
    this.#ports = ports;
  }

  /** @param count 1 or 2 */
  static async open(dataDir: string, backends: Backends, count: number): Promise<Replicas> {
    const ports: number[] = [];
    for (let n = 0; n < count; n += 1) ports.push(await freePort());
    return new Replicas(dataDir, backends, ports);
  }

  /** Returns all of them; their addresses are the same at each start. */
  get installations(): readonly Installation[] {
    return this.#running;
  }

  async start(streamReplicas: number): Promise<void> {
    this.#environment = {
      STREAM_REPLICAS: String(streamReplicas),
      INGEST_PARTITIONS: '2',
      ROWS_PER_SOURCE_PER_DAY: '0',
      RATE_LIMIT_REQUESTS: '0',
    };
    let influxUrl: string | undefined;
    for (const [index, port] of this.#ports.entries()) {
      const dataDir = path.join(this.#dataDir, `replica-${index}`);
      await mkdir(dataDir, { recursive: true });
      const [first] = this.#running;
      if (first) await copyFile(path.join(first.dataDir, 'state.json'), path.join(dataDir, 'state.json'));
      const { nats, postgresUrl } = this.#backends;
      const started = await startInstallation({
        dataDir,
        keepData: true,
        env: this.#environment,
        args: [
          '--no-demo',
          '--port',
          String(port),
          '--postgres-url',
          postgresUrl,
          '--nats-url',
          nats.url,
          ...(influxUrl ? ['--influx-url', influxUrl] : []),
        ],
      });
      this.#running.push(started);
      influxUrl ??= (await started.running()).influxUrl;
    }
  }

  /** Stops the last one first: the others' InfluxDB is that of the first one. */
  async stop(): Promise<void> {
    for (const installation of this.#running.splice(0).reverse()) await installation.stop();
  }

  /** Lists what `catchment doctor` warns of. */
  async findings(): Promise<Finding[]> {
    const dataDir = this.#running[0]?.dataDir ?? '';
    const args = ['doctor', '--json', '--data-dir', dataDir];
    const { output } = await runCatchment(args, this.#environment);
    const { findings } = JSON.parse(output) as { findings: Finding[] };
    return findings.filter(({ level }) => level === 'problem' || level === 'warning');
  }
}
