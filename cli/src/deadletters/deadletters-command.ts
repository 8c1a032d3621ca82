import { type DeadLetter, DeadLetters } from '@catchment/bus';
import { withBackendLogins } from '@catchment/config';
import { retryContent } from '@catchment/ingest-log';
import { createLogger } from '@catchment/telemetry';
import { Command } from 'commander';
import { forPeople } from '../account/connection.ts';
import { wholeNumber } from '../api/api-options.ts';
import { UsageError } from '../command-line/failure.ts';
import { dataDirOption } from '../data-dir.ts';
import { readRunning } from '../start/state.ts';
import { letterContent } from './letter-content.ts';
import { headerLine, letterDocument, letterLine } from './letter-lines.ts';

type Options = { readonly dataDir: string; readonly json: boolean };
type Selection = { readonly reader?: string; readonly all: boolean };

const WHERE = `
Where the broker is found:
  NATS_URL in the environment, with NATS_USER and NATS_PASSWORD where the URL has no login (as in every service's container),
  otherwise that of the installation that runs with "npm start" on this machine.`;
/** A run of retry or drop takes so many dead letters. */
const MAX_SELECTED = 1_000;

/** `catchment deadletters …` */
export function deadlettersCommand(): Command {
  const command = new Command('deadletters');
  const add = (name: string, description: string) =>
    command.command(name).description(description).addOption(dataDirOption()).option('--json', 'for programs', false);

  add('list', 'one line for each letter, the oldest first')
    .option('--reader <name>', 'of this reader only; of readers of partitions without the number, for all of them')
    .option('--limit <number>', 'letters at most', wholeNumber(1, 1_000_000), 1_000)
    .addHelpText('after', `${WHERE}\n\nExample:\n  catchment deadletters list --reader writer`)
    .action((options: Options & { reader?: string; limit: number }) =>
      using(options, (letters) => list(letters, options)),
    );

  add('show <number>', 'a letter with its content, decoded where it is a message of this version; long lists are cut')
    .option('--raw', 'the bytes of its content, to standard output', false)
    .addHelpText('after', WHERE)
    .action((number: string, options: Options & { raw: boolean }) =>
      using(options, (letters) => show(letters, letterNumber(number), options)),
    );

  add(
    'retry [numbers...]',
    'try letters again: each is published again for the reader that could not handle it, and for no other',
  )
    .option('--reader <name>', 'with --all: of this reader only')
    .option('--all', 'all letters, in their order', false)
    .option('--overwrite', 'also what may replace or delete records that were written since', false)
    .option('--wait <seconds>', 'for what becomes of each', wholeNumber(0, 3_600), 20)
    .addHelpText(
      'after',
      `
First repair what the reader failed at: its reason stands in the list, the error in the log of its service («message became a dead letter»).
A letter that fails again becomes a new one.

Readers pass over nothing while they wait, but what came after a dead letter has been handled before it. So a letter of the
writer of records only fills gaps, unless --overwrite is given: then it is applied as if it was written now, and replaces newer records of the
same times. Values on nodes are taken from the store, states see records that came late. Nothing is revived of nodes that were deleted.
${WHERE}

Examples:
  catchment deadletters retry 17
  catchment deadletters retry --all --reader events-recorded`,
    )
    .action((numbers: string[], options: Options & Selection & { overwrite: boolean; wait: number }) =>
      using(options, async (letters) => {
        for (const letter of await selected(letters, numbers, options)) await retry(letters, letter, options);
      }),
    );

  add('drop [numbers...]', 'remove letters for good')
    .option('--reader <name>', 'with --all: of this reader only')
    .option('--all', 'all letters', false)
    .requiredOption('--yes', 'you mean it')
    .addHelpText('after', `\nWhat is dropped is written to the log, without its content.\n${WHERE}`)
    .action((numbers: string[], options: Options & Selection) =>
      using(options, async (letters) => {
        const aside = { destination: { write: (line: string) => void process.stderr.write(line) } };
        const log = createLogger('deadletters', options.json ? aside : {});
        for (const letter of await selected(letters, numbers, options)) {
          await letters.drop(letter.number);
          log.warn({ letter: letterDocument(letter) }, 'dead letter was dropped');
          if (options.json) console.log(JSON.stringify({ number: letter.number, outcome: 'dropped' }));
        }
      }),
    );
  return command;
}

async function using(options: Options, work: (letters: DeadLetters) => Promise<void>): Promise<void> {
  const url = withBackendLogins(process.env).NATS_URL ?? (await readRunning(options.dataDir))?.natsUrl;
  if (!url) throw new UsageError('No installation found. Start one with "npm start", or set NATS_URL.');
  const letters = await DeadLetters.open({ url, name: 'deadletters', prefix: process.env.NATS_PREFIX ?? '' }).catch(
    forPeople,
  );
  try {
    await work(letters).catch(forPeople);
  } finally {
    await letters.close();
  }
}

async function list(letters: DeadLetters, options: Options & { reader?: string; limit: number }): Promise<void> {
  let count = 0;
  for await (const letter of letters.list()) {
    if (!isOf(letter, options.reader)) continue;
    if (count === options.limit)
      return console.error(`There are more than ${options.limit}: see --limit and --reader.`);
    if (count === 0 && !options.json) console.log(headerLine());
    console.log(options.json ? JSON.stringify(letterDocument(letter)) : letterLine(letter));
    count += 1;
  }
  if (count === 0 && !options.json) console.log('There are no dead letters.');
}

async function show(letters: DeadLetters, number: number, { json, raw }: Options & { raw: boolean }): Promise<void> {
  const { data, ...letter } = await letters.get(number);
  if (raw) return void process.stdout.write(data);
  const document = { ...letterDocument(letter), content: letterContent(letter.subject, data) };
  console.log(JSON.stringify(document, bigintText, json ? undefined : 2));
}

async function retry(
  letters: DeadLetters,
  letter: DeadLetter,
  { overwrite, wait, json }: Options & { readonly overwrite: boolean; readonly wait: number },
): Promise<void> {
  const { data } = await letters.get(letter.number);
  const retried = await letters.retry(letter.number, retryContent(letter, data, { overwrite }));
  const outcome = await letters.outcome(letter, retried, wait * 1_000);
  if (outcome.kind === 'failed') process.exitCode = 1;
  if (json) {
    const again = outcome.kind === 'failed' ? { letter: letterDocument(outcome.letter) } : {};
    return console.log(JSON.stringify({ number: letter.number, outcome: outcome.kind, ...again }));
  }
  const what = {
    handled: () => 'was handled.',
    waiting: () => `waits for its reader ${letter.reader}: is its service running?`,
    failed: () =>
      outcome.kind === 'failed' && `failed again, and is letter ${outcome.letter.number} now: ${outcome.letter.reason}`,
  }[outcome.kind]();
  console.log(`Dead letter ${letter.number} ${what}`);
}

/**
 * Reads the dead letters that a command names, before the first one is touched: a message that fails again is not tried
 * again.
 */
async function selected(
  letters: DeadLetters,
  numbers: readonly string[],
  { all, reader }: Selection,
): Promise<readonly DeadLetter[]> {
  if (all === numbers.length > 0) throw new UsageError('Name letters by their numbers, or give --all.');
  const found: DeadLetter[] = [];
  if (!all)
    for (const number of numbers) {
      const { data: _, ...letter } = await letters.get(letterNumber(number));
      found.push(letter);
    }
  else
    for await (const letter of letters.list()) {
      if (isOf(letter, reader)) found.push(letter);
      if (found.length === MAX_SELECTED) break;
    }
  return found;
}

const isOf = (letter: DeadLetter, reader: string | undefined): boolean =>
  reader === undefined || letter.reader === reader || letter.reader.replace(/-\d+$/, '') === reader;

function letterNumber(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new UsageError(`${text} is no number of a dead letter.`);
  return number;
}

const bigintText = (_name: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
