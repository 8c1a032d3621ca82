import { call } from '../requests/call.ts';
import { unlessOvertaken } from '../requests/overtaken.ts';
import { start } from './session.ts';

/** Returns whether the person operates the installation (docs/reference/operator.md); the server decides anew with each request. */
export const isOperator = (): boolean => start().isOperator === true;

type Limits = {
  readonly sourceLimit: number | null;
  readonly smsLimit: number | null;
  readonly rowsPerSourcePerDay: number | null;
  readonly recordDays: number | null;
  readonly eventDays: number | null;
};
export type AnyAccount = Limits & {
  readonly _id: string;
  readonly slug: string;
  readonly accountName: string;
  readonly accountType: string;
  readonly status: 'ACTIVE' | 'DISABLED';
  readonly createdTime: string;
  readonly nodes: number;
  readonly sources: number;
  readonly sourceUsage: number;
  readonly smsCount: number;
  readonly attachmentBytes: number;
  readonly revision: number;
};
export type AccountChange = Partial<Limits & Pick<AnyAccount, 'accountName' | 'accountType' | 'status'>>;
type Page = { readonly accounts: readonly AnyAccount[]; readonly next: string | null };

export const readAccounts = (search: string, after: string, signal?: AbortSignal): Promise<Page> =>
  call('GET', '/operator/accounts', { query: { search, after }, ...(signal && { signal }) });
const accountNow = async ({ _id, slug }: AnyAccount): Promise<AnyAccount | undefined> =>
  (await readAccounts(slug, '')).accounts.find((account) => account._id === _id);
/** @throws Overtaken where another operator has changed it since it was read */
export const changeAccount = (account: AnyAccount, body: AccountChange): Promise<unknown> =>
  unlessOvertaken(
    () => call('PUT', `/operator/accounts/${encodeURIComponent(account._id)}`, { body, ifMatch: account.revision }),
    () => accountNow(account),
  );

export type Health = {
  readonly findings: readonly {
    readonly about: string;
    readonly level: 'ok' | 'unknown' | 'warning' | 'problem';
    readonly says: string;
    readonly advice?: string;
    readonly kind?: string;
    readonly values?: Readonly<Record<string, string>>;
  }[];
  readonly processes: readonly { readonly service: string; readonly process: string; readonly version: string }[];
  readonly shards: readonly {
    readonly name: string;
    readonly isUp: boolean;
    readonly isDrained: boolean;
    readonly workspaces: number;
    readonly series: number;
    readonly pending: number;
  }[];
  readonly backups: readonly {
    readonly finishedTime: string;
    readonly tookSeconds: number;
    readonly sizeBytes: number;
  }[];
};
export const readHealth = (signal: AbortSignal): Promise<Health> => call('GET', '/operator/health', { signal });

export type DeadLetter = {
  readonly number: number;
  readonly reader: string;
  readonly subject: string;
  readonly time?: string;
  readonly deadTime: string;
  readonly reason: string;
  readonly bytes: number;
};
type DeadLetters = { readonly letters: readonly DeadLetter[]; readonly next: number | null };
export type Outcome = { readonly outcome: 'HANDLED' | 'WAITING' | 'FAILED'; readonly letter?: DeadLetter };

export const readDeadLetters = (after: number, signal?: AbortSignal): Promise<DeadLetters> =>
  call('GET', '/operator/deadletters', { query: { after }, ...(signal && { signal }) });
export const retryDeadLetter = (number: number): Promise<Outcome> =>
  call('POST', `/operator/deadletters/${number}/retry`);
export const dropDeadLetter = (number: number): Promise<unknown> => call('DELETE', `/operator/deadletters/${number}`);
