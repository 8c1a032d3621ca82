import type { BlockType, Look } from '../../data/pages/reports.ts';
import { formWords } from '../../parts/words-of.ts';
import { type Field, type FormWords, fieldsOf, type JsonSchema, referred, type Schemas } from '../../ui/form/index.ts';
import { say } from './words.ts';

export type ReportFields = {
  readonly block: readonly Field[];
  readonly paper: readonly Field[];
  readonly look: readonly Field[];
};

/** Finds what may be set of a block, of its look and of the paper, by the schemas of the API. */
export function reportFields(all: Schemas): ReportFields {
  const creation = Object.values(all).find(
    ({ properties }) =>
      /\.Report$/.test(String(properties?._class?.enum?.[0] ?? '')) && !Object.hasOwn(properties!, '_id'),
  );
  const inner = (schema: JsonSchema | undefined): JsonSchema | undefined => {
    const whole = referred(schema, all);
    const [only] = [...(whole?.anyOf ?? []), ...(whole?.oneOf ?? [])].filter(
      (alternative) => alternative.type !== 'null',
    );
    return whole?.properties || !only ? whole : inner(only);
  };
  const template = inner(creation?.properties?.template);
  const elements = referred(template?.properties?.elements, all);
  const element = inner(elements?.items ?? inner(template?.properties?.elements)?.items);
  const style = inner(element?.properties?.style);
  const of = (schema: JsonSchema | undefined) => (schema ? fieldsOf(schema, all) : []);
  return { block: of(element), paper: of(template), look: of(style) };
}

/** The form has these attributes of a block beside its place, in its order; one that is not here has a separate form. */
export const FIELDS_OF: Readonly<Record<BlockType, readonly string[]>> = {
  TEXT: ['content'],
  IMAGE: ['source'],
  TABLE: [],
  LINE: ['lineColor', 'lineWidth'],
  FRAME: ['lineColor', 'lineWidth'],
  BARCODE: ['content'],
  PAGE_BREAK: [],
};
/** These take expressions. */
export const EXPRESSIONS = new Set(['content', 'source', 'printIf', 'link']);
export const LOOK_FIRST = ['fontSize', 'bold', 'italic', 'alignment', 'color'];
/** These hold where a block and its style say nothing: docs/reference/dashboards-and-reports.md#report. */
export const USUAL_LOOK: Look = {
  fontSize: 12,
  alignment: 'LEFT',
  verticalAlignment: 'TOP',
  color: '#000000',
  font: 'Helvetica',
  lineSpacing: 1,
  borderColor: '#000000',
  borderWidth: 1,
  padding: 0,
};
export const hasLook = (type: BlockType): boolean => type === 'TEXT' || type === 'TABLE' || type === 'FRAME';

/** Returns words of attributes, with those of reports before all others. */
export function reportWords(): FormWords {
  const text = say();
  const usual = formWords();
  return { ...usual, label: (name) => (text.fields as Readonly<Record<string, string>>)[name] ?? usual.label(name) };
}
