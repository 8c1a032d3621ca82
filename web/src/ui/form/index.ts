export { ConflictList } from './conflict-list.tsx';
export { type FieldProps, useForm } from './context.ts';
export { type Conflict, type Document, differenceOf, forBody, isSame, overTheirs } from './draft.ts';
export { Form, type FormProps, type Saved } from './form.tsx';
export { Hint as FieldHint, Problem as FieldProblem } from './notes.tsx';
export { type Field, fieldsOf, type JsonSchema, type Schemas } from './schema.ts';
export type { FormWords } from './words.ts';
