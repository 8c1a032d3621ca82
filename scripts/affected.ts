// `npm run affected [-- <commit>]`: checks the types and runs the tests of the workspaces that have changed since a commit (default:
// main), and of those that depend on them; what has passed before with the same files is not run again. All use the same servers.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { BROKER_ENV, openServerBroker } from '@catchment/testkit/server-broker';

const root = path.resolve(import.meta.dirname, '..');
const [since = 'main'] = process.argv.slice(2);

await using open = new AsyncDisposableStack();
const servers = open.adopt(await openServerBroker(), (broker) => broker.close());
const child = spawn(
  path.join(root, 'node_modules/.bin/turbo'),
  // One at a time: the tests of a workspace take both cores.
  ['run', 'types', 'test', `--filter=...[${since}]`, '--concurrency=1', '--continue'],
  {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', [BROKER_ENV]: servers.socket },
  },
);
// The interruption reaches turbo too; the servers are stopped when it has ended.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => undefined);
const [code] = (await once(child, 'close')) as [number | null];
process.exitCode = code ?? 1;
