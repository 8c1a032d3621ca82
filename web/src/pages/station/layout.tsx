import { useEffect, useId, useState } from 'preact/hooks';
import type { Parser } from '../../data/sources/parsers.ts';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import { draft } from './draft.ts';
import { say } from './words.ts';

const DELIMITERS = [',', 'SEMICOLON', 'TAB', 'SPACE', 'PIPE'];
const ENCODINGS = ['UTF-8', 'windows-1252', 'ISO-8859-1', 'UTF-16LE', 'UTF-16BE'];
const LINES = 8;
const LINE_CHARACTERS = 200;
const FIRST_BYTES = 16 * 1024;

/** Shows how the file is parted: a change proposes its columns anew. */
export function Layout({ file, settle }: { readonly file: File; readonly settle: (parts: Parser) => void }) {
  const text = say();
  const id = useId();
  const parser = draft().proposal?.parser ?? {};
  const { delimiter = ',', columnWidths = [], decimalSeparator = '.', encoding = 'UTF-8' } = parser;
  const isFixed = columnWidths.length > 0;
  const line = (name: 'labelsRow' | 'unitsRow' | 'dataRow') => (
    <div>
      <label for={`${id}-${name}`} class="station-label">
        {text[name]}
      </label>
      <input
        id={`${id}-${name}`}
        inputMode="numeric"
        autocomplete="off"
        placeholder={text.noLine}
        value={parser[name] ?? ''}
        onChange={(event) => {
          const value = Number(event.currentTarget.value);
          settle({ [name]: Number.isInteger(value) && value > 0 ? value : undefined });
        }}
      />
    </div>
  );
  return (
    <div class="form station-layout">
      <div>
        <label for={`${id}-delimiter`} class="station-label">
          {text.delimiter}
        </label>
        <select
          id={`${id}-delimiter`}
          value={isFixed ? 'FIXED' : delimiter}
          onChange={(event) => settle({ delimiter: event.currentTarget.value, ...(isFixed && { columnWidths: [] }) })}
        >
          {isFixed && <option value="FIXED">{text.fixed}</option>}
          {[...new Set([...DELIMITERS, ...(isFixed ? [] : [delimiter])])].map((sign) => (
            <option key={sign} value={sign}>
              {text.delimiters[sign] ?? sign}
            </option>
          ))}
        </select>
      </div>
      <div>
        <label for={`${id}-decimal`} class="station-label">
          {text.decimal}
        </label>
        <select
          id={`${id}-decimal`}
          value={decimalSeparator}
          onChange={(event) => settle({ decimalSeparator: event.currentTarget.value })}
        >
          {['.', ','].map((sign) => (
            <option key={sign} value={sign}>
              {text.decimals[sign]}
            </option>
          ))}
        </select>
      </div>
      <div>
        <label for={`${id}-encoding`} class="station-label">
          {text.encoding}
        </label>
        <select
          id={`${id}-encoding`}
          value={encoding}
          onChange={(event) => settle({ encoding: event.currentTarget.value })}
        >
          {ENCODINGS.map((encoding) => (
            <option key={encoding}>{encoding}</option>
          ))}
        </select>
      </div>
      {line('labelsRow')}
      {line('unitsRow')}
      {line('dataRow')}
      <div>
        <label for={`${id}-missing`} class="station-label">
          {text.missingWords}
        </label>
        <input
          id={`${id}-missing`}
          autocomplete="off"
          spellcheck={false}
          value={(parser.missing ?? []).join(' ')}
          aria-describedby={`${id}-missing-hint`}
          onChange={(event) =>
            settle({ missing: event.currentTarget.value.split(/\s+/).filter((word) => word !== '') })
          }
        />
        <p id={`${id}-missing-hint`} class="hint">
          {text.missingWordsHint}
        </p>
      </div>
      <FirstLines file={file} encoding={encoding} />
    </div>
  );
}

/** Shows the lines as they stand in the file, with their numbers. */
function FirstLines({ file, encoding }: { readonly file: File; readonly encoding: string }) {
  const text = say();
  const [lines, setLines] = useState<readonly string[]>([]);
  useEffect(() => {
    let isOver = false;
    void file
      .slice(0, FIRST_BYTES)
      .arrayBuffer()
      .then((bytes) => {
        if (isOver) return;
        const all = new TextDecoder(encoding).decode(bytes).split(/\r\n|\n|\r/);
        setLines(all.slice(0, LINES).map((line) => line.slice(0, LINE_CHARACTERS)));
      })
      .catch(() => undefined);
    return () => {
      isOver = true;
    };
  }, [file, encoding]);
  return (
    <div class="station-lines">
      <span class="station-label">{text.firstLines}</span>
      <ScrollArea label={text.firstLines}>
        <pre>{lines.map((line, n) => `${n + 1}  ${line}\n`)}</pre>
      </ScrollArea>
    </div>
  );
}
