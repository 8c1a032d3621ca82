import { type Options, type Program, parse } from 'acorn';
import type { Analysis, ProgramError, ProgramText } from '../../domain/program.ts';
import { declared, literalsOf, type Names, type Reading, Refusal, readText } from './read-text.ts';

/** Parameters of the function around all of a program, as the kernel gives them. */
const PARAMETERS =
  'THIS, SOURCE, LOCATION, WORKSPACE, NODE, NODES, NUMBER, TEXT, TIME, BOOLEAN, T, Q, AUTH, require, console';

const TOO_DEEP = 'the program is nested too deeply';

/** This program can be evaluated. */
export type PreparedSource = {
  readonly analysis: Analysis;
  /** Text whose value is a function that makes the program. */
  readonly script: string;
  /** The person's own code begins on this line of the script; the shared code comes before it. */
  readonly firstOwnLine: number;
  readonly usesMoment: boolean;
  /** Returns a line of the script as the person knows it. */
  readonly place: (scriptLine: number) => Place;
};
export type Place = { readonly line?: number; readonly isShared: boolean };

type Text = { readonly code: string; readonly ast: Program; readonly isShared: boolean };

/** Reads a program. Nothing of it is evaluated. */
export function prepareSource(text: ProgramText): PreparedSource | { readonly error: ProgramError } {
  const shared = parsed(text.sharedCode, true);
  if ('error' in shared) return shared;
  const program = parsed(text.code, false);
  if ('error' in program) return program;
  try {
    return read(shared, program);
  } catch (error) {
    if (error instanceof RangeError) return { error: { message: TOO_DEEP } };
    throw error;
  }
}

/** Reads an expression, as a program whose result is its value as a text. */
export function prepareExpression(code: string): PreparedSource | { readonly error: ProgramError } {
  const text = `(${code}\n)`;
  const whole = parsed(text, false, { preserveParens: true });
  if ('error' in whole) return { error: { message: whole.error.message } };
  const [first] = whole.ast.body;
  const isWhole = first?.type === 'ExpressionStatement' && first.expression.type === 'ParenthesizedExpression';
  if (!isWhole || first.expression.end !== text.length) return { error: { message: 'this is no expression' } };
  const program = `return ((value) => (value == null ? '' : '' + value))${text}`;
  return prepareSource({ kind: 'parameter', code: program, sharedCode: '' });
}

/** @returns what a failure says, in the words of docs/reference/processing-and-ratings.md#program-runs */
export function placed(message: string, { line, isShared }: Place): ProgramError {
  if (line === undefined) return { message };
  return isShared ? { message: `${message} (shared code, line ${line})` } : { message, line };
}

function parsed(
  given: string,
  isShared: boolean,
  more: Partial<Options> = {},
): Text | { readonly error: ProgramError } {
  const code = given.replaceAll(/\r\n?/g, '\n');
  try {
    const ast = parse(code, {
      ecmaVersion: 'latest',
      sourceType: 'script',
      allowReturnOutsideFunction: true,
      allowHashBang: false,
      locations: true,
      ...more,
    });
    return { code, ast, isShared };
  } catch (error) {
    const { message, loc } = error as SyntaxError & { loc?: { line: number } };
    if (error instanceof RangeError || message.startsWith('Not enough stack space'))
      return { error: { message: TOO_DEEP } };
    const place = loc === undefined ? { isShared } : { line: loc.line, isShared };
    return { error: placed(message.replace(/ \(\d+:\d+\)$/, ''), place) };
  }
}

function read(shared: Text, program: Text): PreparedSource | { readonly error: ProgramError } {
  const top = declared([...shared.ast.body, ...program.ast.body]);
  const names: Names = { top, constants: literalsOf([shared.ast, program.ast]) };
  const readings: Reading[] = [];
  for (const { ast, isShared } of [shared, program]) {
    try {
      readings.push(readText(ast, names, isShared));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { error: placed(error.message, { line: error.line, isShared }) };
    }
  }
  const known = new Set<string>();
  const isNew = (key: string) => !known.has(key) && known.add(key);
  const references = readings
    .flatMap((reading) => reading.references)
    .sort((a, b) => a.start - b.start)
    .filter(({ call, text }) => isNew(`${call} ${text}`))
    .map(({ start: _, ...reference }) => reference);
  const [locationLine] = readings.flatMap((reading) => reading.locationLine ?? []);
  const undeclared = new Set(readings.flatMap((reading) => reading.undeclared));

  let helper = 'thrown_';
  while (shared.code.includes(helper) || program.code.includes(helper)) helper += '_';
  // The shared code begins in line 2 of the script.
  const firstOwn = 1 + lineCount(shared.code) + 1;
  const [sharedThrows = [], ownThrows = []] = readings.map((reading) => reading.throws);
  const variables = undeclared.size > 0 ? `var ${[...undeclared].join(', ')};` : '';
  const script = [
    `(function (${PARAMETERS}, ${helper}) { return function program(NOW) { ${variables};`,
    edited(shared.code, sharedThrows, helper, 1),
    `;${edited(program.code, ownThrows, helper, firstOwn - 1)}`,
    '};})',
  ].join('\n');
  return {
    analysis: {
      references,
      grants: readings.flatMap((reading) => reading.grants),
      ...(locationLine !== undefined && { locationLine }),
    },
    script,
    firstOwnLine: firstOwn,
    usesMoment: /\bT\b|moment|\\u/.test(shared.code + program.code),
    place: (line) => {
      if (line < 2) return { isShared: false };
      return line >= firstOwn ? { line: line - firstOwn + 1, isShared: false } : { line: line - 1, isShared: true };
    },
  };
}

const lineCount = (code: string): number => code.split('\n').length;

/** `throw 'text'` reports its line of the script to the kernel: a value that is no Error knows none. */
function edited(code: string, throws: Reading['throws'], helper: string, linesBefore: number): string {
  const pieces = throws
    .flatMap(({ start, end, line }) => [
      { at: start, text: `${helper}(${line + linesBefore}, (` },
      { at: end, text: '))' },
    ])
    .sort((a, b) => a.at - b.at);
  let result = '';
  let from = 0;
  for (const { at, text } of pieces) {
    result += code.slice(from, at) + text;
    from = at;
  }
  return result + code.slice(from);
}
