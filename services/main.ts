// `node --import @catchment/telemetry/start services/main.ts NAME [NAME …]`: runs these services in this process.
import { STOP_WAVES } from '@catchment/config';
import { runServices, type Service } from '@catchment/service';

const wanted = process.argv.slice(2);
const known: readonly string[] = STOP_WAVES.flat();
const unknown = wanted.find((name) => !known.includes(name));
if (wanted.length === 0 || unknown !== undefined || new Set(wanted).size < wanted.length) {
  const problem = unknown === undefined ? 'name the services to run, each once' : `there is no service ${unknown}`;
  process.stderr.write(`${problem}; there are: ${known.toSorted().join(' ')}\n`);
  process.exit(64);
}
const load = async (name: string): Promise<Service> => (await import(`./${name}/src/service.ts`)).service;
const waves = STOP_WAVES.map((wave) => Promise.all(wave.filter((name) => wanted.includes(name)).map(load)));
await runServices(await Promise.all(waves), process.env);
