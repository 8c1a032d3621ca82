export { type Document, differenceOf, forBody, isSame } from './draft.ts';
export { type FieldProps, Hint as FieldHint, Problem as FieldProblem, useForm } from './field.tsx';
export { Form, type FormProps, type Saved } from './form.tsx';
export { type Field, fieldsOf, type JsonSchema, type Schemas } from './schema.ts';
export type { FormWords } from './words.ts';
