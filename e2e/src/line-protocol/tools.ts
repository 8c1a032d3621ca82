import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pythonEnvironment } from '@catchment/testkit/python-environment';
import { run } from '../clients/tools.ts';

export type Kind = 'python' | 'node' | 'telegraf';

/** Others wrote these clients; those that could not be had are missing, with the reason. */
export type Clients = {
  readonly missing: ReadonlyMap<Kind, string>;
  readonly python: string;
  /** The libraries of npm are here. */
  readonly modules: string;
  readonly telegraf: string;
};

const CACHE = path.resolve(import.meta.dirname, '../../../node_modules/.cache/line-protocol');
const PYTHON = ['influxdb==5.3.2', 'influxdb-client==1.50.0'];
const NPM = ['@influxdata/influxdb-client@1.35.0', 'influx@5.12.0'];
const TELEGRAF = 'v1.37.2';
/** Telegraf has no more than it needs here: it is built once, from its sources. */
const TAGS = 'custom,inputs.file,outputs.influxdb,outputs.influxdb_v2,parsers.influx';

/** Installs the clients that are needed into a separate folder, only once. */
export async function provideClients(needed: ReadonlySet<Kind>, say: (line: string) => void): Promise<Clients> {
  const missing = new Map<Kind, string>();
  await mkdir(CACHE, { recursive: true });
  const once = async (
    name: Kind,
    what: readonly string[],
    steps: readonly (readonly [program: string, ...args: string[]])[],
    env: NodeJS.ProcessEnv = {},
  ) => {
    const done = path.join(CACHE, `${name}-${what.join('+').replaceAll(/[^a-z0-9.+-]/g, '_')}`);
    if (!needed.has(name) || existsSync(done)) return;
    say(`Installing ${what.join(', ')} (only this once)`);
    for (const [program, ...args] of steps) {
      const { code, output } = await run(program, args, { env });
      if (code === 0) continue;
      missing.set(name, `could not have ${what.join(', ')}: ${output.trim().split('\n').at(-1)}`);
      return;
    }
    await writeFile(done, '');
  };
  const [npm, go] = ['npm', 'go'].map((name) => path.join(CACHE, name)) as [string, string];
  const python = !needed.has('python')
    ? ''
    : await pythonEnvironment('line-protocol', PYTHON).catch((error: Error) => {
        missing.set('python', error.message);
        return '';
      });
  await mkdir(npm, { recursive: true });
  await writeFile(path.join(npm, 'package.json'), '{"private":true}');
  await once('node', NPM, [['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', npm, ...NPM]]);
  const build = ['install', '-p', '1', '-tags', TAGS, `github.com/influxdata/telegraf/cmd/telegraf@${TELEGRAF}`];
  await once('telegraf', [`telegraf ${TELEGRAF}`], [['go', ...build]], {
    GOBIN: go,
    GOPATH: path.join(CACHE, 'gopath'),
    GOFLAGS: '-modcacherw',
    CGO_ENABLED: '0',
  });
  return { missing, python, modules: path.join(npm, 'node_modules'), telegraf: path.join(go, 'telegraf') };
}
