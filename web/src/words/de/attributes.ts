import type { AttributeWords } from '../en/attributes.ts';
import { chartSettings } from './chart-settings.ts';
import { CHOICES } from './choices.ts';
import { HINTS } from './hints.ts';
import { LABELS } from './labels.ts';

export const attributes: AttributeWords = {
  labels: { ...LABELS, ...chartSettings.labels },
  choices: { ...CHOICES, ...chartSettings.choices },
  hints: HINTS,
};
