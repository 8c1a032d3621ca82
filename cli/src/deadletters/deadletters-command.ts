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
import { deadLetterContent } from './dead-letter-content.ts';
import { deadLetterDocument, deadLetterLine, headerLine } from './dead-letter-lines.ts';

type Options = { readonly dataDir: string; readonly json: boolean };
type Selection = { readonly reader?: string; readonly all: boolean };

const WHERE = `
Where the broker is found:
  NATS_URL in the environment, with NATS_USER and NATS_PASSWORD where the URL has no login (as in every service's container),
  otherwise the broker of the installation that runs with "npm start" on this machine.`;
/** A run of retry or drop takes this many dead letters. */
const MAX_SELECTED = 1_000;

/** `catchment deadletters …` */
export function deadlettersCommand(): Command {
  const command = new Command('deadletters');
  const add = (name: string, description: string) =>
    command.command(name).description(description).addOption(dataDirOption()).option('--json', 'for programs', false);

  add('list', 'one line for each dead letter, the oldest first')
    .option(
      '--reader <name>',
      'only those of this reader; a name without the number of a partition means all partitions',
    )
    .option('--limit <number>', 'dead letters at most', wholeNumber(1, 1_000_000), 1_000)
    .addHelpText('after', `${WHERE}\n\nExample:\n  catchment deadletters list --reader writer`)
    .action((options: Options & { reader?: string; limit: number }) =>
      using(options, (deadLetters) => list(deadLetters, options)),
    );

  add(
    'show <number>',
    'print a dead letter with its content, decoded if it is a message of this version; long lists are shortened',
  )
    .option('--raw', 'print the bytes of its content', false)
    .addHelpText('after', WHERE)
    .action((number: string, options: Options & { raw: boolean }) =>
      using(options, (deadLetters) => show(deadLetters, deadLetterNumber(number), options)),
    );

  add(
    'retry [numbers...]',
    'try dead letters again: each is published again for the reader that could not handle it, and for no other',
  )
    .option('--reader <name>', 'with --all: of this reader only')
    .option('--all', 'all dead letters, in their order', false)
    .option('--overwrite', 'also retry letters that may replace or delete records that were written since', false)
    .option('--wait <seconds>', 'seconds to wait for the result of each', wholeNumber(0, 3_600), 20)
    .addHelpText(
      'after',
      `
First repair the cause: the list has the reason, and the log of its service has the error («message became a dead letter»).
A dead letter that fails again becomes a new one.

Messages that came after a dead letter have been handled before it. So a dead letter of the
writer of records only fills gaps, unless --overwrite is given: then it is applied as if it were written now, and replaces newer records of the
same times. Values on nodes are read from the store, and states take the records as late ones. Deleted nodes are not revived.
${WHERE}

Examples:
  catchment deadletters retry 17
  catchment deadletters retry --all --reader events-recorded`,
    )
    .action((numbers: string[], options: Options & Selection & { overwrite: boolean; wait: number }) =>
      using(options, async (deadLetters) => {
        for (const deadLetter of await selected(deadLetters, numbers, options))
          await retry(deadLetters, deadLetter, options);
      }),
    );

  add('drop [numbers...]', 'remove dead letters for good')
    .option('--reader <name>', 'with --all: of this reader only')
    .option('--all', 'all dead letters', false)
    .requiredOption('--yes', 'you mean it')
    .addHelpText(
      'after',
      `\nThe command writes to the log which letters it has dropped, without their content.\n${WHERE}`,
    )
    .action((numbers: string[], options: Options & Selection) =>
      using(options, async (deadLetters) => {
        const aside = { destination: { write: (line: string) => void process.stderr.write(line) } };
        const log = createLogger('deadletters', options.json ? aside : {});
        for (const deadLetter of await selected(deadLetters, numbers, options)) {
          await deadLetters.drop(deadLetter.number);
          log.warn({ letter: deadLetterDocument(deadLetter) }, 'dead letter was dropped');
          if (options.json) console.log(JSON.stringify({ number: deadLetter.number, outcome: 'dropped' }));
        }
      }),
    );
  return command;
}

async function using(options: Options, work: (deadLetters: DeadLetters) => Promise<void>): Promise<void> {
  const url = withBackendLogins(process.env).NATS_URL ?? (await readRunning(options.dataDir))?.natsUrl;
  if (!url) throw new UsageError('No installation found. Start one with "npm start", or set NATS_URL.');
  const deadLetters = await DeadLetters.open({ url, name: 'deadletters', prefix: process.env.NATS_PREFIX ?? '' }).catch(
    forPeople,
  );
  try {
    await work(deadLetters).catch(forPeople);
  } finally {
    await deadLetters.close();
  }
}

async function list(deadLetters: DeadLetters, options: Options & { reader?: string; limit: number }): Promise<void> {
  let count = 0;
  for await (const deadLetter of deadLetters.list()) {
    if (!isOf(deadLetter, options.reader)) continue;
    if (count === options.limit)
      return console.error(`There are more than ${options.limit}: see --limit and --reader.`);
    if (count === 0 && !options.json) console.log(headerLine());
    console.log(options.json ? JSON.stringify(deadLetterDocument(deadLetter)) : deadLetterLine(deadLetter));
    count += 1;
  }
  if (count === 0 && !options.json) console.log('There are no dead letters.');
}

async function show(
  deadLetters: DeadLetters,
  number: number,
  { json, raw }: Options & { raw: boolean },
): Promise<void> {
  const { data, ...deadLetter } = await deadLetters.get(number);
  if (raw) return void process.stdout.write(data);
  const document = { ...deadLetterDocument(deadLetter), content: deadLetterContent(deadLetter.subject, data) };
  console.log(JSON.stringify(document, bigintText, json ? undefined : 2));
}

async function retry(
  deadLetters: DeadLetters,
  deadLetter: DeadLetter,
  { overwrite, wait, json }: Options & { readonly overwrite: boolean; readonly wait: number },
): Promise<void> {
  const { data } = await deadLetters.get(deadLetter.number);
  const retried = await deadLetters.retry(deadLetter.number, retryContent(deadLetter, data, { overwrite }));
  const outcome = await deadLetters.outcome(deadLetter, retried, wait * 1_000);
  if (outcome.kind === 'failed') process.exitCode = 1;
  if (json) {
    const again = outcome.kind === 'failed' ? { letter: deadLetterDocument(outcome.letter) } : {};
    return console.log(JSON.stringify({ number: deadLetter.number, outcome: outcome.kind, ...again }));
  }
  const what = {
    handled: () => 'was handled.',
    waiting: () => `waits for its reader ${deadLetter.reader}: is its service running?`,
    failed: () =>
      outcome.kind === 'failed' &&
      `failed again, and is dead letter ${outcome.letter.number} now: ${outcome.letter.reason}`,
  }[outcome.kind]();
  console.log(`Dead letter ${deadLetter.number} ${what}`);
}

/**
 * Reads the dead letters that a command names, before the first one is touched: a message that fails again is not tried
 * again.
 */
async function selected(
  deadLetters: DeadLetters,
  numbers: readonly string[],
  { all, reader }: Selection,
): Promise<readonly DeadLetter[]> {
  if (all === numbers.length > 0) throw new UsageError('Name dead letters by their numbers, or give --all.');
  const found: DeadLetter[] = [];
  if (!all)
    for (const number of numbers) {
      const { data: _, ...deadLetter } = await deadLetters.get(deadLetterNumber(number));
      found.push(deadLetter);
    }
  else
    for await (const deadLetter of deadLetters.list()) {
      if (isOf(deadLetter, reader)) found.push(deadLetter);
      if (found.length === MAX_SELECTED) break;
    }
  return found;
}

const isOf = (deadLetter: DeadLetter, reader: string | undefined): boolean =>
  reader === undefined || deadLetter.reader === reader || deadLetter.reader.replace(/-\d+$/, '') === reader;

function deadLetterNumber(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new UsageError(`${text} is no number of a dead letter.`);
  return number;
}

const bigintText = (_name: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
