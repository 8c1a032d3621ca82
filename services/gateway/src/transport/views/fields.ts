import { type Html, html } from './html.ts';

/** The failure of a form: its message is shown at the field it is about, or above the form. */
export type FormProblem = { readonly field: string; readonly message: string };

type FieldOptions = {
  readonly name: string;
  readonly label: string;
  readonly value?: string;
  readonly type?: 'text' | 'email' | 'password' | 'tel';
  readonly autocomplete?: string;
  readonly hint?: string;
  readonly required?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Ready answers to choose from. */
  readonly suggestions?: readonly string[];
  readonly problem?: FormProblem | undefined;
};

/** Returns a field with its label; screen readers get the hint and the error too. */
export function field(options: FieldOptions): Html {
  const { name, label, value = '', type = 'text', hint, required, minLength, maxLength = 200, suggestions } = options;
  const error = options.problem?.field === name ? options.problem.message : undefined;
  const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ');
  return html`<div class="row"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" value="${type === 'password' ? '' : value}" maxlength="${maxLength}"${
    minLength !== undefined && html` minlength="${minLength}"`
  }${options.autocomplete && html` autocomplete="${options.autocomplete}"`}${required && html` required`}${
    suggestions && html` list="${name}-list"`
  }${described && html` aria-describedby="${described}"`}${error && html` aria-invalid="true" autofocus`}>${
    suggestions &&
    html`<datalist id="${name}-list">${suggestions.map((suggestion) => html`<option value="${suggestion}"></option>`)}</datalist>`
  }${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}${
    error && html`<p class="error" id="${name}-error">${error}</p>`
  }</div>`;
}

type Option = { readonly value: string; readonly label: string };

export function select(options: {
  name: string;
  label: string;
  value: string;
  options: readonly Option[];
  /** More options below a heading each. */
  groups?: ReadonlyMap<string, readonly Option[]>;
  hint?: string;
  problem?: FormProblem | undefined;
}): Html {
  const { name, label, value, hint } = options;
  const error = options.problem?.field === name ? options.problem.message : undefined;
  const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ');
  const item = (option: Option) =>
    html`<option value="${option.value}"${option.value === value && html` selected`}>${option.label}</option>`;
  const groups = [...(options.groups ?? [])].map(
    ([heading, items]) => html`<optgroup label="${heading}">${items.map(item)}</optgroup>`,
  );
  return html`<div class="row"><label for="${name}">${label}</label>
<select id="${name}" name="${name}"${described && html` aria-describedby="${described}"`}${
    error && html` aria-invalid="true"`
  }>${options.options.map(item)}${groups}</select>${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}${
    error && html`<p class="error" id="${name}-error">${error}</p>`
  }</div>`;
}

export const checkbox = (name: string, label: string, isChecked: boolean, value = 'on'): Html =>
  html`<label class="check"><input type="checkbox" name="${name}" value="${value}"${isChecked && html` checked`}>${label}</label>`;

/** Returns a message above a form: what went wrong and no field is to blame for, or what has been done. */
export const notice = (kind: 'bad' | 'good', message: string | Html): Html =>
  html`<div class="note ${kind}" role="${kind === 'bad' ? 'alert' : 'status'}"><p>${message}</p></div>`;

/** Returns the problem of a form where no field of it shows it. */
export const generalNotice = (problem: FormProblem | undefined, fields: readonly string[]): Html | false =>
  problem !== undefined && !fields.includes(problem.field) && notice('bad', problem.message);
