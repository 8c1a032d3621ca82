export { textOf as valueText } from './change-list.tsx';
export { ConflictList } from './conflict-list.tsx';
export { type FieldProps, FormContext, type FormParts, useForm } from './context.ts';
export {
  type Conflict,
  changed,
  changesBetween,
  clean,
  type Document,
  type Draft,
  documentOf as draftedDocument,
  forBody,
  isSame,
  overTheirs,
  rebased,
} from './draft.ts';
export { FieldView } from './field.tsx';
export { Form, type Saved } from './form.tsx';
export { Hint as FieldHint, Problem as FieldProblem } from './notes.tsx';
export { type Field, fieldsOf, type JsonSchema, referred, type Schemas } from './schema.ts';
export type { FormWords } from './words.ts';
