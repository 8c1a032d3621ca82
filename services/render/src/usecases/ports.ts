import type { Chart, Picture, QualityColors } from '../domain/chart.ts';
import type { ChartNode } from '../domain/chart-node.ts';
import type { Records } from '../domain/chart-series.ts';
import type { ImageFormat } from '../domain/image-format.ts';
import type { Parameter } from '../domain/parameter.ts';
import type { AggregateArguments } from '../domain/reduction.ts';

/** A call has its caller, and its time. */
export type Call = { readonly token: string; readonly deadlineMs: number; readonly signal: AbortSignal };

export interface ChartedNodes {
  /** @throws DomainError not_found | permission_denied | failed_precondition (no parameter with a chart, no chart) */
  /** @param draft attributes of a chart node that are not saved, public JSON */
  get(nodeRef: string, call: Call, draft?: Uint8Array | undefined): Promise<Parameter | ChartNode>;
  /**
   * Parameters in the order of their references; one may come more than once.
   * @throws DomainError as `get`; not_found names the reference
   */
  named(references: readonly string[], call: Call): Promise<readonly Parameter[]>;
  /** Linked parameters by id; those that are gone, or not for the caller, are left out. */
  linked(nodeIds: readonly string[], call: Call): Promise<ReadonlyMap<string, Parameter>>;
}

export interface SeriesRecords {
  /**
   * The transformed records of a range, with the bounding ones (docs/reference/reading.md#bounding-records); of more than
   * `maxRecords` the first, which are cut.
   */
  read(
    parameter: Parameter,
    range: { startMs: number; endMs: number; maxRecords: number },
    call: Call,
  ): Promise<Records>;
  /**
   * Returns the records that stand out in each of `columns` equal columns of a range (docs/reference/reading.md#reduction), transformed,
   * with the bounding ones; of at most `wholeUpTo` records all, which are whole.
   * @returns undefined for more than `maxRecords`
   */
  outline(
    parameter: Parameter,
    range: { startMs: number; endMs: number; columns: number; wholeUpTo: number; maxRecords: number },
    call: Call,
  ): Promise<Records | undefined>;
  /**
   * Returns the results of an aggregate of a range; those of states as their indexes.
   * @param query.nowMs what "now" is for intervals
   * @returns undefined for more than `maxRecords`
   */
  aggregate(
    parameter: Parameter,
    query: { startMs: number; endMs: number; maxRecords: number; arguments: AggregateArguments; nowMs: number },
    call: Call,
  ): Promise<Records | undefined>;
  /**
   * Transformed records of a range, or results of an aggregate, and nothing beside it. Where only one end is given, the `limit` rows that
   * are nearest to it.
   * @returns undefined for more than `maxRecords`
   */
  rows(parameter: Parameter, query: RowsQuery, call: Call): Promise<Records | undefined>;
  /** Finds the times of the first and last record; null without any. */
  edges(parameter: Parameter, call: Call): Promise<{ firstMs: number | null; lastMs: number | null }>;
}

export type RowsQuery = {
  readonly startMs?: number;
  readonly endMs?: number;
  /** 0 = none. */
  readonly limit: number;
  readonly maxRecords: number;
  /** Arguments of a read, by documented name: an aggregate, qualityExcluded. */
  readonly arguments: AggregateArguments;
  readonly nowMs: number;
};

export interface Qualities {
  /** Colours of the quality codes that the caller's account knows (docs/reference/quality.md#quality-codes). */
  colors(call: Call): Promise<QualityColors>;
}

export interface Preferences {
  /** Ids of the categories of which the caller gets notifications in a Workspace. */
  categories(workspaceId: string, call: Call): Promise<ReadonlySet<string>>;
}

export interface Drawing {
  /** Returns the width of the plot in pixels of the chart, which follows from the labels beside it. @throws as `draw` */
  plotWidth(chart: Chart, signal: AbortSignal): Promise<number>;
  /** @throws DomainError too_large (memory); the signal's reason when aborted */
  draw(request: ImageRequest, signal: AbortSignal): Promise<Uint8Array>;
}

export type PreviewedFile = { readonly fileId: string; readonly size: number; readonly segmentBytes: number };

export interface Files {
  /** The whole file. @throws DomainError not_found | unavailable */
  read(file: PreviewedFile, call: Call): Promise<Uint8Array>;
}

export interface Previewing {
  /** Returns a JPEG; empty when the bytes are no picture. It takes the bytes away. */
  preview(bytes: Uint8Array, signal: AbortSignal): Promise<Uint8Array>;
}

export type ImageRequest = {
  readonly chart: Picture;
  readonly format: ImageFormat;
  /** Output pixels per pixel of the chart, 1–4; SVG and PDF ignore it. */
  readonly scale: number;
};
