import type { FileReport } from '../../data/transfers/imports.ts';
import { say } from './words.ts';

/** Says what was read of a file and what was not; the server's sentences stand behind a click. */
export function Report({ of }: { readonly of: FileReport }) {
  const { data } = say();
  const leftOut = of.lines - of.parsed;
  return (
    <div class="report">
      <p>
        {data.read(of.parsed, of.lines)} {data.stored(of.records)} {leftOut > 0 && data.refused(leftOut)}
      </p>
      {of.firstFailure !== null && (
        <p>
          {data.first}{' '}
          <q lang="en" dir="auto">
            {of.firstFailure}
          </q>
        </p>
      )}
      {of.notes.length > 0 && (
        <details>
          <summary>{data.notes(of.notes.length)}</summary>
          <ul lang="en">
            {of.notes.map((note) => (
              <li key={note} dir="auto">
                {note}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
