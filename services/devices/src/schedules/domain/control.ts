/** The value of a control parameter waits to be sent. */
export type PendingControl = {
  readonly nodeId: string;
  readonly revision: number;
  /** "<table>.<field>" of the parameter. */
  readonly series: string;
  readonly name: string;
  readonly family: 'NUMBER' | 'TEXT' | 'TIME';
  /** A time in Unix ms. */
  readonly value: number | string;
};

/** A client has set this value of a control parameter. */
export type ControlSet = Omit<PendingControl, 'value'> & {
  readonly ownerId: string;
  readonly workspaceId: string;
  readonly sourceId: string;
  /** null: it was taken back. */
  readonly value: number | string | null;
  /** The value was set then; Unix ms. */
  readonly timeMs: number;
};

const FAMILIES: Readonly<Record<PendingControl['family'], { dataType: string; className: string }>> = {
  NUMBER: { dataType: 'NUMBER', className: 'point.NumberControlPoint' },
  TEXT: { dataType: 'TEXT', className: 'point.TextControlPoint' },
  TIME: { dataType: 'TIME', className: 'point.TimeControlPoint' },
};

export const controlClass = ({ family }: Pick<PendingControl, 'family'>): string => FAMILIES[family].className;

/** Returns the record of a value that was sent, as a JTS document of its source. */
export function controlDocument(
  { nodeId, family, value }: Omit<PendingControl, 'value'> & { value: unknown },
  timeMs: number,
) {
  const ts = new Date(timeMs).toISOString();
  const v = family === 'TIME' ? { $time: new Date(Number(value)).toISOString() } : value;
  return {
    docType: 'jts',
    version: '1.0',
    header: { columns: { 0: { id: nodeId, dataType: FAMILIES[family].dataType } } },
    data: [{ ts, f: { 0: { v } } }],
  };
}
