import { useState } from 'preact/hooks';
import { Broken, Empty, Failed, Outdated } from '../components/notes.tsx';
import { TimeText } from '../components/time-text.tsx';
import type { TileProps } from './content.ts';

/** Shows the newest picture, whole, on a separate ground. */
export function AttachmentImage({ content: { name, imageUrl, time } }: TileProps<'ATTACHMENT_IMAGE'>) {
  const [failed, setFailed] = useState<string>();
  const [good, setGood] = useState<string>();
  if (name === null) return <Broken what="picture" />;
  if (imageUrl === null) return <Empty>There is no picture yet.</Empty>;
  const hasFailed = failed === imageUrl;
  const again = () => setFailed(undefined);
  if (hasFailed && good === undefined) return <Failed what="picture" again={again} />;
  const shown = hasFailed ? good : imageUrl;
  return (
    <figure class="picture">
      {hasFailed && <Outdated what="picture" again={again} />}
      <img src={shown} alt={name} loading="lazy" onLoad={() => setGood(shown)} onError={() => setFailed(shown)} />
      {time !== null && !hasFailed && (
        <figcaption>
          <TimeText iso={time} />
        </figcaption>
      )}
    </figure>
  );
}
