import path from 'node:path';
import { DomainError } from '@catchment/errors';
import { Command } from 'commander';
import { ROOT } from '../start/service-table.ts';
import { openState, readRunning } from '../start/state.ts';
import { createAccount } from './create-account.ts';
import { keepAccount } from './keep-account.ts';
import { KubernetesSecret } from './kubernetes-secret.ts';

type Options = {
  name: string;
  email: string;
  firstName: string;
  lastName: string;
  type: string;
  dataDir: string;
  kubernetesSecret?: string;
};

/** `catchment account …` */
export function accountCommand(): Command {
  const account = new Command('account').description('accounts of this installation');
  account
    .command('create')
    .description('create an account with its owner and two API keys; the keys are shown this once')
    .requiredOption('--name <name>', 'account name')
    .requiredOption('--email <address>', "the owner's e-mail address")
    .option('--first-name <name>', "the owner's first name", '')
    .option('--last-name <name>', "the owner's last name", '')
    .option('--type <type>', 'STANDARD, PREMIUM, STARTER or TRIAL', 'STANDARD')
    .option('--data-dir <folder>', 'data folder of a local installation', path.join(ROOT, '.catchment'))
    .option('--kubernetes-secret <name>', 'in a pod: keep the keys in this Secret, and do nothing when it has them')
    .addHelpText(
      'after',
      `
Where the installation is found:
  NODES_ADDRESS and SERVICE_TOKEN_SECRET in the environment (as in every service's container),
  otherwise the installation that runs with "npm start" on this machine.

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
        accountType: options.type.toUpperCase(),
      };
      const create = () => createAccount(connected, request);
      if (options.kubernetesSecret) {
        const store = new KubernetesSecret(options.kubernetesSecret, process.env);
        const kept = await keepAccount({ store, create }).catch(forPeople);
        const what = kept
          ? `Account ${options.name} created (id ${kept.ownerId}), keys are in`
          : 'Nothing to do: keys are in';
        console.log(`${what} the Secret ${options.kubernetesSecret}.`);
        return;
      }
      const created = await create().catch(forPeople);
      console.log(`Account ${options.name} created (id ${created.ownerId}, slug ${created.slug}).`);
      console.log(`Administration key (MODIFY, ACCOUNT):            ${created.administrationKey}`);
      console.log(`Default key (READ_ONLY, all workspaces):         ${created.defaultKey}`);
      console.log('Keep them now: they are stored as hashes and cannot be shown again.');
    });
  return account;
}

/** The message of an error that is meant for people, without its stack. */
function forPeople(error: unknown): never {
  throw error instanceof DomainError && error.kind !== 'internal' ? new Error(error.message, { cause: error }) : error;
}

async function connection(dataDir: string): Promise<{ nodesAddress: string; serviceTokenSecret: string }> {
  const { NODES_ADDRESS, SERVICE_TOKEN_SECRET } = process.env;
  if (NODES_ADDRESS && SERVICE_TOKEN_SECRET)
    return { nodesAddress: NODES_ADDRESS, serviceTokenSecret: SERVICE_TOKEN_SECRET };
  const running = await readRunning(dataDir);
  if (!running) {
    throw new Error(
      'No installation found. Start one with "npm start", or set NODES_ADDRESS and SERVICE_TOKEN_SECRET.',
    );
  }
  const { serviceTokenSecret } = await openState(dataDir);
  return { nodesAddress: running.nodesAddress, serviceTokenSecret };
}
