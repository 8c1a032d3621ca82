import { Drop } from 'liquidjs';
import { broken } from './budget.ts';

/** Returns a value as JSON knows it: the literals `nil`, `empty` and `blank` are objects of the library. */
export const plainOf = (value: unknown): unknown => (value instanceof Drop ? value.valueOf() : value);

/** Characters are code points in every filter: an emoji counts once and is never split. */
export const charactersOf = (text: string): string[] => [...text];

export const characterCount = (text: string): number => charactersOf(text).length;

/** Returns what stands for a value in a text: nothing for nil, items of lists one after the other, objects as JSON. */
export function textOf(given: unknown): string {
  const value = plainOf(given);
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(textOf).join('');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

export const isNil = (value: unknown): value is null | undefined => textOf(value) === '' && value !== '';

/** Texts of numbers are numbers; everything else is 0. */
export const numberOf = (value: unknown): number => Number(textOf(value)) || 0;

/** @param name what a refusal calls it @throws DomainError invalid_argument */
export function integerOf(value: unknown, name: string): number {
  const text = textOf(value).trim();
  if (!/^[+-]?\d{1,9}$/.test(text)) throw broken(`${name} must be a whole number`);
  return Number(text);
}

/** @throws DomainError invalid_argument */
export function countOf(value: unknown, name: string): number {
  const count = integerOf(value, name);
  if (count < 0) throw broken(`${name} must not be below 0`);
  return count;
}
