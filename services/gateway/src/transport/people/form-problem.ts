import { DomainError } from '@catchment/errors';
import type { FormProblem } from '../views/fields.ts';

/** Names in messages of the nodes service → fields of our forms, with their labels. */
const FIELDS: ReadonlyMap<string, readonly [field: string, label: string]> = new Map([
  ['name.first', ['firstName', 'The first name']],
  ['name.last', ['lastName', 'The last name']],
  ['phone', ['phone', 'The phone number']],
  ['timezone', ['timezone', 'The time zone']],
  ['timeFormat', ['timeFormat', 'The time format']],
  ['password', ['password', 'The password']],
  ['newPassword', ['password', 'The password']],
  ['repeat', ['repeat', 'The second password']],
  ['email', ['email', 'The e-mail']],
  ['label', ['label', 'The label']],
  ['permission', ['permission', 'The permission']],
  ['accessLevel', ['accessLevel', 'The access']],
]);

/** Returns a refusal that people can mend in the form; undefined for any other failure. @param wrongPassword field of the password */
export function formProblem(error: unknown, wrongPassword = ''): FormProblem | undefined {
  if (!(error instanceof DomainError)) return undefined;
  const { kind, reason, message } = error;
  if (reason === 'SIGN_IN_FAILED')
    return wrongPassword === ''
      ? { field: '', message }
      : { field: wrongPassword, message: 'This is not your password.' };
  if (kind === 'resource_exhausted') return { field: '', message };
  if (kind === 'failed_precondition') return { field: '', message: sentenceOf(message) };
  if (kind !== 'invalid_argument') return undefined;
  const [, name = '', rule = ''] = /^([\w.]+): (.*)$/s.exec(message) ?? [];
  const [field, label] = FIELDS.get(name) ?? ['', ''];
  return { field, message: field === '' ? message : `${label} ${rule}.` };
}

/** Returns the message without the name of the argument, which forms do not show. */
function sentenceOf(message: string): string {
  const text = message.replace(/^\w+: /, '');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** Sets the same wait that the message gives. */
export const retryHeaders = (error: unknown): Readonly<Record<string, string>> =>
  error instanceof DomainError && error.retryAfterSeconds !== undefined
    ? { 'retry-after': String(error.retryAfterSeconds) }
    : {};

/** Returns the HTTP status of a form that is shown again. */
export const statusOf = (error: unknown): number => {
  if (!(error instanceof DomainError)) return 400;
  if (error.kind === 'resource_exhausted') return 429;
  return error.kind === 'unauthenticated' ? 401 : 400;
};

/** @throws DomainError invalid_argument unless the new password was typed twice alike */
export function checkRepeated(values: URLSearchParams): void {
  if (values.get('password') !== values.get('repeat'))
    throw new DomainError('invalid_argument', 'NOT_REPEATED', 'repeat: must be the same as the first one');
}

/** The session has ended; a wrong password is something else. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof DomainError && error.kind === 'unauthenticated' && error.reason === 'SESSION_ENDED';
