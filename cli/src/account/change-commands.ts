import { type Command, InvalidArgumentError } from 'commander';
import { answer, type JsonOption } from '../command-line/answer.ts';
import { dataDirOption } from '../data-dir.ts';
import { deleteAccount, updateAccount } from './administer-account.ts';
import { connection, forPeople } from './connection.ts';

type Target = JsonOption & { dataDir: string };
type Changes = Target & {
  name?: string;
  type?: string;
  sourceLimit?: number;
  smsLimit?: number;
  rowsPerDay?: number;
  recordDays?: number;
  eventDays?: number;
};

/** Adds `catchment account update|disable|enable|delete <account>`; an account is named by its id or its slug. */
export function addChangeCommands(account: Command): void {
  const command = (name: string, description: string) =>
    account
      .command(`${name} <account>`)
      .description(`${description}; <account> is its id or its slug`)
      .addOption(dataDirOption());

  command('update', 'change an account')
    .option('--name <name>', 'account name')
    .option('--type <type>', 'STANDARD, PREMIUM, STARTER, TRIAL or MANAGED')
    .option('--source-limit <number>', 'rated sources, or "none"', readLimit)
    .option('--sms-limit <number>', 'messages a calendar month, or "none"', readLimit)
    .option('--rows-per-day <number>', 'rows per data source and day, 0 for no limit, or "default"', readWhole)
    .option('--record-days <number>', 'days that records are kept, 0 for ever, or "default"', readWhole)
    .option('--event-days <number>', 'days that events are kept, 0 for ever, or "default"', readWhole)
    .action(
      async (
        named: string,
        { dataDir, json = false, name, type, sourceLimit, smsLimit, rowsPerDay, ...days }: Changes,
      ) => {
        const change = {
          account: named,
          ...(name !== undefined && { accountName: name }),
          ...(type !== undefined && { accountType: type }),
          ...(sourceLimit !== undefined && { sourceLimit }),
          ...(smsLimit !== undefined && { smsLimit }),
          ...(rowsPerDay !== undefined && { rowsPerSourcePerDay: rowsPerDay }),
          ...days,
        };
        const updated = await updateAccount(await connection(dataDir), change).catch(forPeople);
        const { accountName, slug, accountType, status } = updated;
        answer({ json }, updated, () => `Account ${accountName} (${slug}): ${accountType}, ${status}.`);
      },
    );

  for (const [name, status, what] of [
    ['disable', 'DISABLED', 'refuse every key of an account until it is enabled again'],
    ['enable', 'ACTIVE', 'let the keys of a disabled account work again'],
  ] as const)
    command(name, what).action(async (named: string, { dataDir, ...options }: Target) => {
      const updated = await updateAccount(await connection(dataDir), { account: named, status }).catch(forPeople);
      answer(options, updated, () => `Account ${updated.accountName} (${updated.slug}) is ${updated.status}.`);
    });

  command('delete', 'delete an account with its nodes, data, people and keys; cannot be undone')
    .requiredOption('--yes', 'you mean it')
    .action(async (named: string, { dataDir, ...options }: Target) => {
      const deleted = await deleteAccount(await connection(dataDir), named).catch(forPeople);
      answer(options, deleted, () => `Account ${deleted.ownerId} is deleted, with ${deleted.nodes} nodes.`);
    });
}

/** Reads a whole number; −1 stands for `default`. */
function readWhole(text: string): number {
  if (text.toLowerCase() === 'default') return -1;
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || value < 0)
    throw new InvalidArgumentError('must be a whole number from 0, or "default"');
  return value;
}

/** Reads a number; below 0 means no limit, as in the contract. */
function readLimit(text: string): number {
  if (text.toLowerCase() === 'none') return -1;
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0)
    throw new InvalidArgumentError('must be a number from 0, or "none"');
  return value;
}
