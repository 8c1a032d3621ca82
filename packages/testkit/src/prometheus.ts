import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { freePort, installPackages } from '@catchment/servers';
import { temporaryDataFolder } from './own-servers.ts';
import { until } from './until.ts';

const run = promisify(execFile);
/** Services wait two seconds for what hangs, and then leave it out. */
const SCRAPE_EVERY = '2500ms';
const READY_LIMIT_MS = 60_000;
const QUERY_LIMIT_MS = 10_000;
const CHECK_LIMIT_MS = 180_000;

/**
 * Runs `promtool` of the distribution's package to its end.
 * @returns its exit code, and what it printed
 * @throws Error naming the command that installs it, where we may not
 */
export async function promtool(...args: string[]): Promise<{ readonly code: number; readonly printed: string }> {
  await providePrometheus();
  return run('promtool', args, { timeout: CHECK_LIMIT_MS, maxBuffer: 16 * 1024 * 1024 }).then(
    ({ stdout, stderr }) => ({ code: 0, printed: stdout + stderr }),
    (error: { code?: number; stdout?: string; stderr?: string }) => ({
      code: typeof error.code === 'number' ? error.code : -1,
      printed: `${error.stdout ?? String(error)}${error.stderr ?? ''}`,
    }),
  );
}

async function providePrometheus(): Promise<void> {
  const isInstalled = () =>
    run('promtool', ['--version']).then(
      () => true,
      () => false,
    );
  if (!(await isInstalled())) await installPackages(['prometheus'], { yes: false, log: () => {}, isInstalled });
}

/** Prometheus scrapes `address` (host:port), under `/metrics`; the labels are given to all of its series. */
export type ScrapeTarget = { readonly address: string; readonly labels: Readonly<Record<string, string>> };

export type PrometheusAlert = {
  readonly state: 'pending' | 'firing';
  readonly labels: Readonly<Record<string, string>>;
  /** The values are put into the texts. */
  readonly annotations: Readonly<Record<string, string>>;
};

export type OwnPrometheus = {
  readonly url: string;
  /** Scrapes these and no others, from the next look at the file (a second) on. */
  setTargets(targets: readonly ScrapeTarget[]): Promise<void>;
  /** Alerts that are pending or firing now. */
  alerts(): Promise<PrometheusAlert[]>;
  /** Returns the values of the series that a query has now. */
  query(promQl: string): Promise<number[]>;
  stop(): Promise<void>;
};

/**
 * Starts a separate Prometheus on 127.0.0.1 that scrapes every 2.5 seconds and evaluates every second.
 * @param ruleFiles absolute paths
 */
export async function ownPrometheus(ruleFiles: readonly string[]): Promise<OwnPrometheus> {
  await providePrometheus();
  const folder = await temporaryDataFolder();
  const targetsFile = path.join(folder, 'targets.json');
  const configFile = path.join(folder, 'prometheus.yml');
  const setTargets = async (targets: readonly ScrapeTarget[]) => {
    const groups = targets.map(({ address, labels }) => ({ targets: [address], labels }));
    await writeFile(`${targetsFile}.new`, JSON.stringify(groups));
    await rename(`${targetsFile}.new`, targetsFile);
  };
  await mkdir(path.join(folder, 'data'));
  await setTargets([]);
  await writeFile(configFile, JSON.stringify(configuration(ruleFiles, targetsFile)));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(
    'prometheus',
    [
      `--config.file=${configFile}`,
      `--storage.tsdb.path=${path.join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=warn',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const stop = async () => {
    await ended(child);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await until(async () => (await fetch(`${url}/-/ready`)).ok, {
      deadlineMs: READY_LIMIT_MS,
      what: 'Prometheus is ready',
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url,
    setTargets,
    alerts: async () => (await ask<{ alerts: PrometheusAlert[] }>(url, 'alerts')).alerts,
    query: async (promQl) => {
      const found = await ask<InstantVector>(url, `query?query=${encodeURIComponent(promQl)}`);
      return found.result.map(({ value: [, text] }) => Number(text));
    },
    stop,
  };
}

const configuration = (ruleFiles: readonly string[], targetsFile: string) => ({
  global: { scrape_interval: SCRAPE_EVERY, scrape_timeout: SCRAPE_EVERY, evaluation_interval: '1s' },
  rule_files: ruleFiles,
  scrape_configs: [{ job_name: 'catchment', file_sd_configs: [{ files: [targetsFile], refresh_interval: '1s' }] }],
});

type InstantVector = { readonly result: readonly { readonly value: readonly [seconds: number, text: string] }[] };

async function ask<T>(url: string, path: string): Promise<T> {
  const response = await fetch(`${url}/api/v1/${path}`, { signal: AbortSignal.timeout(QUERY_LIMIT_MS) });
  const answer = (await response.json()) as { error?: string; data?: T };
  if (!answer.data) throw new Error(`Prometheus: ${answer.error}`);
  return answer.data;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
