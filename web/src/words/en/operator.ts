import { counted } from '../plural.ts';

const n = counted('en');

/** A finding says what it is about, what it says, and what to do next. */
export type FindingText = { readonly about: string; readonly says: string; readonly advice?: string };

/** The page «Installation» loads these words itself. */
export const operator = {
  title: 'Installation',
  lead: 'For those who operate it. People of accounts do not see this page.',
  tabs: { health: 'Health', accounts: 'Accounts', letters: 'Dead letters' },
  closed: 'This is for the operators of the installation',
  closedText: 'They are named in the setting OPERATORS of the nodes service.',
  again: 'Look again',
  more: 'Show more',
  levels: { problem: 'Problem', warning: 'Warning', unknown: 'Not known', ok: 'In order' },
  findings: 'Streams, readers and databases',
  /** The key is the kind; a finding that is not here stands as the server says it. */
  findingsOf: {} as Readonly<Record<string, (values: Readonly<Record<string, string>>) => FindingText>>,
  lookedAt: 'Looked at',
  further: 'Settings, disks, clocks and certificates are looked at by the command «catchment doctor».',
  backups: 'Backups',
  noBackup: 'No backup has been made',
  noBackupText: 'The command «catchment backup create» makes one; see the operations guide.',
  lastBackup: 'Last backup',
  backup: (size: string, took: string) => `${size}, made in ${took}`,
  processes: 'Versions',
  processCount: (count: number) => n(count, { one: '# process', other: '# processes' }),
  versionsDiffer: 'Not all processes have the same version: an upgrade is under way, or has stopped.',
  shards: 'InfluxDBs',
  up: 'answers',
  away: 'is away',
  drained: 'takes no new workspaces',
  /** @param workspaces undefined: of a single InfluxDB, which has all */
  shardText: (workspaces: number | undefined, pending: number) =>
    `${workspaces === undefined ? '' : `${n(workspaces, { one: '# Workspace', other: '# Workspaces' })}, `}${n(pending, { one: '# message', other: '# messages' })} to write`,
  search: 'Search accounts',
  searchHint: 'Name or slug',
  noAccount: 'No account has such a name',
  accounts: 'Accounts',
  disabled: 'Disabled',
  nodes: (count: number) => n(count, { one: '# node', other: '# nodes' }),
  sources: (count: number) => n(count, { one: '# source', other: '# sources' }),
  rated: (used: string, limit: string) => (limit === '' ? `rated ${used}, no limit` : `rated ${used} of ${limit}`),
  sms: (used: string, limit: string) => (limit === '' ? `${used} SMS` : `${used} of ${limit} SMS`),
  change: 'Change',
  changeOf: (name: string) => `Change ${name}`,
  fields: {
    accountName: 'Name',
    accountType: 'Type',
    status: 'Status',
    sourceLimit: 'Rated sources at most',
    smsLimit: 'SMS a month at most',
    rowsPerSourcePerDay: 'Rows of a source and day at most',
    recordDays: 'Days that records are kept',
    eventDays: 'Days that events are kept',
  },
  statuses: { ACTIVE: 'Active', DISABLED: 'Disabled' },
  ownAccount: 'You work in this account: disabled, it would not let you in either.',
  emptyNone: 'Empty: no limit',
  emptyUsual: 'Empty: as the installation has it. 0: no limit',
  notNumber: 'This is no number from 0.',
  nothing: 'Nothing is changed yet.',
  follows: 'What follows',
  followsOf: {
    DISABLED:
      'Every key and session of the account is refused, and so are the data of its devices. Nothing is deleted.',
    ACTIVE: 'Keys, sessions and devices of the account work again.',
    accountName: 'All people of the account see the new name.',
    accountType: 'Other limits may hold for it. A trial ends after its time.',
    sourceLimit: 'Above the limit no further source can be made; those that are there go on.',
    smsLimit: 'Above the limit no SMS is sent until the month is over.',
    rowsPerSourcePerDay: 'Rows beyond it are refused for the day.',
    recordDays: 'Older records are removed, a day after the change at the earliest.',
    eventDays: 'Older events are removed.',
  },
  apply: 'Change the account',
  overtaken: 'Somebody has changed this account meanwhile. The page shows the new values; your typed values stay.',
  theirs: (value: string) =>
    `Somebody has set this to ${value || '–'} meanwhile. Yours takes its place when you send it.`,
  changed: (name: string) => `${name} is changed.`,
  deadLettersLead:
    'Messages that a service could not handle. First repair the cause: the reason says what failed. Then try again.',
  noDeadLetter: 'There are no dead letters',
  noLetterText: 'Every message was handled.',
  deadLetterOf: (number: number, reader: string) => `${number}, of ${reader}`,
  putAside: 'put aside',
  retry: 'Try again',
  retryOf: (number: number) => `Try dead letter ${number} again`,
  retryTitle: (number: number) => `Try dead letter ${number} again?`,
  retryText: (reader: string) =>
    `The message goes to ${reader} alone, behind what waits there. Records only fill gaps: nothing newer is replaced. If it fails again, it is a new dead letter.`,
  drop: 'Remove',
  dropOf: (number: number) => `Remove dead letter ${number}`,
  dropTitle: (number: number) => `Remove dead letter ${number} for good?`,
  dropText: (reader: string, size: string) =>
    `What the message says (${size}) never reaches ${reader}. This cannot be taken back.`,
  outcomes: {
    HANDLED: (number: number) => `Dead letter ${number} was handled.`,
    WAITING: (number: number) => `Dead letter ${number} waits for its reader.`,
    FAILED: (number: number, reason: string) => `It failed again, and is dead letter ${number} now: ${reason}`,
  },
  dropped: (number: number) => `Dead letter ${number} is removed.`,
};
