import { transportKind } from '@catchment/contracts/transports';
import { CONTACT_WAYS, type ContactWay, type DiagnosisAdvice, type DiagnosisState } from '@catchment/query';
import { type AcquisitionEvent, type Said, saidBy } from './contact-event.ts';
import type { ContactFacts, Facts, LastFile, Peer, Peers, SourceFacts } from './facts.ts';
import { contactsOf, isLate, usualGapMs } from './rhythm.ts';

/** A clock that is wrong by less is not worth a word. */
const CLOCK_MS = 300_000;
const PEERS_NAMED = 5;

export type Diagnosis = {
  readonly state: DiagnosisState;
  readonly isSilent: boolean;
  /** Times: Unix ms. */
  readonly lastContact: { readonly timeMs: number; readonly way: ContactWay } | undefined;
  /** Newest first. */
  readonly contacts: readonly number[];
  readonly usual: { readonly ms: number; readonly from: 'CONTACTS' | 'SCHEDULE' } | undefined;
  readonly silentMs: number | undefined;
  readonly lastRecordMs: number | undefined;
  readonly lastFile: LastFile | undefined;
  readonly nextMs: number | undefined;
  readonly clock: { readonly aheadMs: number; readonly from: 'LOGGER' | 'RECORDS' } | undefined;
  readonly lastError: { readonly code: string; readonly message: string; readonly timeMs: number } | undefined;
  readonly device: ContactFacts['device'];
  readonly peers:
    | {
        readonly by: Peers['by'];
        readonly total: number;
        readonly silent: number;
        readonly named: readonly Peer[];
        readonly hasMore: boolean;
      }
    | undefined;
  readonly advice: readonly DiagnosisAdvice[];
  /** These services could not be asked. */
  readonly unknown: readonly ('DEVICES' | 'EVENTS')[];
};

/** The facts are found, not judged yet. */
type Findings = {
  readonly source: SourceFacts;
  readonly contact: ContactFacts | undefined;
  readonly lastContact: Diagnosis['lastContact'];
  readonly lastError: Diagnosis['lastError'];
  /** Data that was stored came last at this time. */
  readonly storedMs: number | undefined;
  readonly isLate: boolean;
  readonly knowsRhythm: boolean;
};

type Verdict = {
  readonly code: DiagnosisState;
  readonly isSilent: boolean;
  readonly advice: readonly DiagnosisAdvice[];
};
type Row = Verdict & { readonly when: (found: Findings) => boolean };

const WORKING: ReadonlySet<string> = new Set([
  'QUEUED',
  'CONNECTING',
  'CONFIGURING',
  'CONTROLLING',
  'DOWNLOADING',
  'PROCESSING',
]);

const isFailing = ({ contact }: Findings): boolean => contact?.status === 'FAILED' || contact?.status === 'RETRYING';
const isRefused = ({ contact, storedMs = 0 }: Findings): boolean =>
  contact?.lastFile !== undefined && !contact.lastFile.report && contact.lastFile.timeMs >= storedMs;
const isQuiet = (found: Findings): boolean => found.isLate || (found.source.isOutdated && !found.knowsRhythm);
/** Refused strangers say nothing of a source that brings its data as usual. */
const isKeptOut = (found: Findings): boolean =>
  found.lastError?.code === 'REFUSED' &&
  found.lastError.timeMs > (found.storedMs ?? 0) &&
  (isQuiet(found) || !found.knowsRhythm);
/** A modem of this kind stays connected; others are away between two calls. */
const isAway = (found: Findings): boolean =>
  found.contact?.device?.isConnected === false &&
  found.contact.device.lastConnectedMs !== undefined &&
  (isQuiet(found) || (found.source.transport === 'Scout' && !found.knowsRhythm));
const isNew = ({ source, lastContact, contact }: Findings): boolean =>
  !lastContact && source.newestRecordMs === undefined && !contact?.lastFile;

/** One table says what is found and what it means; the first row that fits counts. */
const VERDICTS: readonly Row[] = [
  { code: 'DISABLED', isSilent: true, advice: ['ENABLE_SOURCE'], when: ({ source }) => !source.isEnabled },
  {
    code: 'WORKING',
    isSilent: false,
    advice: ['WAIT_FOR_FILES'],
    when: ({ contact }) => contact !== undefined && (contact.waitingFiles > 0 || WORKING.has(contact.status)),
  },
  { code: 'CONNECTION_FAILS', isSilent: true, advice: ['CHECK_SERVER'], when: isFailing },
  { code: 'FILE_REFUSED', isSilent: true, advice: ['CHECK_PARSER'], when: isRefused },
  { code: 'ACCESS_REFUSED', isSilent: true, advice: ['CHECK_LOGIN'], when: isKeptOut },
  { code: 'DEVICE_OFFLINE', isSilent: true, advice: ['CHECK_POWER'], when: isAway },
  { code: 'NEVER_HEARD', isSilent: true, advice: ['SET_UP_SENDER'], when: isNew },
  { code: 'LATE', isSilent: true, advice: [], when: isQuiet },
  { code: 'NO_NEW_RECORDS', isSilent: true, advice: ['CHECK_LOGGER'], when: ({ source }) => source.isOutdated },
  { code: 'FINE', isSilent: false, advice: [], when: ({ knowsRhythm }) => knowsRhythm },
  { code: 'RHYTHM_UNKNOWN', isSilent: false, advice: [], when: () => true },
];

/** @param nowMs Unix ms */
export function diagnose({ source, contact, events, peers }: Facts, nowMs: number): Diagnosis {
  const said = (events ?? []).flatMap((event) => {
    const statement = saidBy(event);
    return statement ? [{ ...statement, timeMs: event.timeMs }] : [];
  });
  const heard = said.filter((statement) => statement.kind === 'contact');
  const lastContact = lastOf(heard, source, contact);
  const contacts = contactsOf(heard.map(({ timeMs }) => timeMs));
  const usual = usualOf(contacts, contact);
  const silentMs = lastContact && Math.max(0, nowMs - lastContact.timeMs);
  const lastError = errorOf(said, contact);
  const stored = heard.filter((contact) => contact.stored).map(({ timeMs }) => timeMs);
  const found: Findings = {
    source,
    contact,
    lastContact,
    lastError,
    // A session that found nothing is a success too.
    storedMs: events ? newest(stored) : source.lastSuccessMs,
    isLate: silentMs !== undefined && usual !== undefined && isLate(silentMs, usual.ms),
    knowsRhythm: usual !== undefined && lastContact !== undefined,
  };
  const { code, isSilent, advice } = VERDICTS.find(({ when }) => when(found)) ?? NO_VERDICT;
  const clock = clockOf(said, source);
  const shared = peers && sharedBy(peers, isSilent ? (lastContact?.timeMs ?? 0) : undefined);
  const nextMs = source.isEnabled ? contact?.nextMs : undefined;
  return {
    state: code,
    isSilent,
    lastContact,
    contacts,
    usual,
    silentMs,
    clock,
    lastError,
    nextMs,
    lastRecordMs: source.newestRecordMs,
    lastFile: contact?.lastFile,
    device: contact?.device,
    peers: shared,
    advice: [
      ...(isSilent && shared && shared.total > 0 && shared.silent === shared.total ? (['CHECK_SHARED'] as const) : []),
      ...advice,
      ...(code === 'LATE'
        ? [transportKind(source.transport).isAsked ? ('ACQUIRE_NOW' as const) : ('CHECK_SENDER' as const)]
        : []),
      ...(isSilent && nextMs !== undefined && nextMs > nowMs ? (['WAIT_FOR_TRY'] as const) : []),
      ...(hasBadLines(contact?.lastFile) ? (['CHECK_LINES'] as const) : []),
      ...(clock && Math.abs(clock.aheadMs) >= CLOCK_MS ? (['CHECK_CLOCK'] as const) : []),
      ...(source.isEnabled && !source.isWatched ? (['WATCH_SOURCE'] as const) : []),
    ],
    unknown: [...(contact ? [] : (['DEVICES'] as const)), ...(events ? [] : (['EVENTS'] as const))],
  };
}

const NO_VERDICT: Verdict = { code: 'RHYTHM_UNKNOWN', isSilent: false, advice: [] };

type Heard = Extract<Said, { kind: 'contact' }> & Pick<AcquisitionEvent, 'timeMs'>;

/** Returns the newest contact that anybody knows of. Events are kept for a time only; counters say when data came, not how. */
function lastOf(
  heard: readonly Heard[],
  { lastSuccessMs }: SourceFacts,
  contact: ContactFacts | undefined,
): Diagnosis['lastContact'] {
  const known: { readonly timeMs: number; readonly way: ContactWay }[] = heard.map(({ timeMs, way }) => ({
    timeMs,
    way,
  }));
  if (lastSuccessMs !== undefined) known.push({ timeMs: lastSuccessMs, way: 'DATA' });
  const connectedMs = contact?.device?.lastConnectedMs;
  if (connectedMs !== undefined) known.push({ timeMs: connectedMs, way: 'CONNECTION' });
  if (contact?.lastFile) known.push({ timeMs: contact.lastFile.timeMs, way: 'FILE' });
  const last = known.sort((a, b) => b.timeMs - a.timeMs)[0];
  if (!last) return undefined;
  // A file is acquired, read and stored: it came as a file, whatever was reported last.
  const together = known.filter(({ timeMs }) => last.timeMs - timeMs <= 60_000);
  const way = CONTACT_WAYS.find((way) => together.some((other) => other.way === way));
  return { timeMs: last.timeMs, way: way ?? last.way };
}

function usualOf(contacts: readonly number[], contact: ContactFacts | undefined): Diagnosis['usual'] {
  if (contact?.intervalMs) return { ms: contact.intervalMs, from: 'SCHEDULE' };
  const ms = usualGapMs(contacts);
  return ms === undefined ? undefined : { ms, from: 'CONTACTS' };
}

/** Returns the newest of what failed and of the file that was refused. */
function errorOf(
  said: readonly (Said & Pick<AcquisitionEvent, 'timeMs'>)[],
  contact: ContactFacts | undefined,
): Diagnosis['lastError'] {
  const errors = said.flatMap((statement) =>
    statement.kind === 'failure'
      ? [{ code: statement.code as string, message: statement.text, timeMs: statement.timeMs }]
      : [],
  );
  const file = contact?.lastFile;
  if (file && !file.report) errors.push({ code: file.reason, message: file.message, timeMs: file.timeMs });
  return errors.sort((a, b) => b.timeMs - a.timeMs)[0];
}

function clockOf(
  said: readonly (Said & Pick<AcquisitionEvent, 'timeMs'>)[],
  { recordsAheadMs }: SourceFacts,
): Diagnosis['clock'] {
  const set = said.find((statement) => statement.kind === 'clock');
  if (recordsAheadMs >= CLOCK_MS) return { aheadMs: recordsAheadMs, from: 'RECORDS' };
  return set?.kind === 'clock' ? { aheadMs: set.aheadSeconds * 1_000, from: 'LOGGER' } : undefined;
}

/** @param sinceMs of the last contact of the source, 0 = there was none; undefined = it is not silent */
function sharedBy({ by, list, hasMore }: Peers, sinceMs: number | undefined): Diagnosis['peers'] {
  const silent = list.filter((peer) => isPeerSilent(peer, sinceMs));
  return { by, total: list.length, silent: silent.length, named: silent.slice(0, PEERS_NAMED), hasMore };
}

const isPeerSilent = ({ isOutdated, hasFailed, lastSuccessMs = 0 }: Peer, sinceMs: number | undefined): boolean =>
  isOutdated || hasFailed || (sinceMs !== undefined && lastSuccessMs <= sinceMs);

const hasBadLines = (file: LastFile | undefined): boolean =>
  file?.report !== undefined && (file.report.parsed < file.report.lines || file.report.unreadableFields > 0);

const newest = (times: readonly number[]): number | undefined => (times.length > 0 ? Math.max(...times) : undefined);
