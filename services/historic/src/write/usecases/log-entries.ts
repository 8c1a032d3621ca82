import type { Acquisition, NotifyOn, WriteMode } from '@catchment/contracts/ingest';
import type { NodeConfig } from '@catchment/contracts/nodes';
import { storableText } from '@catchment/ids';
import type { Column, LogEntry } from '@catchment/ingest-log';
import { type BuiltColumn, isEditMode } from '../../records/index.ts';
import type { SeriesNode } from '../../series/index.ts';

/** All entries of one request share these attributes. */
export type WriteFacts = {
  readonly writeMode: WriteMode;
  readonly notifyOn: NotifyOn;
  readonly modifiedMs: number;
  readonly username: string;
  readonly traceparent: string;
  /** The write is by a person or program, in whose name history may be edited. */
  readonly isOfCaller: boolean;
  /** The write belongs to an import, which has neither a window nor a limit of what arrives. */
  readonly isImport: boolean;
  /** A write of devices is a part of this acquisition. */
  readonly acquisitionId?: string | undefined;
};

/** @param expected what the series must hold at these times; undefined: anything */
export function columnEntry(node: SeriesNode, built: BuiltColumn, facts: WriteFacts, expected?: Uint8Array): LogEntry {
  const column: Column = {
    nodeId: node.nodeId,
    ownerId: node.ownerId,
    workspaceId: node.workspaceId,
    sourceId: node.sourceId,
    valueType: node.series.valueType,
    writeMode: facts.writeMode,
    notifyOn: facts.notifyOn,
    modifiedMs: facts.modifiedMs,
    username: facts.username,
    timestamps: built.timestamps,
    flags: built.flags,
    numbers: built.numbers,
    texts: built.texts,
    qualities: built.qualities,
    annotations: built.annotations,
    traceparent: facts.traceparent,
    ...(facts.isOfCaller && isEditMode(facts.writeMode) && { isEdit: true }),
    ...(expected && { expected }),
  };
  return { kind: 'column', column };
}

/** A request did not get these rows stored. */
export type LeftOut = Pick<Acquisition, 'excluded' | 'dropped'>;

/** Returns the request's effect on its target, for counters and events. */
export function acquisitionEntry(
  target: Pick<NodeConfig, 'nodeId' | 'ownerId' | 'workspaceId' | 'sourceId'>,
  did: Pick<Acquisition, 'isSource' | 'rows' | 'parameters' | 'origin'> &
    Partial<LeftOut & Pick<Acquisition, 'fault' | 'continues' | 'inSession' | 'deliveries'>>,
  facts: Pick<WriteFacts, 'notifyOn' | 'modifiedMs' | 'username'>,
): LogEntry {
  const acquisition: Acquisition = {
    excluded: 0,
    dropped: 0,
    continues: false,
    ...did,
    // Nobody has checked the texts of file names and reasons: what is done with them is about many accounts.
    origin: storableText(did.origin),
    fault: storableText(did.fault ?? ''),
    nodeId: target.nodeId,
    ownerId: target.ownerId,
    workspaceId: target.workspaceId,
    sourceId: target.sourceId,
    notifyOn: facts.notifyOn,
    timeMs: facts.modifiedMs,
    username: facts.username,
  };
  return { kind: 'acquisition', acquisition };
}
