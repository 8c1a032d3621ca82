import { useMedia } from '../use-media.ts';
import { changesOf, type Document, type Draft, isSame, partOf } from './draft.ts';
import { HIDDEN } from './schema.ts';
import type { FormWords } from './words.ts';

/** Few changes are listed at once where that covers no more than a corner of what is changed. */
const ROOMY = '(width >= 40rem)';
const FEW = 3;

/** Lists what would be saved: of each attribute what it is, and what it would be. */
export function ChangeList({ draft, words }: { readonly draft: Draft; readonly words: FormWords }) {
  const changes = changesOf(draft);
  const isRoomy = useMedia(ROOMY);
  return (
    <details class="editor-changes" open={isRoomy && changes.length <= FEW}>
      <summary>{words.changes(changes.length)}</summary>
      {/** A long list is scrolled, by the keyboard too. */}
      <dl tabIndex={0}>
        {changes.map(({ name, before, after }) => {
          // A large object is shown by its differences alone.
          const [was, is] = [partOf(after, before), partOf(before, after)];
          return (
            <div key={name}>
              <dt>{words.label(name)}</dt>
              <dd>
                <del>
                  <span class="unseen">{words.before} </span>
                  <bdi>{textOf(was, words)}</bdi>
                </del>{' '}
                <ins>
                  <span class="unseen">{words.after} </span>
                  <bdi>{textOf(is, words)}</bdi>
                </ins>
              </dd>
            </div>
          );
        })}
      </dl>
    </details>
  );
}

/** The value of such an attribute stands for a name: a word of a few, or the id of something. */
const CHOSEN = /^\w+ [A-Z][A-Z_]+$|^categoryId /;

/** Writes a value as one line; secrets are not shown. */
export function textOf(value: unknown, words: FormWords): string {
  if (value === null || value === undefined || value === '') return words.nothing;
  if (value === HIDDEN) return words.secretSet;
  if (typeof value === 'boolean') return value ? words.on : words.off;
  if (Array.isArray(value))
    return value.length === 0 ? words.nothing : value.map((item) => textOf(item, words)).join(', ');
  if (typeof value !== 'object') return String(value);
  const pairs = Object.entries(value as Document).filter(([name, value]) => name !== '_id' && !isSame(value, null));
  if (pairs.length === 0) return words.nothing;
  return pairs
    .map(([name, value]) => {
      if (name === '_class') return words.choice(name, String(value));
      if (/password|secret|key$|token/i.test(name) && typeof value === 'string')
        return `${words.label(name)} ${HIDDEN}`;
      // People do not see a box of the document as one.
      if (name === 'config') return textOf(value, words);
      if (typeof value === 'string' && CHOSEN.test(`${name} ${value}`))
        return `${words.label(name)} ${words.choice(name, value)}`;
      return name === 'name' ? textOf(value, words) : `${words.label(name)} ${textOf(value, words)}`;
    })
    .join(' · ');
}
