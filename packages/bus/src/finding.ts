/** `unknown`: it could not be asked from here, which is no fault. */
export const LEVELS = ['ok', 'unknown', 'warning', 'problem'] as const;
export type Level = (typeof LEVELS)[number];

/** A page shows these kinds of findings, too, in the language of its reader. */
export const FINDING_KINDS = [
  'BROKER_AWAY',
  'STREAM_LEADERLESS',
  'STREAM_MISSING',
  'STREAM_FILLED',
  'STREAM_COPIES_BEHIND',
  'STREAM_DIFFERS',
  'READER_MISSING',
  'READER_BEHIND',
  'MORE_READERS_BEHIND',
  'READERS_IN_ORDER',
  'NO_DEAD_LETTERS',
  'DEAD_LETTERS',
  'HISTORIC_AWAY',
  'INFLUXDB_AWAY',
] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

/** A check has seen this. Texts never hold a password or another secret. */
export type Finding = {
  /** Checked subject: `postgresql`, `stream INGEST` … */
  readonly about: string;
  readonly level: Level;
  readonly says: string;
  /** The next thing to do; warnings and problems always have it. */
  readonly advice?: string;
  readonly kind?: FindingKind;
  /** The text of this kind names these values, each under its name. */
  readonly values?: Readonly<Record<string, string>>;
};

/** Makes a finding whose text other languages have, too. */
export const ofKind = (
  kind: FindingKind,
  values: Readonly<Record<string, string | number>>,
  finding: Finding,
): Finding => ({
  ...finding,
  kind,
  values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])),
});

export const ok = (about: string, says: string): Finding => ({ about, level: 'ok', says });
export const unknown = (about: string, says: string, advice: string): Finding => ({
  about,
  says,
  advice,
  level: 'unknown',
});
export const warning = (about: string, says: string, advice: string): Finding => ({
  about,
  says,
  advice,
  level: 'warning',
});
export const problem = (about: string, says: string, advice: string): Finding => ({
  about,
  says,
  advice,
  level: 'problem',
});

/** Leaves logins and arguments out of the URLs of servers. */
export const withoutLogin = (url: string): string =>
  url
    .split(',')
    .map((finding) => {
      const parsed = URL.canParse(finding.trim()) ? new URL(finding.trim()) : undefined;
      return parsed ? `${parsed.protocol}//${parsed.host}` : 'an unreadable address';
    })
    .join(', ');
