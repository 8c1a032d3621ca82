// `npm run mixed -w deploy -- OLD_TAG NEW_TAG [values.yaml …]` runs every service once as the only new one among old ones, then once as the
// only old one among new ones, and end-to-end tests against each mixture: writes, reads, states, alarms, ratings. KEEP leaves the
// namespace.
import { runVitest } from '../../scripts/run-vitest.ts';
import { readArguments, SERVICES } from './arguments.ts';
import { say } from './commands.ts';
import { Release } from './release.ts';

const READY_SECONDS = 240;
const TESTS = ['thread', 'ratings', 'write-modes', 'states-of-write-modes', 'templates'];
const SETTINGS = ['gateway.rateLimit.requests=0', 'limits.rowsPerSourcePerDay=0'];

type Service = (typeof SERVICES)[number];
type Env = { readonly CATCHMENT_URL: string; readonly CATCHMENT_KEY: string; readonly CATCHMENT_OTHER_KEY: string };

const { values, words } = readArguments(process.argv.slice(2));
const [oldTag, newTag, ...others] = words;
if (oldTag === undefined || newTag === undefined || others.length > 0)
  throw new Error('usage: npm run mixed -w deploy -- OLD_TAG NEW_TAG [values.yaml …]');
const release = new Release(`catchment-${Date.now().toString(36)}`, values);

/** Runs another version of one service beside all the others. */
async function setVersion(service: Service, tag: string): Promise<void> {
  const repository = await release.kubectl(
    'get',
    release.deployment(service),
    '--output',
    'jsonpath={.spec.template.spec.containers[0].image}',
  );
  const suffix = service === 'render' ? '-chromium' : '';
  const image = `${repository.slice(0, repository.lastIndexOf(':'))}:${tag}${suffix}`;
  await release.kubectl('set', 'image', release.deployment(service), `${service}=${image}`);
  await release.waitReady(READY_SECONDS);
}

/** @returns whether all tests passed */
async function test(env: NodeJS.ProcessEnv): Promise<boolean> {
  return (await runVitest(['--maxWorkers=1', '--silent=true', ...TESTS.map((name) => `e2e/${name}.e2e`)], env)) === 0;
}

/** Runs each service alone as `tag`, among all others as they are. */
async function oneByOne(tag: string, back: string, env: Env): Promise<string[]> {
  const failed: string[] = [];
  for (const service of SERVICES) {
    const mixture = `${service} of ${tag} among services of ${back}`;
    await setVersion(service, tag);
    const passed = await test(env);
    say(`${mixture}: ${passed ? 'all tests passed' : 'FAILED'}`);
    if (!passed) failed.push(mixture);
    await setVersion(service, back);
  }
  return failed;
}

try {
  await release.apply([...SETTINGS, `image.tag=${oldTag}`]);
  await release.waitReady(READY_SECONDS);
  const env = {
    CATCHMENT_URL: await release.url(),
    CATCHMENT_KEY: await release.key(),
    CATCHMENT_OTHER_KEY: await release.account('Other'),
  };
  say(`${oldTag} in ${release.namespace}`);
  const failed = await oneByOne(newTag, oldTag, env);
  await release.apply([...SETTINGS, `image.tag=${newTag}`]);
  await release.waitReady(READY_SECONDS);
  say(`upgraded to ${newTag}`);
  failed.push(...(await oneByOne(oldTag, newTag, env)));
  say(failed.length === 0 ? 'every mixture works' : `do not work: ${failed.join('; ')}`);
  process.exitCode = failed.length === 0 ? 0 : 1;
} finally {
  if (!process.env.KEEP) await release.remove();
}
