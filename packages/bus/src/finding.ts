/** `unknown`: it could not be asked from here, which is no fault. */
export const LEVELS = ['ok', 'unknown', 'warning', 'problem'] as const;
export type Level = (typeof LEVELS)[number];

/** What a check has seen. Texts never hold a password or another secret. */
export type Finding = {
  /** Subject of the check: `postgresql`, `stream INGEST` … */
  readonly about: string;
  readonly level: Level;
  readonly says: string;
  /** What to do next; of warnings and problems always. */
  readonly advice?: string;
};

export const ok = (about: string, says: string): Finding => ({ about, level: 'ok', says });
export const unknown = (about: string, says: string, advice: string): Finding => ({
  ...{ about, says, advice },
  level: 'unknown',
});
export const warning = (about: string, says: string, advice: string): Finding => ({
  ...{ about, says, advice },
  level: 'warning',
});
export const problem = (about: string, says: string, advice: string): Finding => ({
  ...{ about, says, advice },
  level: 'problem',
});

/** A text about a server without the login and the arguments of its URL. */
export const withoutLogin = (url: string): string =>
  url
    .split(',')
    .map((one) => {
      const parsed = URL.canParse(one.trim()) ? new URL(one.trim()) : undefined;
      return parsed ? `${parsed.protocol}//${parsed.host}` : 'an unreadable address';
    })
    .join(', ');
