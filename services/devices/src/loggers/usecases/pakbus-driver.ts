import type { Duplex } from 'node:stream';
import { tableClock } from '@catchment/delimited-text';
import { countOf } from '@catchment/number-format';
import { PakBusError, RecordLayout, type Table } from '@catchment/pakbus';
import { CommunicationFailure, FinalFailure, type LoggerDriver } from '../../acquisition/index.ts';
import { activityChange } from '../domain/activity-change.ts';
import { type CollectionMemory, readMemory } from '../domain/collection-memory.ts';
import { columnsToRead, type LoggerColumn, unreadable } from '../domain/logger-columns.ts';
import { loggerModel, modelRefusal, type PakBusSource, readPakBusSource } from '../domain/pakbus-source.ts';
import { LoggerCommands, TablesChanged } from './logger-commands.ts';
import { newRecords } from './new-records.ts';
import { PakBusLink } from './pakbus-link.ts';
import type { LoggerParameters } from './ports.ts';
import { RecordParts } from './record-parts.ts';
import { sendControls } from './send-controls.ts';

export type PakBusDriverOptions = {
  /** Our address on the lines. */
  readonly ownAddress: number;
  /** Models with which there are sessions. */
  readonly models: readonly string[];
  /** A response may take so long. */
  readonly responseMs: number;
  readonly parameters: LoggerParameters;
};

type Session = Parameters<LoggerDriver['run']>[1];

/** A clock that is wrong by more is set. */
const CLOCK_WRONG_MS = 5_000;
/** One session collects this many records: the next session collects the rest. */
const RECORDS_MAX = 1_000_000;
const PARAMETERS_MAX = 500;
const NO_CHANGE = { active: [], inactive: [] };

/** Speaks PakBus with a Campbell logger (docs/reference/sources.md#data-loggers). */
export class PakBusDriver implements LoggerDriver {
  readonly sourceClass = 'source.data.CampbellPakBus';
  readonly #options: PakBusDriverOptions;

  constructor(options: PakBusDriverOptions) {
    this.#options = options;
  }

  async run(pipe: Duplex, session: Session): Promise<void> {
    const source = readPakBusSource(session.source.attributes, session.now());
    if ('refusal' in source) throw new FinalFailure(source.refusal);
    const { ownAddress: own, responseMs } = this.#options;
    const ends = { own, neighbour: source.gateway ?? source.address, node: source.address };
    const link = new PakBusLink(pipe, { ...ends, responseMs, signal: session.signal });
    try {
      await link.hello();
      const commands = new LoggerCommands(link, source.securityCode);
      await this.#introduce(commands, session);
      const { controls, progress } = session;
      if (controls.length > 0) {
        await progress.step('CONTROLLING');
        await sendControls(link, { tables: await commands.tables(), controls, source, progress });
      }
      if (!session.collects) return;
      await progress.step('DOWNLOADING');
      if (source.setsClock) await setClock(commands, source, session);
      await this.#collect(commands, source, session);
    } finally {
      link.close();
    }
  }

  async #introduce(commands: LoggerCommands, { progress }: Session): Promise<void> {
    const { osVersion, name: programName } = await commands.program();
    const { model, firmwareVersion } = loggerModel(osVersion);
    await progress.facts({ model, firmwareVersion, programName });
    const refusal = modelRefusal(model, this.#options.models);
    if (refusal) throw new FinalFailure(refusal);
  }

  async #collect(commands: LoggerCommands, source: PakBusSource, session: Session): Promise<void> {
    const memory = readMemory(session.progress.memory, source.acquireMs);
    const parts = new RecordParts(session.progress, memory);
    try {
      await this.#collectTables(commands, { source, session, memory, parts });
    } catch (error) {
      // Records that came are not asked for again.
      if (error instanceof CommunicationFailure) await parts.flush();
      if (error instanceof TablesChanged)
        throw new CommunicationFailure('the program of the logger changes', { cause: error });
      throw error;
    }
    await parts.end();
  }

  async #collectTables(commands: LoggerCommands, work: Work): Promise<void> {
    const { session } = work;
    const { makesParameters } = work.source;
    const known = await this.#options.parameters.of(session.source);
    const tables = await commands.tables();
    const change = makesParameters ? activityChange(known, tables) : NO_CHANGE;
    if (change.active.length + change.inactive.length > 0)
      await this.#options.parameters.activate(session.source, change);
    const again = new Set(change.active);
    const active = known.filter(({ series, isActive }) => isActive || again.has(series));
    const parameters = new Set(active.map(({ series }) => series));
    let added = 0;
    for (const table of tables) {
      const columns = columnsToRead(table, { parameters, makesParameters });
      const isNew = ({ series }: LoggerColumn) => !parameters.has(series);
      const room = PARAMETERS_MAX - known.length - added;
      const unknown = columns.filter(isNew);
      if (unknown.length > room) {
        await session.progress.event(
          'WARNING',
          `Table ${table.name}: ${countOf(unknown.length - room, 'field is', 'fields are')} not read, since a source has at most ${PARAMETERS_MAX} parameters`,
        );
      }
      const left = new Set(unknown.slice(0, Math.max(room, 0)));
      added += left.size;
      const taken = columns.filter((column) => !isNew(column) || left.has(column));
      if (taken.length > 0) await collectTable(commands, table, taken, work);
    }
  }
}

type Work = {
  readonly source: PakBusSource;
  readonly session: Session;
  readonly memory: CollectionMemory;
  readonly parts: RecordParts;
};

async function collectTable(
  commands: LoggerCommands,
  table: Table,
  columns: readonly LoggerColumn[],
  { source, session, memory, parts }: Work,
): Promise<void> {
  const layout = await layoutOf(table, session);
  if (!layout) return;
  const { signature, name } = table;
  const pointer = Object.hasOwn(memory.pointers, name) ? memory.pointers[name] : undefined;
  const firstMs = source.acquireMs ?? source.startMs;
  const startMs = firstMs === undefined ? undefined : source.zone.localMsAt(firstMs);
  const clock = tableClock(source.zone);
  // A repeated hour goes on where the session before was in it.
  if (pointer?.signature === signature) clock.instantMsOf({ instantMs: pointer.instantMs });
  const taking = { name, columns, instantOf: (localMs: number) => source.zone.instantMsOf(localMs) };
  for await (const part of newRecords(commands, { table, layout, pointer, startMs })) {
    for (const { number, timeMs, values } of part) {
      const instantMs = clock.instantMsOf({ localMs: timeMs });
      await parts.take(taking, { instantMs, values }, { signature, number, timeMs, instantMs });
    }
    if (parts.taken >= RECORDS_MAX) return;
  }
}

/** @returns undefined, with an event, for a table that cannot be read */
async function layoutOf(table: Table, { progress }: Session): Promise<RecordLayout | undefined> {
  try {
    const layout = new RecordLayout(table);
    const left = unreadable(table);
    if (left.length > 0) {
      await progress.event(
        'WARNING',
        `Table ${table.name}: no values of ${left.slice(0, 5).join(', ')}: unknown types`,
      );
    }
    return layout;
  } catch (error) {
    if (!(error instanceof PakBusError)) throw error;
    await progress.event('WARNING', `Table ${table.name} is not read: ${error.message}`);
    return undefined;
  }
}

/** Sets a clock that is wrong, and sees whether it is right then. */
async function setClock(commands: LoggerCommands, { zone }: PakBusSource, session: Session): Promise<void> {
  const wrongMs = async () => {
    const before = session.now();
    const shown = await commands.clock();
    return shown - zone.localMsAt((before + session.now()) / 2);
  };
  const byMs = Math.round(await wrongMs());
  if (Math.abs(byMs) <= CLOCK_WRONG_MS) return;
  await commands.moveClock(-byMs).catch(async (error) => {
    // It may have been set all the same.
    if (!(error instanceof CommunicationFailure) || Math.abs(await wrongMs()) > CLOCK_WRONG_MS) throw error;
  });
  const seconds = Math.round(Math.abs(byMs) / 1_000);
  await session.progress.event('INFO', `Clock of the logger set: it was ${seconds} s ${byMs > 0 ? 'fast' : 'slow'}`);
}
