import type { QualityType } from '@catchment/quality';
import { type Finding, raised } from './finding.ts';

/** A new record was evaluated. */
export type Graded = {
  readonly kind: 'graded';
  readonly timeMs: number;
  readonly type: QualityType;
  /** The account shows this quality; undefined: the record has none. */
  readonly code: number | undefined;
  /** The account has this name for the code; empty for one that it does not know. */
  readonly name: string;
  /** True if the alarm is about records of this type. */
  readonly isListed: boolean;
  /** For this reason a record that is not new is judged. */
  readonly because?: 'corrected' | 'settings' | undefined;
};

/** Texts name the reason for judging something without a new record so. */
export const BECAUSE = { corrected: ' (corrected)', settings: ' by changed settings' } as const;

export function qualityFinding({ type, code, name, isListed, because }: Graded): Finding {
  const [text, reason] = [`Quality is ${type}`, because ? BECAUSE[because] : ''];
  if (!isListed) return { kind: 'over', message: text + reason };
  const label = [name, code === undefined ? '' : `[${code}]`].filter(Boolean).join(' ');
  return raised((label === '' ? text : `${text}: ${label}`) + reason);
}
