// Every TOA5, RDB, CSV and GPX file of CATCHMENT_TEST_DATA through servers and clients of others, read back by the API and compared with
// what Python reads (`npm run test:acquisition`): each file through a transport that fetches and one that pushes, one file of each
// format through all of them; with ACQUISITION_ALL=1 every file through every one.
import { type Installation, startInstallation } from './src/installation.ts';
import { type Acquired, acquire, type Site } from './src/real-acquisition/acquire.ts';
import { dataFileOf, dataFiles, refusalOf } from './src/real-acquisition/files.ts';
import { clientsOf, FETCHING, openServers, type PlaceName, PUSHING } from './src/real-acquisition/places.ts';
import { tableOf } from './src/real-acquisition/table.ts';

const FOLDER = process.env.CATCHMENT_TEST_DATA ?? '';
if (FOLDER === '') throw new Error('CATCHMENT_TEST_DATA must name the folder of the files');
const ALL: readonly PlaceName[] = [...FETCHING, ...PUSHING];
const LIMIT_MS = 3_600_000;

const FILES = await dataFiles(FOLDER);
const readable = FILES.filter((file) => !refusalOf(file));
const kinds = await Promise.all(readable.map(async (file) => (await dataFileOf(FOLDER, file)).kind));
/** The first file of each format goes through every transport. */
const firsts = new Set(readable.filter((_, n) => kinds.indexOf(kinds[n] ?? 'CSV') === n));

function placesFor(file: string, n: number): readonly PlaceName[] {
  if (firsts.has(file) || process.env.ACQUISITION_ALL) return ALL;
  return [FETCHING[n % FETCHING.length] ?? 'FTP', PUSHING[n % PUSHING.length] ?? 'MQTT'];
}

let installation: Installation;
let site: Site;
let servers: Awaited<ReturnType<typeof openServers>>;
const rows: Acquired[] = [];

beforeAll(async () => {
  servers = await openServers(ALL);
  installation = await startInstallation({ env: servers.env });
  const { locationId } = await installation.api.createSite('Real files');
  const clients = await clientsOf(installation, servers);
  site = { installation, locationId, places: { ...servers.places, ...clients } };
}, 600_000);
afterAll(async () => {
  process.stderr.write(`${tableOf(rows)}\n`);
  await installation?.stop();
  await servers?.close();
}, 120_000);

test.each(FILES.map((file, n) => [file, n] as const))(
  '%s',
  async (file, n) => {
    const failed: string[] = [];
    for (const place of placesFor(file, n)) {
      const found = await acquire(site, FOLDER, file, place).catch((error: Error) => {
        failed.push(`${place}: ${error.message}`);
      });
      if (found) rows.push(found);
      process.stderr.write(`${file} by ${place}: ${found ? `${found.values} values` : failed.at(-1)}\n`);
    }
    expect(failed).toEqual([]);
  },
  LIMIT_MS,
);
