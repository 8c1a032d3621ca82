import type { TextReport } from '@catchment/delimited-text';
import type { EffectiveZone } from '@catchment/time';
import type { ImportSettings } from '../../sources/index.ts';
import type { RefusedLineList } from '../domain/refused-lines.ts';
import type { FileToProcess } from './process-file.ts';

/** The record goes into a JTS document. */
type Entry = { readonly timeMs: number; readonly ts: string; readonly f: Readonly<Record<string, unknown>> };
/** The content of a file is read anew each time. */
export type Content = {
  /** `header.columns`; of JTS known once the first entry has come. */
  readonly columns: () => Readonly<Record<string, unknown>>;
  readonly entries: () => AsyncGenerator<Entry>;
  readonly report: TextReport | undefined;
  /** Returns the reason why nothing after some place could be read, once everything before it is. */
  readonly brokenOff?: () => string | undefined;
};

/** What a format is opened with. */
export type Opening = {
  readonly file: Pick<FileToProcess, 'source' | 'arrivedMs'>;
  readonly settings: ImportSettings;
  readonly zone: EffectiveZone;
  /** Gathers what is not read. */
  readonly refused?: RefusedLineList;
};
