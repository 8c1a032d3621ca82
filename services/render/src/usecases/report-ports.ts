import type { Caller } from '@catchment/access';
import type { Block } from '../domain/report/block.ts';
import type { ReportDocument } from '../domain/report/document.ts';
import type { Measures } from '../domain/report/paginate.ts';
import type { Call } from './ports.ts';

/** A Report comes with what its template can name. Objects are as expressions read them. */
export type LoadedReport = {
  readonly nodeId: string;
  readonly ownerId: string;
  readonly name: string;
  readonly accountName: string;
  readonly timezone: string;
  readonly adjustForDst: boolean;
  readonly template: Readonly<Record<string, unknown>>;
  readonly above: Readonly<Record<'THIS' | 'SOURCE' | 'LOCATION' | 'WORKSPACE', NodeObject | null>>;
  readonly links: readonly ReportLink[];
  /** The template itself names these attachments of pictures. */
  readonly pictures: ReadonlyMap<string, string>;
};

export type NodeObject = Readonly<Record<string, unknown>>;

export type ReportLink = {
  readonly name: string;
  readonly nodeId: string;
  /** The class has no prefix of the installation. */
  readonly class: string;
  readonly object: NodeObject;
  /** This attachment is its picture; empty = none. */
  readonly pictureNodeId: string;
};

type LoadQuery = {
  readonly nodeRef: string;
  /** Values are those of then; absent = what nodes show now. */
  readonly nowMs?: number;
  readonly timezone?: string;
  readonly adjustForDst?: boolean;
  /** Attributes that are not saved, public JSON. */
  readonly draft?: Uint8Array | undefined;
};

export interface ReportNodes {
  /** @throws DomainError not_found | permission_denied | failed_precondition (no Report) | invalid_argument */
  load(query: LoadQuery, call: Call): Promise<LoadedReport>;
  /** Writes the WARNING event about a report. */
  warn(report: Pick<LoadedReport, 'ownerId' | 'nodeId'>, problem: string, call: Call): Promise<void>;
}

/** The alarm was not cleared. */
export type AlarmThen = {
  readonly nodeId: string;
  readonly type: string;
  readonly status: Readonly<Record<string, unknown>>;
};

export interface AlarmHistory {
  /** Returns the alarms of nodes at a time, but for those that were CLEARED. */
  at(ownerId: string, nodeIds: readonly string[], timeMs: number, call: Call): Promise<readonly AlarmThen[]>;
}

export interface ReportFiles {
  /** Returns the bytes of an attachment; undefined = they are gone, or are too many. @param maxBytes of the file */
  read(nodeId: string, maxBytes: number, call: Call): Promise<Uint8Array | undefined>;
}

export interface WebPictures {
  /**
   * Returns what an http(s) address answers, by the guard of outgoing connections. @throws Error that says why not, in
   * words for people
   */
  fetch(url: string, signal: AbortSignal): Promise<Uint8Array>;
}

export interface Pictures {
  /**
   * Returns a picture as it can be printed, no larger than this many pixels.
   * @returns undefined for bytes that are no picture
   */
  fit(
    bytes: Uint8Array,
    pixels: { readonly width: number; readonly height: number },
    signal: AbortSignal,
  ): Promise<PrintedPicture | undefined>;
}

export interface PagePictures {
  /**
   * Returns some pages of a PDF as PNG.
   * @param first the first of them, from 1 @param width of a page in pixels
   * @throws DomainError too_large
   */
  pages(
    pdf: Uint8Array,
    asked: { readonly first: number; readonly count: number; readonly width: number },
    signal: AbortSignal,
  ): Promise<PicturedPages>;
}

export type PicturedPages = {
  /** The whole document's pages. */
  readonly count: number;
  readonly pages: readonly { readonly png: Uint8Array; readonly width: number; readonly height: number }[];
};

export type PrintedPicture = {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
};

export interface Barcodes {
  /** An SVG of CODE 128. @throws Error for content that it does not have */
  code128(content: string): string;
}

export interface Printing {
  /** Lends a page of the browser. @throws DomainError unavailable; the signal's reason */
  print<T>(work: (sheet: Sheet) => Promise<T>, signal: AbortSignal): Promise<T>;
}

export interface Sheet {
  measure(blocks: readonly Block[]): Promise<Measures>;
  pdf(document: ReportDocument): Promise<Uint8Array>;
}

/** Turns a call into one for the account as a whole, for reports that nobody asks for: schedules. Without an account, its caller stays. */
export type AccountCalls = (ownerId: string, call: Call & { readonly caller: Caller }) => Promise<Call>;
