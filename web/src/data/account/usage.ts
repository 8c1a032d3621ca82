import { call } from '../requests/call.ts';
import { isForbidden } from '../requests/failures.ts';

type Total = { readonly usage: number; readonly usageLimit: number | null };
export type Kinds = {
  readonly attachmentsource: number;
  readonly datasource: { readonly small: number; readonly medium: number; readonly large: number };
  readonly sms: number;
};
/** docs/reference/accounts-and-usage.md#usage */
export type Usage = {
  readonly total: { readonly source: Total; readonly sms: Total };
  readonly accounts: readonly {
    readonly _id: string;
    readonly accountName: string;
    readonly accountType: string;
    readonly usage: Kinds;
    readonly attachmentBytes: number;
  }[];
};
export type NodeUse = {
  readonly _id: string;
  readonly name: string;
  readonly workspaceId?: string;
  readonly sources?: number;
  readonly parameters: number;
  readonly usage: number;
  readonly attachmentBytes: number;
};
export type UsageOfNodes = { readonly workspaces: readonly NodeUse[]; readonly sources: readonly NodeUse[] };
/** `null` means no limit, for ever (docs/reference/accounts-and-usage.md#limits-of-an-account). */
export type Limits = {
  readonly nodes: { readonly count: number; readonly limit: number };
  readonly sources: Total;
  readonly sms: {
    readonly isSent: boolean;
    readonly count: number;
    readonly limit: number | null;
    readonly months: readonly { readonly month: string; readonly count: number }[];
  };
  readonly rowsPerSourcePerDay: number | null;
  readonly kept: {
    readonly recordDays: number | null;
    readonly recordsRemovedFrom: string | null;
    readonly eventDays: number | null;
    readonly debugEventDays: number;
  };
};

export const readLimits = (): Promise<Limits> => call('GET', '/owners/account/limits');
export const usageOfNodes = (): Promise<UsageOfNodes> => call('GET', '/owners/account/usage/nodes');

/** Returns undefined for a managed account, whose usage the account above it sees. */
export const readUsage = (): Promise<Usage | undefined> =>
  call<Usage>('GET', '/owners/account/usage').catch((error: unknown) => {
    if (isForbidden(error)) return undefined;
    throw error;
  });
