// What `npm run check -- exports` begins with: tests, and files that are started, served or read by their path. Whatever these do not
// reach is refused. Files that a test runner or a bundler is given, and those of `new URL('…', import.meta.url)`, knip finds by itself.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const manifests = globSync(
  ['package.json', '{packages,services}/*/package.json', '{web,cli,e2e,bench,deploy}/package.json'],
  { cwd: import.meta.dirname },
);
const folders = manifests.map((file) => path.dirname(file));
const folderOf = (file: string) => folders.find((folder) => file.startsWith(`${folder}/`)) ?? '.';

/** The programs of npm's scripts that go to the root first (`cd ../.. && node scripts/test-kafka.ts`): knip does not follow these. */
const started = manifests.flatMap((file) => {
  const { scripts = {} } = JSON.parse(readFileSync(path.join(import.meta.dirname, file), 'utf8')) as {
    scripts?: Record<string, string>;
  };
  return Object.values(scripts).flatMap((command) => /^cd [./]+ && node (\S+)$/.exec(command)?.[1] ?? []);
});

const workspace = (folder: string, entry: readonly string[], settings: { includeEntryExports?: true } = {}) => ({
  [folder]: {
    entry: [
      ...new Set([
        ...entry,
        ...started.filter((file) => folderOf(file) === folder).map((file) => path.relative(folder, file)),
      ]),
    ],
    project: ['**/*.{ts,tsx,js,mjs}', ...(NOT_CODE[folder] ?? []).map((files) => `!${files}`)],
    ...settings,
  },
});
const TESTS = '{src,test}/**/*.test.ts';
const service = (name: string, ...entry: readonly string[]) =>
  workspace(`services/${name}`, ['src/service.ts', TESTS, ...entry]);
/** Only the repository imports its packages: what nobody uses of their entry points is dead too. */
const sharedCode = (name: string) => workspace(`packages/${name}`, [TESTS], { includeEntryExports: true });
/** Tools write these, or they are programs that tests run. */
const NOT_CODE: Readonly<Record<string, readonly string[]>> = {
  'packages/contracts': ['src/generated/**'],
  'sdk/typescript': ['src/generated/**'],
  'services/processing': ['examples/**', 'test/hostile/**'],
};

export default {
  // Programs of the machine (kubectl, openssl) are no packages.
  exclude: ['binaries'],
  // Its files are entry points of the package.
  ignore: ['packages/contracts/src/generated/**'],
  workspaces: {
    ...workspace('.', ['services/main.ts', 'scripts/**/*.test.ts']),
    ...sharedCode('*'),
    ...sharedCode('contracts'),
    ...service('*'),
    ...service('historic', 'src/copy-records.ts'),
    ...service('devices', 'test/*.pymodbus.ts', 'test/maker-table.ts'),
    ...service('events', 'test/*.kafka.ts'),
    ...service('gateway', 'test/flood-memory.ts'),
    ...service('processing'),
    ...service('render', 'fonts/*.test.ts'),
    ...workspace('cli', [TESTS, 'bin/*', 'src/main.ts', 'test/make-accounts.ts']),
    ...workspace('web', ['**/*.test.{ts,tsx}', 'test/serve.ts']),
    ...workspace('e2e', ['**/*.test.ts', '**/*.{console,kafka,acquisition}.ts']),
    ...workspace('bench', ['src/**/*.test.ts', 'src/floors/*-server.ts']),
    ...workspace('deploy', [
      '**/*.test.ts',
      'check/take-{custom-,}schemas.ts',
      'image/sbom/main.ts',
      'test/start-times.ts',
      'chart/catchment/files/*.mjs',
    ]),
    ...workspace('sdk/typescript', ['test/**/*.test.ts']),
  },
};
