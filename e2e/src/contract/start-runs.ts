import { type Api, unique } from '../api.ts';
import type { Installation } from '../installation.ts';
import type { AnswerSchemas } from './answer-schemas.ts';
import type { Run } from './run-row.ts';
import type { Table } from './table.ts';

const KEY_OF_NOBODY = 'A'.repeat(40);

/** The rows of each file share a state, by file. */
export type Runs = ReadonlyMap<string, Run>;

/** Makes an account for each file, and the keys that its rows may name (e2e/contract/README.md). */
export async function startRuns(
  installation: Installation,
  tables: readonly Table[],
  schemas: AnswerSchemas,
): Promise<Runs> {
  const strangers = await installation.account({ name: unique('Stranger') });
  const [trial, managed, ...accounts] = await Promise.all([
    installation.account({ name: unique('Trial'), type: 'TRIAL' }),
    installation.account({ name: unique('Managed'), type: 'MANAGED', parent: strangers.id }),
    ...tables.map(({ file }) => installation.account({ name: unique(file.replace(/\W/g, ' ')) })),
  ]);
  const runs = tables.map(async ({ file }, index): Promise<[string, Run]> => {
    const { api } = accounts[index] as (typeof accounts)[number];
    const names = new Map([
      ['admin', api.key],
      ['reader', await createKey(api, 'READ_ONLY', 'ACCOUNT')],
      ['workspaces', await createKey(api, 'MODIFY', 'WORKSPACES')],
      ['stranger', strangers.api.key],
      ['trial', trial.api.key],
      ['managed', managed.api.key],
      ['none', ''],
      ['unknown', KEY_OF_NOBODY],
    ]);
    return [file, { url: installation.url, schemas, names, isSettling: false, hasHung: false }];
  });
  return new Map(await Promise.all(runs));
}

async function createKey(api: Api, permission: string, accessLevel: string): Promise<string> {
  const answer = await api.post('/owners/account/apikeys', { label: 'For tests', permission, accessLevel });
  if (answer.status !== 201) throw new Error(`no key was made: ${answer.text}`);
  return answer.json.key;
}
