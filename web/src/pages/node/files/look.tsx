import { useState } from 'preact/hooks';
import { type Attachment, HEAD_BYTES, lookOf, ownAddress, readHead } from '../../../data/nodes/attachments.ts';
import { useAsked } from '../../../data/requests/use-asked.ts';
import { say } from '../../../parts/files/words.ts';
import { sizeText } from '../../../parts/size-text.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Busy, Problem } from '../../../ui/notes.tsx';
import { ScrollArea } from '../../../ui/scroll-area.tsx';
import { words } from '../../../words/index.ts';
import { rowsOf, SHOWN_COLUMNS, textOf } from './head-of-file.ts';

type LookProps = { readonly of: Attachment; readonly isFull: boolean; readonly onBroken: () => void };

/** Shows a file as it is looked at: nothing of it runs, and none of it becomes a part of the page but as text. */
export function Look({ of, isFull, onBroken }: LookProps) {
  const { viewer, noRead } = say();
  const [broken, setBroken] = useState<string>();
  const look = lookOf(of);
  const link = look === 'picture' ? of.fileUrl : of.filePreviewUrl;
  if (of.fileUrl === undefined) return <Unseen text={noRead} />;
  if (look === 'text') return <Head of={of} />;
  if (look === 'none' || link === undefined) return <Unseen text={viewer.noLook} />;
  if (broken === link) return <Unseen text={viewer.failed} />;
  return (
    <figure class={isFull ? 'look is-full' : 'look'}>
      <img
        src={ownAddress(link)}
        alt={of.description || of.name}
        onError={() => {
          setBroken(link);
          onBroken();
        }}
      />
      {look === 'preview' && (
        <figcaption>{of.mimeType === 'application/pdf' ? viewer.firstPage : viewer.small}</figcaption>
      )}
    </figure>
  );
}

const Unseen = ({ text }: { readonly text: string }) => (
  <div class="look is-unseen">
    <Icon name="file" />
    <p>{text}</p>
  </div>
);

/** Shows the first lines of a text, as a table where they are one. */
function Head({ of }: { readonly of: Attachment }) {
  const { viewer, loading } = say();
  const { ui } = words.value;
  const asked = useAsked((signal) => readHead(of, signal), [of._id]);
  if (asked.error !== undefined) return <Problem text={viewer.failed} again={asked.again} againText={ui.again} />;
  if (asked.value === undefined) return <Busy text={loading} />;
  const text = textOf(asked.value);
  const rows = /csv|tab-separated/.test(of.mimeType) ? rowsOf(text) : undefined;
  const isPart = of.fileSize > HEAD_BYTES;
  return (
    <figure class="look is-text">
      {isPart && <figcaption>{viewer.head(sizeText(HEAD_BYTES), sizeText(of.fileSize))}</figcaption>}
      <ScrollArea class="look-scroll" label={of.name}>
        {rows ? (
          <table>
            <tbody>
              {rows.map((cells, row) => (
                <tr key={row}>
                  {cells.slice(0, SHOWN_COLUMNS).map((cell, column) => (
                    <td key={column} dir="auto">
                      {cell}
                    </td>
                  ))}
                  {cells.length > SHOWN_COLUMNS && <td>…</td>}
                </tr>
              ))}
            </tbody>
          </table>
        ) : (
          <pre dir="auto">{text}</pre>
        )}
      </ScrollArea>
    </figure>
  );
}
