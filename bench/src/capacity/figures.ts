import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Cost, Figures } from './model.ts';

type Measured = {
  readonly machine: string;
  readonly figures: readonly {
    readonly name: string;
    readonly what: string;
    readonly unit: string;
    readonly value: number | Readonly<Record<string, number>>;
    /** This command measures it again. */
    readonly command: string;
    readonly date: string;
  }[];
};

/** Reads what benchmarks measured, each figure with its command: `bench/figures.json`. */
export async function measuredFigures(): Promise<Measured> {
  return JSON.parse(await readFile(path.resolve(import.meta.dirname, '../../figures.json'), 'utf8')) as Measured;
}

/** Returns the same as the formula takes it. @throws Error naming a figure that is not there */
export function figuresOf({ figures }: Measured): Figures {
  const named = <T>(name: string): T => {
    const found = figures.find((figure) => figure.name === name);
    if (!found) throw new Error(`figures.json has no ${name}`);
    return found.value as T;
  };
  return {
    message: { http: named<Cost>('message.http'), mqtt: named<Cost>('message.mqtt') },
    value: named('value'),
    states: named('states'),
    computed: named('computed'),
    read: named('read'),
    chart: named('chart'),
    report: named('report'),
    memory: named('memory'),
    bytes: {
      record: named('bytes.record'),
      node: named('bytes.node'),
      event: named('bytes.event'),
      logMessage: named('bytes.logMessage'),
      logValue: named('bytes.logValue'),
    },
  };
}
