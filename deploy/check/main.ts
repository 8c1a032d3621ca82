// `npm run check -w deploy [-- --update]`: what must hold for the chart without a cluster. --update writes golden renders and README.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { chartReadme, documentedValues } from './chart-readme.ts';
import { CHART, isHelmThere, lint, template } from './helm.ts';
import { type Manifest, objectValidator } from './kubernetes-schemas.ts';
import { hooksWithoutWay, wrongArrows } from './network-arrows.ts';
import { checkRefusals } from './refusals.ts';
import { checkSwitching } from './switching.ts';
import { checkUpgrades } from './upgrades.ts';
import { WRONG_VALUES } from './wrong-values.ts';

const SETS = path.join(import.meta.dirname, 'value-sets');
/** The chart has a `values-<size>.yaml` for people to begin with. */
const SIZES = /^values-\w+\.yaml$/;
const GOLDEN = path.join(import.meta.dirname, 'golden');
const isUpdate = process.argv.includes('--update');

let failures = 0;
function report(what: string, problems: readonly string[]): void {
  process.stdout.write(`${problems.length === 0 ? 'ok    ' : 'FAILED'} ${what}\n`);
  for (const problem of problems) process.stdout.write(`       ${problem}\n`);
  failures += problems.length;
}

async function checkSet(folder: string, file: string, validate: (object: Manifest) => string[]): Promise<void> {
  const name = path.basename(file, '.yaml');
  const { status, stdout, stderr } = await template('--values', path.join(folder, file));
  if (status !== 0) return report(`${name}: renders`, [stderr]);
  const rendered = stable(stdout);
  const golden = path.join(GOLDEN, file);
  if (isUpdate) await writeFile(golden, rendered);
  const expected = await readFile(golden, 'utf8').catch(() => '');
  report(`${name}: the render is the golden one`, rendered === expected ? [] : [firstDifference(expected, rendered)]);
  const objects = parseAllDocuments(rendered)
    .map((document) => document.toJS() as Manifest | null)
    .filter((object) => object !== null);
  report(`${name}: ${objects.length} objects are valid`, objects.flatMap(validate));
  report(`${name}: network policies allow the architecture's arrows only`, wrongArrows(objects));
  report(`${name}: what runs before an upgrade brings its policies`, hooksWithoutWay(objects));
}

/** Generated passwords differ from run to run, and dashboards have files and a test of their own. */
const stable = (rendered: string): string =>
  rendered
    .replaceAll(/^( {2}(?:service-token-secret|\w+-password): )[A-Za-z0-9+/=]{64}$/gm, '$1Z2VuZXJhdGVk')
    .replaceAll(/^( {2}catchment-\w+\.json: )".*"$/gm, '$1"{}"');

function firstDifference(expected: string, rendered: string): string {
  const [before, now] = [expected.split('\n'), rendered.split('\n')];
  const line = now.findIndex((text, index) => text !== before[index]);
  const at = line < 0 ? now.length : line;
  return `line ${at + 1}: expected ${JSON.stringify(before[at])}, rendered ${JSON.stringify(now[at])} (npm run check -w deploy -- --update takes it over)`;
}

async function checkReadme(): Promise<void> {
  const [head, values] = await Promise.all(
    [path.join(CHART, '../README.head.md'), path.join(CHART, 'values.yaml')].map((file) => readFile(file, 'utf8')),
  );
  const file = path.join(CHART, 'README.md');
  const wanted = chartReadme(head as string, values as string);
  if (isUpdate) await writeFile(file, wanted);
  const isCurrent = (await readFile(file, 'utf8').catch(() => '')) === wanted;
  report(
    'README.md of the chart says what values.yaml says',
    isCurrent ? [] : ['run: npm run check -w deploy -- --update'],
  );
  const { undocumented } = documentedValues(values as string);
  report(
    'every value is documented',
    undocumented.map((key) => `${key} has no # -- comment`),
  );
}

async function checkWrongValues(): Promise<void> {
  for (const { what, set, says } of WRONG_VALUES) {
    const { status, stderr } = await template(...set.flatMap((setting) => ['--set', setting]));
    const problem = status === 0 ? 'accepted' : says.test(stderr) ? undefined : stderr;
    report(`refused: ${what}`, problem === undefined ? [] : [problem]);
  }
}

if (!(await isHelmThere())) {
  process.stdout.write('helm is not there (go install helm.sh/helm/v3/cmd/helm@latest): the chart is not checked\n');
  process.exitCode = process.argv.includes('--if-possible') ? 0 : 1;
} else {
  const { status, stdout, stderr } = await lint();
  report('helm lint --strict', status === 0 ? [] : [stdout + stderr]);
  const validate = await objectValidator();
  report('renders without any values', (await template()).status === 0 ? [] : ['it does not']);
  for (const file of (await readdir(SETS)).sort()) await checkSet(SETS, file, validate);
  const sizes = (await readdir(CHART)).filter((file) => SIZES.test(file)).sort();
  for (const file of sizes) await checkSet(CHART, file, validate);
  await checkReadme();
  await checkWrongValues();
  await checkUpgrades(report);
  await checkRefusals(report);
  await checkSwitching(report);
  process.exitCode = failures === 0 ? 0 : 1;
}
