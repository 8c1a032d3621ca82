import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Document } from './draft.ts';
import type { Field } from './schema.ts';
import type { FormWords } from './words.ts';

export type FormParts = {
  readonly words: FormWords;
  /** Returns a problem of the attribute at a path such as `states[2].threshold`, as the server reports it. */
  readonly problemOf: (path: string) => string | undefined;
  /** Returns whether an attribute means something beside the others of its object. */
  readonly isShown: (path: string, siblings: Document) => boolean;
  /** Makes a field of the page's own, for example a search of nodes; undefined: the usual one. */
  readonly special: (props: FieldProps) => ComponentChildren | undefined;
  readonly isReadOnly: boolean;
  /** A field may depend on others of the form. */
  readonly document: Document;
  /** The server's document. */
  readonly base: Document;
  readonly change: (name: string, value: unknown) => void;
  /** Draws a field of any kind, within a list too. */
  readonly show: (props: FieldProps) => ComponentChildren;
};

export const FormContext = createContext<FormParts | undefined>(undefined);
export const useForm = (): FormParts => useContext(FormContext)!;

export type FieldProps = {
  readonly field: Field;
  readonly path: string;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
};
