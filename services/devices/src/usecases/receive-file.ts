import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { ReceiveFileRequest, ReceiveFileResponse } from '@catchment/contracts/devices';
import { failureText, jtsColumns, type OpenedText, openText, type TextOptions } from '@catchment/delimited-text';
import { invalid, tooLarge, unavailable } from '@catchment/errors';
import { apiCaller, type CallContext, checkModify } from '@catchment/grpc';
import type { Database } from '@catchment/pg';
import { effectiveZone, formatIsoMs } from '@catchment/time';
import { recordEvents } from '../bus/recorded-event.ts';
import type { WriteForCaller } from '../clients/historic-client.ts';
import type { NodesClient } from '../clients/nodes-client.ts';
import { FILE_SOURCE_ATTRIBUTES, type FileSource, parserFor } from '../domain/source-file.ts';
import { type Batch, inBatches } from './file-batches.ts';

export type FileDeps = {
  readonly nodes: Pick<NodesClient, 'document'>;
  readonly write: WriteForCaller;
  readonly database: Database;
  readonly namespace: string;
  readonly now: () => number;
};

type Call = Pick<CallContext, 'caller' | 'token' | 'deadlineMs' | 'signal' | 'log'>;

/** Of a file that came packed. */
const UNPACKED_MAX_BYTES = 64 * 1024 * 1024;
/** Files in work at a time: each holds its bytes, and one batch of records. */
const AT_ONCE = 4;
/** Of one write (semantics 8.1). */
const SERIES_MAX = 100;
const NAME_CHARACTERS = 120;
const REPLACE = 'INSERT_DELETE_EXISTING';

const unpack = promisify(gunzip);

/** Takes files for text sources as a push transport would (semantics 12.7): all that can be read is stored. */
export class FileReceiver {
  readonly #deps: FileDeps;
  #inWork = 0;

  constructor(deps: FileDeps) {
    this.#deps = deps;
  }

  /**
   * The file is read twice: first all of it, so that one that cannot be read changes nothing; then its records are written.
   * @throws DomainError permission_denied, not_found, invalid_argument naming line and column or the part of the parser,
   *   too_large, unavailable
   */
  async receive({ nodeRef, body, fileName }: ReceiveFileRequest, call: Call): Promise<ReceiveFileResponse> {
    checkModify(apiCaller(call.caller));
    const { nodes, namespace } = this.#deps;
    // Who may not see the node takes no place, and hears nothing of how busy it is here.
    const source = (await nodes.document(nodeRef, FILE_SOURCE_ATTRIBUTES, call)) as FileSource;
    if (source._class !== `${namespace}.models.node.source.data.TextParser`) {
      throw invalid('NODE_KIND', 'node: must be a source of delimited text (source.data.TextParser)');
    }
    if (this.#inWork >= AT_ONCE) throw unavailable('TOO_MANY_FILES');
    this.#inWork += 1;
    try {
      return await this.#read(source, body, { fileName, call });
    } finally {
      this.#inWork -= 1;
    }
  }

  async #read(
    source: FileSource,
    body: Uint8Array,
    { fileName, call }: { fileName: string; call: Call },
  ): Promise<ReceiveFileResponse> {
    const nowMs = this.#deps.now();
    const options: TextOptions = {
      settings: parserFor(source, fileName),
      zone: effectiveZone(source.timezone ?? 'Etc/UTC', source.timezoneAdjustForDst ?? false, nowMs),
      nowMs,
    };
    const bytes = await unpacked(body);
    const open = () => openText(piecesOf(bytes, call.signal), options);
    const checked = await open();
    if (checked.series.length > SERIES_MAX) {
      throw invalid(
        'TOO_MANY_SERIES',
        `parser.columns: at most ${SERIES_MAX} may be series, not ${checked.series.length}`,
      );
    }
    const ranges = await rangesOf(checked);
    const { report } = checked;
    if (report.parsed === 0) {
      const why = report.firstFailure ? failureText(report.firstFailure) : 'file: has no lines with data';
      throw invalid('NOTHING_PARSED', why);
    }
    const records = await this.#write(source, await open(), ranges, { fileName, call });
    if (report.failed > 0) await this.#tell(source, fileName, checked);
    const first = report.firstFailure ?? report.firstUnreadable;
    return {
      lines: report.lines,
      parsed: report.parsed,
      records,
      series: checked.series.length,
      unreadableFields: report.unreadableFields,
      firstFailure: first ? failureText(first) : '',
    };
  }

  /** @returns records written */
  async #write(
    source: FileSource,
    text: OpenedText,
    ranges: Ranges,
    { fileName, call }: { fileName: string; call: Call },
  ): Promise<number> {
    const columns = jtsColumns(text.series);
    const send = (data: Batch, writeMode: string) =>
      this.#deps.write(
        {
          nodeRef: source._id,
          document: { docType: 'jts', version: '1.0', header: { columns }, data },
          writeMode,
          origin: fileName.slice(0, NAME_CHARACTERS) || 'file',
        },
        call,
      );
    const mode = source.writeMode ?? 'MERGE_OVERWRITE_EXISTING';
    let records = 0;
    let held: Batch | undefined;
    let isReplaced = false;
    for await (const batch of inBatches(text)) {
      records += batch.length;
      if (held) {
        // What replaces a range does so at once: several batches would each delete what the others have brought.
        if (mode === REPLACE && !isReplaced) await send(boundsOf(ranges), 'DELETE_RANGE');
        isReplaced = true;
        await send(held, mode === REPLACE ? 'MERGE_OVERWRITE_EXISTING' : mode);
      }
      held = batch;
    }
    await send(held ?? [], isReplaced && mode === REPLACE ? 'MERGE_OVERWRITE_EXISTING' : mode);
    return records;
  }

  /** Semantics 12.6. */
  async #tell(source: FileSource, fileName: string, { report }: OpenedText): Promise<void> {
    const { _id: sourceId, ownerId, workspaceId } = source;
    const percent = Math.floor((100 * report.parsed) / report.lines);
    const { line = 0, reason = '' } = report.firstFailure ?? {};
    const message = `Parsed ${percent}% of ${fileName.slice(0, NAME_CHARACTERS) || 'file'} [${report.failed} lines failed, first at line ${line}: ${reason}]`;
    const event = { source: { sourceId, ownerId, workspaceId, sourceClass: 'source.data.TextParser' }, message };
    const { database, now } = this.#deps;
    await database.transaction((tx) => recordEvents(tx, [{ ...event, level: 'WARNING', timeMs: now() }]));
  }
}

async function unpacked(body: Uint8Array): Promise<Uint8Array> {
  if (body[0] !== 0x1f || body[1] !== 0x8b) return body;
  try {
    return await unpack(body, { maxOutputLength: UNPACKED_MAX_BYTES });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
    throw invalid('BAD_GZIP', 'body: begins as gzip data and is none');
  }
}

const PIECE_BYTES = 64 * 1024;

async function* piecesOf(bytes: Uint8Array, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    signal.throwIfAborted();
    yield bytes.subarray(at, at + PIECE_BYTES);
    // Other calls of this process get their turn.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

type Ranges = ReadonlyMap<number, { readonly firstMs: number; readonly lastMs: number }>;

/** First and last time of each series that has records, reading the file to its end. */
async function rangesOf(text: OpenedText): Promise<Ranges> {
  const ranges = new Map<number, { firstMs: number; lastMs: number }>();
  for await (const { timeMs, cells } of text.records()) {
    cells.forEach((cell, series) => {
      if (cell === undefined) return;
      const known = ranges.get(series) ?? { firstMs: timeMs, lastMs: timeMs };
      ranges.set(series, {
        firstMs: Math.min(known.firstMs, timeMs),
        lastMs: Math.max(known.lastMs, timeMs),
      });
    });
  }
  return ranges;
}

/** Entries that name the ends of each series' range. */
const boundsOf = (ranges: Ranges): Batch =>
  [...ranges].flatMap(([series, { firstMs, lastMs }]) =>
    [firstMs, lastMs].map((ms) => ({ ts: formatIsoMs(ms), f: { [series]: null } })),
  );
