// `node make-accounts.ts <data folder>`: for each line of JSON {name, email, type?, parent?} what `catchment account create` does, and a
// line of JSON {id, key} or {error}, in the same order. Tests that need many accounts start one process for them.
import { createInterface } from 'node:readline';
import { newApiKey } from '@catchment/ids';
import { connection } from '../src/account/connection.ts';
import { createAccount } from '../src/account/create-account.ts';
import { waitUntilDone } from '../src/account/wait-until-done.ts';
import { errorText } from '../src/error-text.ts';

type Asked = { readonly name: string; readonly email: string; readonly type?: string; readonly parent?: string };

/** An installation that another test is killing is back by then. */
const LIMIT_MS = 120_000;
const [dataDir = ''] = process.argv.slice(2);

async function made({ name, email, type = '', parent }: Asked): Promise<object> {
  const keys = { administrationKey: newApiKey(), defaultKey: newApiKey() };
  const account = {
    accountName: name,
    email,
    firstName: '',
    lastName: '',
    accountType: type.toUpperCase(),
    ...(parent !== undefined && { parent }),
    ...keys,
  };
  const create = async () => createAccount(await connection(dataDir), account);
  const { ownerId, administrationKey } = await waitUntilDone('nodes', create, { limitMs: LIMIT_MS, say: () => {} });
  return { id: ownerId, key: administrationKey };
}

for await (const line of createInterface({ input: process.stdin })) {
  const answer = await made(JSON.parse(line) as Asked).catch((error) => ({ error: errorText(error) }));
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
