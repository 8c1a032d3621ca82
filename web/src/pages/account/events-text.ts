import { words } from '../../words/index.ts';
import { choiceOf } from './events-choice.ts';
import { say } from './words.ts';

/** Tells which events a filter takes, in words where it is one of a choice. */
export function eventsText(filter: string): string {
  const text = say().webhooks;
  const { levels: levelWords, types: typeWords } = words.value.events;
  const { kind, levels, types, ofAlarms } = choiceOf(filter);
  if (kind === 'all') return text.everything;
  if (kind === 'own') return `${text.filter}: ${filter}`;
  return [
    levels.map((level) => levelWords[level] ?? level).join(', '),
    types.map((type) => typeWords[type] ?? type).join(', '),
    ofAlarms ? text.ofAlarms : '',
  ]
    .filter(Boolean)
    .join(' · ');
}
