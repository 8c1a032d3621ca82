import type { AttributeWords } from '../en/attributes.ts';
import { CHOICES } from './choices.ts';
import { HINTS } from './hints.ts';
import { LABELS } from './labels.ts';

export const attributes: AttributeWords = { labels: LABELS, choices: CHOICES, hints: HINTS };
