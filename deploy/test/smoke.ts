// `npm run smoke -w deploy [-- values.yaml …]` installs with two replicas of everything on the cluster of KUBECONFIG, makes a second
// account, and runs the end-to-end tests of the profile `smoke` against it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readArguments, TWO_REPLICAS } from './arguments.ts';
import { say } from './commands.ts';
import { Release } from './release.ts';

const READY_SECONDS = 240;

const { values } = readArguments(process.argv.slice(2));
const release = new Release(`catchment-${Date.now().toString(36)}`, values);
try {
  await release.apply([...TWO_REPLICAS, 'gateway.rateLimit.requests=0']);
  await release.waitReady(READY_SECONDS);
  say(`two replicas of every service in ${release.namespace}`);
  const env = {
    CATCHMENT_URL: await release.url(),
    CATCHMENT_KEY: await release.key(),
    CATCHMENT_OTHER_KEY: await release.account('Other'),
  };
  const tests = spawn('npm', ['run', 'test:smoke'], { stdio: 'inherit', env: { ...process.env, ...env } });
  const [code] = await once(tests, 'exit');
  process.exitCode = code === 0 ? 0 : 1;
  const restarts = await release.restarts();
  say(`restarts: ${restarts.join(' ') || 'none'}`);
} finally {
  if (!process.env.KEEP) await release.remove();
}
