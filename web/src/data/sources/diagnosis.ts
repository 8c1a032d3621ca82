import { call, nodePath } from '../requests/call.ts';

/** A source's known contacts (docs/reference/sources.md#diagnosis). Times are ISO; what is not known is null. */
export type Diagnosis = {
  /** The node that was asked about belongs to this source. */
  readonly nodeId: string;
  readonly name: string;
  readonly time: string;
  readonly state: { readonly code: StateCode; readonly isSilent: boolean };
  readonly lastContact: {
    readonly time: string;
    readonly way: 'FILE' | 'WRITE' | 'DATA' | 'SESSION' | 'CONNECTION';
  } | null;
  /** Newest first. */
  readonly contacts: readonly string[];
  readonly usualInterval: { readonly seconds: number; readonly from: 'CONTACTS' | 'SCHEDULE' } | null;
  readonly lastRecordTime: string | null;
  readonly lastFile: LastFile | null;
  readonly nextTry: string | null;
  readonly clock: { readonly aheadSeconds: number; readonly from: 'LOGGER' | 'RECORDS' } | null;
  readonly lastError: { readonly code: string; readonly message: string; readonly time: string } | null;
  readonly device: {
    readonly _id: string;
    readonly isConnected: boolean;
    readonly lastConnectedTime: string | null;
  } | null;
  readonly peers: {
    readonly by: 'DEVICE' | 'SERVER' | 'TRANSPORT';
    readonly total: number;
    readonly silent: number;
    readonly hasMore: boolean;
    readonly named: readonly { readonly nodeId: string; readonly name: string; readonly lastTime: string | null }[];
  } | null;
  readonly advice: readonly { readonly code: AdviceCode }[];
  readonly unknown: readonly ('DEVICES' | 'EVENTS')[];
};

export type StateCode =
  | 'DISABLED'
  | 'WORKING'
  | 'CONNECTION_FAILS'
  | 'FILE_REFUSED'
  | 'ACCESS_REFUSED'
  | 'DEVICE_OFFLINE'
  | 'NEVER_HEARD'
  | 'LATE'
  | 'NO_NEW_RECORDS'
  | 'FINE'
  | 'RHYTHM_UNKNOWN';
export type AdviceCode =
  | 'CHECK_SHARED'
  | 'ENABLE_SOURCE'
  | 'WAIT_FOR_FILES'
  | 'WAIT_FOR_TRY'
  | 'CHECK_SERVER'
  | 'CHECK_PARSER'
  | 'CHECK_LOGIN'
  | 'CHECK_POWER'
  | 'SET_UP_SENDER'
  | 'CHECK_LOGGER'
  | 'CHECK_SENDER'
  | 'ACQUIRE_NOW'
  | 'CHECK_LINES'
  | 'CHECK_CLOCK'
  | 'WATCH_SOURCE';
type LastFile = {
  readonly name: string;
  readonly time: string;
  readonly lines: number;
  readonly parsed: number;
  readonly records: number;
  readonly unreadableFields: number;
  readonly firstError: string | null;
  /** A file was refused whole for this reason. */
  readonly refusal: string | null;
};

export const readDiagnosis = (id: string, signal: AbortSignal): Promise<Diagnosis> =>
  call<Diagnosis>('GET', `${nodePath(id)}/diagnosis`, { signal });

/** A session begins as soon as it can. */
export const acquireNow = (id: string): Promise<unknown> => call('POST', `${nodePath(id)}/operate/acquire`);
