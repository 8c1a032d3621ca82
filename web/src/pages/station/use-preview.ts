import { useEffect, useRef, useState } from 'preact/hooks';
import { headOf, type Parser, type Preview, type PreviewAsked, previewFile } from '../../data/sources/parsers.ts';
import { isKnown } from '../../format/zone.ts';
import { change, draft, heldFile, isUnreadable, viewOf } from './draft.ts';
import { hasRightCount } from './lack.ts';

/** A preview waits this long, so that nothing is asked for between the letters of a word. */
const REST_MS = 350;

export type Previewed = {
  /** The last answer stays while the next is asked for, and where it was refused: what was changed last can be changed back. */
  readonly preview?: Preview | undefined;
  readonly error?: unknown;
  readonly isLoading: boolean;
  /** Settles a part of the layout, while the columns are proposed anew. */
  readonly settle: (parts: Parser) => void;
};

/**
 * Previews what is read of the file with the parser of the draft. It asks again a moment after a change, and cancels the question before. A
 * file without a parser gets one proposed.
 */
export function usePreview(): Previewed {
  const d = draft();
  const { settled } = d;
  const file = heldFile.value;
  const [state, setState] = useState<{ preview?: Preview; error?: unknown; isLoading: boolean }>({ isLoading: false });
  const head = useRef<{ readonly of: File; readonly text: Promise<string> }>(undefined);
  // An answer that has changed the draft causes no other question.
  const answered = useRef<string>(undefined);
  const parser = viewOf(d)?.parser;
  const wanted = JSON.stringify([
    file?.name,
    file?.size,
    file?.lastModified,
    settled,
    settled ? undefined : parser,
    d.zone,
    d.adjustsForDst,
  ]);
  useEffect(() => {
    if (file === undefined || d.parent === undefined || !isKnown(d.zone)) return;
    if (wanted === answered.current) {
      // The draft was changed meanwhile, and changed back.
      setState((now) => (now.isLoading ? { ...now, isLoading: false } : now));
      return;
    }
    const isOther = head.current?.of !== file;
    // It would only be refused, and the page says already what is wrong.
    if (!isOther && settled === undefined && parser !== undefined && !hasRightCount(d)) {
      setState(({ preview }) => ({ ...(preview && { preview }), isLoading: false }));
      return;
    }
    head.current = isOther ? { of: file, text: headOf(file) } : head.current;
    const { text } = head.current!;
    const placeId = d.parent._id;
    const stop = new AbortController();
    setState(({ preview }) => ({ ...(preview && !isOther && { preview }), isLoading: true }));
    const run = async () => {
      const asked: PreviewAsked = {
        sampleBase64: await text,
        timezone: d.zone,
        timezoneAdjustForDst: d.adjustsForDst,
        ...(settled ? { parser: settled, propose: true } : parser && { parser }),
      };
      const preview = await previewFile(placeId, asked, stop.signal);
      if (stop.signal.aborted) return;
      take(preview);
      const after = draft();
      answered.current = JSON.stringify([
        file.name,
        file.size,
        file.lastModified,
        undefined,
        viewOf(after)?.parser,
        after.zone,
        after.adjustsForDst,
      ]);
      isUnreadable.value = false;
      setState({ preview, isLoading: false });
    };
    const timer = setTimeout(
      () => {
        run().catch((error: unknown) => {
          if (stop.signal.aborted) return;
          isUnreadable.value = true;
          setState(({ preview }) => ({ ...(preview && { preview }), error, isLoading: false }));
        });
      },
      parser === undefined && settled === undefined ? 0 : REST_MS,
    );
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [wanted]);
  const settle = (parts: Parser) =>
    change({ settled: { ...(draft().settled ?? settledOf(draft().proposal?.parser)), ...parts } });
  return { ...state, settle };
}

/** Returns a layout without its columns: they are proposed for it. */
function settledOf(parser: Parser = {}): Parser {
  const { columns: _, rowSeries: _rows, format: _format, ...rest } = parser;
  return rest;
}

/** Takes what the server has read over into the draft. */
function take({ proposal, labels, columns, report }: Preview): void {
  const found = Object.fromEntries(columns.map(({ series, name, units }) => [series, { name, units }]));
  const counts = { lines: report.lines, failed: report.failed };
  if (proposal === null) {
    // Units and names of columns that were left out are known from before.
    change({ settled: undefined, counts, found: { ...draft().found, ...found }, ...(labels.length > 0 && { labels }) });
    return;
  }
  const isFirst = draft().proposal === undefined;
  change({
    proposal,
    settled: undefined,
    found,
    labels,
    counts,
    time: undefined,
    ...(!isFirst && { columns: keptEdits(labels) }),
    ...(proposal.timezone !== undefined && {
      zone: proposal.timezone,
      adjustsForDst: proposal.timezoneAdjustForDst ?? false,
    }),
  });
}

/** Corrections stay where the column is still the same. */
const keptEdits = (labels: readonly string[]) =>
  Object.fromEntries(
    Object.entries(draft().columns).filter(
      ([key]) => (draft().labels[Number(key)] ?? '') === (labels[Number(key)] ?? ''),
    ),
  );
