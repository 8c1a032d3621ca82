// Run as a separate process: reads `{ service: environment }` from standard input, and says for each service what its
// own rules refuse, and how many connections to PostgreSQL it takes at most.
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { ConfigError } from '@catchment/config';
import { ROOT } from '../start/paths.ts';

const given = JSON.parse(await text(process.stdin)) as Record<string, NodeJS.ProcessEnv>;
for (const [service, environment] of Object.entries(given)) {
  const file = pathToFileURL(path.join(ROOT, 'services', service, 'src/config.ts')).href;
  const { config } = (await import(file)) as {
    config: { read: (env: NodeJS.ProcessEnv) => { databaseConnections?: number } };
  };
  let problems: readonly string[] = [];
  let databaseConnections: number | undefined;
  try {
    ({ databaseConnections } = config.read(environment));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    problems = error.problems;
  }
  console.log(JSON.stringify({ service, problems, databaseConnections }));
}
