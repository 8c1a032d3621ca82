import { may } from '../../data/session/rights.ts';
import { isKnown } from '../../format/zone.ts';
import { type Draft, heldFile, isUnreadable, secrets, viewOf } from './draft.ts';
import { isPositionWrong } from './make.ts';
import { registersOf, type Step, wayOf } from './ways.ts';
import { say } from './words.ts';

/** A file may have as many (docs/reference/limits.md). */
export const SERIES_MAX = 100;

/** Counts the columns of the file that become parameters. */
export const columnsOn = (d: Draft): number => (viewOf(d)?.columns ?? []).filter(({ isOff }) => !isOff).length;

/** Returns true where as many columns become parameters as a file may have. */
export const hasRightCount = (d: Draft): boolean => columnsOn(d) > 0 && columnsOn(d) <= SERIES_MAX;

/** Returns what a step still needs, in words; undefined: the person may go on. */
export function lackOf(step: Step, d: Draft): string | undefined {
  const text = say();
  const way = wayOf(d.way);
  switch (step) {
    case 'place':
      if (d.parent === undefined || !may('CONFIGURE', d.parent)) return text.where;
      if (d.name.trim() === '') return d.parent.isPlace ? text.sourceName : text.name;
      if (/[/_;{}]/.test(d.name)) return text.nameHint;
      if (isPositionWrong(d)) return text.positionWrong;
      return isKnown(d.zone) ? undefined : text.zoneWrong;
    case 'way':
      if (way === undefined) return text.steps.way;
      return way.key === 'template' && d.template === undefined ? text.template : undefined;
    case 'connection': {
      for (const { name, kind, isNeeded, usual } of way?.fields ?? []) {
        const value = (kind === 'secret' ? secrets.value[name] : d.settings[name])?.trim() || usual || '';
        if (isNeeded && value === '') return text.fields[name] ?? name;
        if (kind === 'registers' && typeof registersOf(value) === 'number') return text.fields[name] ?? name;
      }
      return undefined;
    }
    case 'file': {
      if (way?.file === 'sample' && d.file === undefined) return undefined;
      if (d.file === undefined || d.proposal === undefined) return text.choose;
      if (isUnreadable.value) return text.readable;
      if (d.settled !== undefined) return text.answer;
      if (heldFile.value === undefined && d.made.file?.isDone !== true) return text.choose;
      const on = columnsOn(d);
      return on === 0 ? text.none : on > SERIES_MAX ? text.tooMany(SERIES_MAX) : undefined;
    }
    case 'review':
      return d.made.source?.isDone || d.made.clone?.isDone ? undefined : text.steps.review;
    default:
      return undefined;
  }
}
