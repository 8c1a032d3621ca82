import { execFile } from 'node:child_process';
import path from 'node:path';

export const CHART = path.resolve(import.meta.dirname, '../chart/catchment');
const HELM = process.env.HELM ?? 'helm';
/** `helm template` uses the oldest version that the chart supports. */
const KUBERNETES = '1.29.0';

export type Outcome = { readonly status: number; readonly stdout: string; readonly stderr: string };

/** Runs helm to its end. @throws when there is no helm */
function helm(...args: string[]): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    execFile(HELM, args, { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (error && typeof error.code !== 'number') reject(error);
      else resolve({ status: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

export const isHelmThere = (): Promise<boolean> =>
  helm('version').then(
    ({ status }) => status === 0,
    () => false,
  );

export const lint = (): Promise<Outcome> => helm('lint', '--strict', '--kube-version', KUBERNETES, CHART);

/** Runs `helm template` for an installation «catchment» in the namespace «water». */
export const template = (...args: string[]): Promise<Outcome> => templateOf(CHART, ...args);

export const templateOf = (chart: string, ...args: string[]): Promise<Outcome> =>
  helm('template', 'catchment', chart, '--namespace', 'water', '--kube-version', KUBERNETES, ...args);
