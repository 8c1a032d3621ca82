import type { ComponentChildren } from 'preact';
import { type Field, FieldView, FormContext, type FormParts } from '../../ui/form/index.ts';
import { textAtField } from '../../words/error-text.ts';
import { reportWords } from './fields.ts';
import type { Refusal } from './use-report.ts';

type ReportFormProps = {
  readonly document: FormParts['document'];
  readonly refusal: Refusal | undefined;
  readonly children: ComponentChildren;
};

/** Gives fields the words of reports, and shows a refusal at the field that it names. */
export function ReportForm({ document, refusal, children }: ReportFormProps) {
  const parts: FormParts = {
    words: reportWords(),
    isReadOnly: false,
    isShown: () => true,
    document,
    base: document,
    change: () => {},
    special: () => undefined,
    show: (field) => <FieldView {...field} />,
    problemOf: (path) => (refusal?.path === path ? textAtField(refusal.message) : undefined),
  };
  return <FormContext.Provider value={parts}>{children}</FormContext.Provider>;
}

/** Makes a field of text that the schemas of the API have within an attribute. */
export const textField = (
  name: string,
  { isRequired, maxLength }: { readonly isRequired: boolean; readonly maxLength: number },
): Field => ({
  name,
  shape: { kind: 'text', isLong: true, choices: [] },
  hint: '',
  isRequired,
  isNullable: !isRequired,
  usual: isRequired ? '' : undefined,
  example: undefined,
  maxLength,
});
