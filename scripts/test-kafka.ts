// `npm run test:kafka -w services/events [-- --jars <folder>]` runs the topics of the events service against a real broker of Kafka, which
// it kills and starts again. Needs Java 17 and, for the first run, Maven: it keeps the jars of Kafka in node_modules/.cache.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runVitest, TEST_FILES_ENV } from './run-vitest.ts';

const VERSION = '4.1.1';
const root = path.resolve(import.meta.dirname, '..');
const { values, positionals } = parseArgs({ options: { jars: { type: 'string' } }, allowPositionals: true });

const jars = values.jars ? path.resolve(values.jars) : await ownJars();
process.exitCode = await runVitest(positionals, {
  [TEST_FILES_ENV]: '**/*.kafka.ts',
  CATCHMENT_TEST_KAFKA_JARS: jars,
});

/** Gets the jars of Kafka and of what they need, from Maven's registry. */
async function ownJars(): Promise<string> {
  const folder = path.join(root, `node_modules/.cache/kafka-${VERSION}`);
  if (existsSync(folder)) return folder;
  console.log(`Kafka ${VERSION} is fetched into ${folder}`);
  const dependency = (name: string) =>
    `<dependency><groupId>org.apache.kafka</groupId><artifactId>${name}</artifactId><version>${VERSION}</version></dependency>`;
  const draft = await mkdtemp(`${folder}.`);
  await writeFile(
    path.join(draft, 'pom.xml'),
    `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>kafka</groupId>
<artifactId>jars</artifactId><version>1</version><dependencies>${dependency('kafka_2.13')}${dependency('kafka-tools')}</dependencies></project>`,
  );
  const code = await run('mvn', [
    '-q',
    '-f',
    path.join(draft, 'pom.xml'),
    'dependency:copy-dependencies',
    `-DoutputDirectory=${path.join(draft, 'jars')}`,
  ]);
  if (code !== 0)
    throw new Error(`Maven could not fetch Kafka ${VERSION} (${code}); --jars names a folder that has its jars`);
  await rename(path.join(draft, 'jars'), folder);
  await rm(draft, { recursive: true });
  return folder;
}

async function run(command: string, given: readonly string[]): Promise<number> {
  const child = spawn(command, given, { cwd: root, stdio: 'inherit' });
  const [code] = (await once(child, 'close')) as [number | null];
  return code ?? 1;
}
