import type { IRegularForbiddenRuleType } from 'dependency-cruiser';
import type { Plan } from './room-map.ts';
import { LAYERS as LAYER_NAMES } from './services/service-files.ts';

const LAYERS = LAYER_NAMES.join('|');
/** A file of a layer: `$1` is its service, `$2` the room that the layer is in, empty where the service is one room. */
const layer = (names: string): string => `^services/([^/]+)/src/(|[^/]+/)(?:${names})/`;
/** A file of a layer of the same service, in any of its rooms. */
const ownLayer = (names: string): string => `^services/$1/src/(?:|[^/]+/)(?:${names})/`;

const TEST = '\\.test\\.tsx?$|^[^/]+/test/|^[^/]+/[^/]+/test/';
/** Packages that decide by their arguments alone, and messages between services, which are data; calls need @catchment/grpc. */
const PURE_PACKAGES =
  '^packages/(?:(?:access|chart-settings|contracts|dashboard-view|delimited-text|equation|errors|expressions|ids|ingest-log|json-body|number-format|pakbus|quality|query|states|time)/|egress/src/addresses\\.ts$)';
/** Libraries that compute; which names of node:crypto and node:net are pure is checked with the style (biome.json). */
const PURE_LIBRARIES =
  '^(?:util|net|crypto)$|node_modules/(?:apache-arrow|hyparquet|hyparquet-writer|re2js|file-type|mime|lru-cache|ipaddr\\.js)/';
const DRIVERS = 'node_modules/(?:pg|@grpc|@nats-io|fastify|nodemailer|undici)/';

const rule = (
  name: string,
  comment: string,
  from: IRegularForbiddenRuleType['from'],
  to: IRegularForbiddenRuleType['to'],
): IRegularForbiddenRuleType => ({ name, comment, severity: 'error', from, to });

/** Plain reads: SQL that changes nothing (checked by room-map.ts), which a use case of the same room may ask. */
const OWN_QUERIES = '^services/$1/src/$2store/[^/]+-query\\.ts$';

/** The layers of a service that a layer may not know. */
const layerRule = (name: string, forbidden: string, allowed: readonly string[] = []): IRegularForbiddenRuleType =>
  rule(
    `${name}-knows-its-place`,
    'main → transport, bus, clients, store → usecases → domain: an arrow the other way ties a decision to its surroundings',
    { path: layer(name), pathNot: TEST },
    { path: ownLayer(forbidden), pathNot: [...allowed] },
  );

/** Forbidden imports. */
export const IMPORT_RULES: IRegularForbiddenRuleType[] = [
  rule('no-circles', 'files that need each other cannot be understood one by one', {}, { circular: true }),
  rule(
    'no-unknown-module',
    'an import leads to a file or to a package that is installed',
    {},
    { couldNotResolve: true },
  ),
  rule(
    'no-service-to-service',
    'services share proto and packages; call by gRPC or listen on the bus',
    { path: '^services/([^/]+)/' },
    { path: '^services/', pathNot: '^services/$1/' },
  ),
  rule(
    'packages-know-no-service',
    'packages are shared code; what uses them is above them',
    { path: '^packages/' },
    { path: '^(?:services|cli|e2e|bench|scripts|web)/' },
  ),
  rule(
    'services-know-no-tools',
    'a service is deployed without the command line, the benchmarks and the scripts',
    { path: '^services/' },
    { path: '^(?:cli|e2e|bench|scripts|web)/' },
  ),
  rule(
    'e2e-is-black-box',
    'end-to-end tests know the gateway by its URL only; of our code they may use @catchment/testkit',
    { path: '^e2e/' },
    { path: '^(?:services|packages|cli|bench|scripts)/', pathNot: '^packages/testkit/' },
  ),
  rule(
    'web-runs-in-browsers',
    'the page takes types of our packages only, beside what decides how a line is drawn, which settings a chart has, which state a record leads to and what a rating makes of it; what runs there is its own code and libraries for browsers',
    { path: '^web/src/', pathNot: TEST },
    {
      path: '^(?:packages|services|cli|e2e|bench|scripts)/',
      pathNot:
        '^packages/(?:dashboard-view/|chart-settings/|equation/src/rating\\.ts$|states/src/(?:evaluation|match-state)\\.ts$)',
      dependencyTypesNot: ['type-only'],
    },
  ),
  rule(
    'console-pages-stand-alone',
    'a page of the console takes what is shared, never another page nor the frame: each is loaded by itself',
    { path: '^web/src/pages/([^/]+)/', pathNot: TEST },
    { path: '^web/src/(?:app/|pages/)', pathNot: '^web/src/pages/$1/' },
  ),
  rule(
    'shared-knows-no-page',
    'data, words, charts and what tiles are made of are below the pages: the frame alone loads pages',
    { path: '^web/src/(?!app/|pages/)', pathNot: TEST },
    { path: '^web/src/(?:app|pages)/' },
  ),
  rule(
    'ui-knows-nothing-of-ours',
    'dialogs, menus, tables and fields are given their texts and values, and serve any page',
    { path: '^web/src/ui/', pathNot: TEST },
    { path: '^(?:web/src|packages|sdk)/', pathNot: '^web/src/ui/' },
  ),
  rule(
    'words-are-words',
    'texts depend on nothing but each other',
    { path: '^web/src/words/', pathNot: TEST },
    { path: '^(?:web/src|packages|sdk)/', pathNot: '^web/src/words/' },
  ),
  rule(
    'data-draws-nothing',
    'data is read, held and kept current here; how it looks is the pages’ business',
    { path: '^web/src/data/', pathNot: TEST },
    { path: '^web/src/(?!data/|words/|format/|live/)' },
  ),
  rule(
    'console-uses-the-public-client',
    'one file makes the client of the API; pages ask by it, so that each request carries the session and waits for a lost one',
    { path: '^web/src/(?!data/)', pathNot: TEST },
    { path: '^sdk/', dependencyTypesNot: ['type-only'] },
  ),
  rule(
    'web-knows-no-node',
    'browsers have none of the modules of Node.js',
    { path: '^web/src/', pathNot: TEST },
    { dependencyTypes: ['core'] },
  ),
  rule(
    'web-is-layered',
    'tiles → components, charts, maps → live, format: an arrow the other way ties what is shared to one use',
    { path: '^web/src/(?:format|live|charts|maps)/', pathNot: TEST },
    { path: '^web/src/(?:tiles|components)/' },
  ),
  rule(
    'client-stands-alone',
    'the TypeScript client is published by itself, for browsers too: its own code and openapi-fetch',
    { path: '^sdk/typescript/src/' },
    { pathNot: '^sdk/typescript/src/|node_modules/openapi-fetch/' },
  ),
  rule(
    'workspaces-by-name',
    'import @catchment/<name>, so that package.json names the dependency',
    { path: '^(packages/[^/]+|services/[^/]+|cli|e2e|bench|scripts|deploy|web)/' },
    { path: '^packages/', pathNot: '^$1/', dependencyTypes: ['local'], dependencyTypesNot: ['aliased'] },
  ),
  rule(
    'domain-is-pure',
    'domain/ decides by its arguments; what loads, saves and sends imports it, never the other way',
    { path: layer('domain'), pathNot: TEST },
    // room-map.ts follows what an entry point exports to its file.
    { pathNot: [ownLayer('domain'), '^services/$1/src/[^/]+/index\\.ts$', PURE_PACKAGES, PURE_LIBRARIES] },
  ),
  layerRule('usecases', 'store|clients|bus|transport|runner', [OWN_QUERIES]),
  layerRule('store', 'clients|bus|transport|runner'),
  layerRule('clients', 'store|bus|transport|runner'),
  layerRule('bus', 'store|clients|transport|runner'),
  layerRule('transport', 'store|clients|bus|runner'),
  layerRule('runner', 'store|clients|bus|transport'),
  rule(
    'no-drivers-in-usecases',
    'a use case names what it needs in ports.ts; store/, clients/ and bus/ bring it',
    { path: layer('usecases'), pathNot: TEST },
    { path: DRIVERS },
  ),
  rule(
    'postgres-in-stores',
    'SQL is a store’s: the others have no driver for it',
    { path: '^services/', pathNot: [layer('store'), TEST] },
    { path: 'node_modules/(?:pg|pg-[\\w-]+|@types/pg)/' },
  ),
  rule(
    'layers-know-no-wiring',
    'what starts a service knows its parts, never the other way',
    { path: layer(LAYERS), pathNot: TEST },
    { path: '^services/$1/src/[^/]+\\.ts$' },
  ),
  rule(
    'everything-has-a-layer',
    'a file of a service is wiring, or in one of the layers',
    { path: '^services/' },
    { path: '^services/[^/]+/src/[^/]+/', pathNot: [layer(LAYERS), '^services/[^/]+/src/[^/]+/index\\.ts$'] },
  ),
  rule(
    'services-are-their-src',
    'what a service runs is in src/, where layers and rooms are checked; beside it lies data, such as fonts with their list',
    { path: '^services/[^/]+/src/', pathNot: TEST },
    { path: '^services/', pathNot: '^services/[^/]+/(?:src/|node_modules/|fonts/fonts\\.ts$)' },
  ),
  rule(
    'rooms-are-used-in-src',
    'folders beside src/ and test/ have no code of the service',
    { path: '^services/[^/]+/(?!src/|test/)[^/]+/', pathNot: TEST },
    { path: '^services/[^/]+/src/[^/]+/' },
  ),
  rule('tests-are-no-code', 'a test serves nobody else', { pathNot: TEST }, { path: '\\.test\\.ts$' }),
  rule(
    'rooms-have-one-entry-point',
    'what a room offers to others is what its index.ts exports',
    { path: '^services/([^/]+)/src/([^/]+)', pathNot: TEST },
    { path: layer(LAYERS), pathNot: [`^services/[^/]+/src/(?:${LAYERS})/`, '^services/$1/src/$2/'] },
  ),
];

/** The rooms of each service that a room stands above, and may not be known by (docs/architecture.md#rooms). */
export const roomRules = (plans: ReadonlyMap<string, Plan>): IRegularForbiddenRuleType[] =>
  [...plans].flatMap(([service, { rooms }]) =>
    rooms.map((room, i) => {
      const source = `^services/${service}/src`;
      const above = rooms.slice(i + 1).map((name) => `${source}/${name}/`);
      return rule(
        'rooms-import-downwards',
        'a room imports the rooms that stand above it in the table of docs/architecture.md#rooms, and no wiring',
        { path: `${source}/${room}/`, pathNot: TEST },
        { path: [...above, `${source}/[^/]+\\.ts$`] },
      );
    }),
  );

/** What all rooms of a service share knows none of them. */
export const sharedRules = (plans: ReadonlyMap<string, Plan>): IRegularForbiddenRuleType[] =>
  [...plans].flatMap(([service, { layers, rooms }]) => {
    if (rooms.length === 0 || layers.length === 0) return [];
    const source = `^services/${service}/src`;
    return rule(
      'shared-layers-know-no-room',
      'the layers beside the rooms are what the rooms share: they stand below all of them',
      { path: `${source}/(?:${layers.join('|')})/`, pathNot: TEST },
      { path: `${source}/(?:${rooms.join('|')})/` },
    );
  });
