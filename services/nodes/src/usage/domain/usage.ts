/** See docs/reference/accounts-and-usage.md#usage. */
const USAGE_RATES = {
  attachmentsource: 0.7,
  datasource: { small: 0.3, medium: 0.7, large: 1 },
  sms: 1,
} as const;

/**
 * Small and medium data sources have at most this many active parameters; one with more is large
 * (docs/reference/accounts-and-usage.md#usage).
 */
export const MOST_PARAMETERS = { small: 10, medium: 50 } as const;

/** Sources of an account by kind, those under Templates and the disabled ones left out. */
type SourceCounts = {
  readonly attachmentsource: number;
  readonly small: number;
  readonly medium: number;
  readonly large: number;
};

export type AccountUse = {
  readonly ownerId: string;
  readonly accountName: string;
  readonly accountType: string;
  readonly status: string;
  readonly sources: SourceCounts;
  /** This calendar month, UTC. */
  readonly smsCount: number;
  /** Bytes of files in the store; what clones share counts once. */
  readonly attachmentBytes: number;
};

export type UsageLimits = { readonly sourceLimit: number | null; readonly smsLimit: number | null };

/**
 * The usage document.
 * @param accounts the primary account first, then the managed ones by name
 */
export function usageDocument(accounts: readonly AccountUse[], limits: UsageLimits) {
  const listed = accounts.map(({ ownerId, accountName, accountType, sources, smsCount, attachmentBytes }) => ({
    _id: ownerId,
    accountName,
    accountType,
    usage: usageOf(sources, smsCount),
    attachmentBytes,
  }));
  // TRIAL and DISABLED accounts are listed but not summed.
  const summed = listed.filter((_, i) => accounts[i]?.accountType !== 'TRIAL' && accounts[i]?.status === 'ACTIVE');
  const total = (of: (usage: ReturnType<typeof usageOf>) => number) =>
    round(summed.reduce((sum, { usage }) => sum + of(usage), 0));
  return {
    rates: USAGE_RATES,
    total: {
      source: { usage: total(sourceUsage), usageLimit: limits.sourceLimit },
      sms: { usage: total(({ sms }) => sms), usageLimit: limits.smsLimit },
    },
    accounts: listed,
  };
}

function usageOf(sources: SourceCounts, smsCount: number) {
  const { attachmentsource, datasource, sms } = USAGE_RATES;
  return {
    attachmentsource: round(sources.attachmentsource * attachmentsource),
    datasource: {
      small: round(sources.small * datasource.small),
      medium: round(sources.medium * datasource.medium),
      large: round(sources.large * datasource.large),
    },
    sms: round(smsCount * sms),
  };
}

/** Returns rated usage of the sources of a node. */
export const nodeUsage = (sources: SourceCounts): number => round(sourceUsage(usageOf(sources, 0)));

const sourceUsage = ({ attachmentsource, datasource }: ReturnType<typeof usageOf>): number =>
  attachmentsource + datasource.small + datasource.medium + datasource.large;

/** Returns minimum usage of new nodes: their parameters come later. */
export const leastUsageOf = (nodes: readonly { readonly class: string }[]): number =>
  nodes.reduce((sum, node) => sum + rateOf(node.class), 0);

function rateOf(cls: string): number {
  if (cls.startsWith('source.data.')) return USAGE_RATES.datasource.small;
  return cls.startsWith('source.') ? USAGE_RATES.attachmentsource : 0;
}

const round = (value: number): number => Math.round(value * 100) / 100;
