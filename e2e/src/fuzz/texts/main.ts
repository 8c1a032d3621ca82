// `npm run fuzz:texts -w e2e [-- --seed 1]` sends every class of text through every interface of its own Catchment, while another account
// writes and reads. Ends with 0 when every answer was clear, what was taken is read back equal, nothing stalled and nothing became a dead
// letter.
import { parseArgs } from 'node:util';
import { startInstallation } from '../../installation.ts';
import { sendTexts, TEXTS_ENV, type TextsRun } from './run.ts';

const USAGE = `usage: npm run fuzz:texts -w e2e [-- options]

Starts a Catchment, sends it texts of every class of Unicode through every interface (API, files, MQTT, modems, LoRaWAN, decoders, programs,
mail), and ends it. Another account writes a value each second meanwhile, and waits until it is shown.

  --seed <number>     which characters of the categories (default: 1)
  --interface <text>  only interfaces whose names have it
  --text <text>       only classes of texts whose names have it
  --seconds <number>  when no further interface is begun (default: 1200)
  --limit <number>    seconds that the other account's value may take (default: 8)
  --help              this text`;

const began = performance.now();
const print = (text: string): void => void process.stdout.write(`${text}\n`);
const say = (line: string): void => print(`${((performance.now() - began) / 1000).toFixed(1).padStart(7)} s  ${line}`);

const options = readOptions();
if (options) process.exitCode = (await fuzz(options)) ? 0 : 1;

type Options = {
  readonly seed: number;
  readonly seconds: number;
  readonly limit: number;
  readonly entryPoint: string;
  readonly text: string;
};

function readOptions(): Options | undefined {
  try {
    const { values } = parseArgs({
      options: {
        seed: { type: 'string', default: '1' },
        interface: { type: 'string', default: '' },
        text: { type: 'string', default: '' },
        seconds: { type: 'string', default: '1200' },
        limit: { type: 'string', default: '8' },
        help: { type: 'boolean', default: false },
      },
    });
    const [seed, seconds, limit] = [Number(values.seed), Number(values.seconds), Number(values.limit)];
    if (values.help) {
      print(USAGE);
      return undefined;
    }
    if (!Number.isSafeInteger(seed) || seed < 0 || !(seconds > 0) || !(limit > 0))
      throw new Error('--seed must be a whole number, --seconds and --limit more than 0');
    return { seed, seconds, limit, entryPoint: values.interface, text: values.text };
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${USAGE}\n`);
    process.exitCode = 2;
  }
  return undefined;
}

/** @returns whether all was well */
async function fuzz({ limit, ...asked }: Options): Promise<boolean> {
  say('Starting Catchment');
  const installation = await startInstallation({ args: ['--no-demo'], env: TEXTS_ENV });
  try {
    return report(await sendTexts(installation, { ...asked, say }), limit);
  } finally {
    say('Stopping Catchment');
    await installation.stop();
  }
}

function report({ faults, counts, beats, deadLetters }: TextsRun, limit: number): boolean {
  for (const { entryPoint, text, what } of faults) say(`FAILED ${entryPoint}, ${text}: ${what}`);
  const all = [...counts.values()];
  const sum = (of: (item: (typeof all)[number]) => number) => all.reduce((total, item) => total + of(item), 0);
  const sorted = beats.delaysMs.toSorted((a, b) => a - b);
  const seconds = (share: number) => ((sorted[Math.floor((sorted.length - 1) * share)] ?? 0) / 1000).toFixed(2);
  say(
    `${counts.size} interfaces: ${sum(({ taken }) => taken)} texts taken, ${sum(({ refused }) => refused)} refused, ${sum(({ broken }) => broken)} neither`,
  );
  say(
    `the other account: ${sorted.length} values shown after ${seconds(0.5)} s (median), ${seconds(0.99)} s (99 %), ${seconds(1)} s (longest); ${beats.lost} lost`,
  );
  for (const fault of beats.faults) say(`FAILED the other account: ${fault}`);
  const hasLetters = !deadLetters.includes('There are no dead letters.');
  if (hasLetters) say(`FAILED dead letters:\n${deadLetters}`);
  const isSlow = Number(seconds(1)) > limit;
  if (isSlow) say(`FAILED the other account waited for more than ${limit} s`);
  return faults.length === 0 && !hasLetters && !isSlow && beats.lost === 0 && beats.faults.length === 0;
}
