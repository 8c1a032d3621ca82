import type { CreateAccountResponse } from '@catchment/contracts/nodes';
import { newApiKey } from '@catchment/ids';
import { Command } from 'commander';
import { wholeNumber } from '../api/api-options.ts';
import { answer, type JsonOption } from '../command-line/answer.ts';
import { dataDirOption } from '../data-dir.ts';
import { addChangeCommands } from './change-commands.ts';
import { connection, forPeople, WHERE } from './connection.ts';
import { createAccount } from './create-account.ts';
import { type AccountKeys, keepAccount } from './keep-account.ts';
import { KubernetesSecret } from './kubernetes-secret.ts';
import { waitUntilDone } from './wait-until-done.ts';

type Options = JsonOption & {
  name: string;
  email: string;
  firstName: string;
  lastName: string;
  type?: string;
  parent?: string;
  dataDir: string;
  kubernetesSecret?: string;
  wait?: number;
};

/** Longest wait for a pod: others of the installation may still be fetching their images. */
const POD_WAIT_SECONDS = 3600;

function createdLines(name: string, created: CreateAccountResponse): string[] {
  const { ownerId, slug, administrationKey, defaultKey, ownerActivateUrl } = created;
  return [
    `Account ${name} created (id ${ownerId}, slug ${slug}).`,
    `Administration key (MODIFY, ACCOUNT):            ${administrationKey}`,
    `Default key (READ_ONLY, all workspaces):         ${defaultKey}`,
    ...(ownerActivateUrl === undefined ? [] : [`The owner sets a password (once, within 7 days): ${ownerActivateUrl}`]),
    'Keep them now: they are stored as hashes and cannot be shown again.',
  ];
}

/** `catchment account …` */
export function accountCommand(): Command {
  const account = new Command('account');
  account
    .command('create')
    .description('create an account with its owner and two API keys; keys and activation link are shown this once')
    .requiredOption('--name <name>', 'account name')
    .requiredOption('--email <address>', "the owner's e-mail address")
    .option('--first-name <name>', "the owner's first name", '')
    .option('--last-name <name>', "the owner's last name", '')
    .option('--type <type>', 'STANDARD, PREMIUM, STARTER or TRIAL; with --parent MANAGED or TRIAL')
    .option('--parent <account>', 'id or slug of the account that manages the new one')
    .addOption(dataDirOption())
    .option('--kubernetes-secret <name>', 'in a pod: keep the keys in this Secret, and do nothing when it has them')
    .option(
      '--wait <seconds>',
      `wait so long for an installation that is being started (default: 0; with --kubernetes-secret ${POD_WAIT_SECONDS})`,
      wholeNumber(0, 86_400),
    )
    .addHelpText(
      'after',
      `${WHERE}

Example:
  catchment account create --name "River Authority" --email jo@example.org`,
    )
    .action(async (options: Options) => {
      const connected = await connection(options.dataDir);
      const request = {
        accountName: options.name,
        email: options.email,
        firstName: options.firstName,
        lastName: options.lastName,
        accountType: options.type?.toUpperCase() ?? '',
        ...(options.parent !== undefined && { parent: options.parent }),
      };
      const create = (keys: AccountKeys) => createAccount(connected, { ...request, ...keys });
      const seconds = options.wait ?? (options.kubernetesSecret ? POD_WAIT_SECONDS : 0);
      const waiting = { limitMs: seconds * 1_000, say: (line: string) => console.error(line) };
      if (options.kubernetesSecret) {
        const store = new KubernetesSecret(options.kubernetesSecret, process.env);
        const kept = await keepAccount({ store, create, waiting }).catch(forPeople);
        const what = kept
          ? `Account ${options.name} created (id ${kept.ownerId}), keys are in`
          : 'Nothing to do: keys are in';
        const secret = options.kubernetesSecret;
        return answer(
          options,
          { created: Boolean(kept), ownerId: kept?.ownerId, secret },
          () => `${what} the Secret ${secret}.`,
        );
      }
      // A try whose answer was lost finds the account that it made by these keys.
      const keys = { administrationKey: newApiKey(), defaultKey: newApiKey() };
      const created = await waitUntilDone('nodes', () => create(keys), waiting).catch(forPeople);
      answer(options, created, () => createdLines(options.name, created));
    });
  addChangeCommands(account);
  return account;
}
