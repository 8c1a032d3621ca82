import { useEffect, useRef, useState } from 'preact/hooks';
import { Broken, Failed, Outdated } from '../components/notes.tsx';
import { usePage } from '../components/page-context.ts';
import { useSeen } from '../components/use-seen.ts';
import { useSize } from '../components/use-size.ts';
import { dataAddress } from '../live/page-address.ts';
import type { TileProps } from './content.ts';

/** Pictures of a resized window are asked for once it rests. */
const REST_MS = 300;
/** The server draws at least and at most this; the picture is scaled beyond. */
const [LEAST, MOST] = [100, 4_000];

/** Shows a picture that the server draws at the size of the tile, drawn again with each revision. */
export function CustomChart({ content: { name, imageUrl, revision } }: TileProps<'CUSTOM_CHART'>) {
  const ref = useRef<HTMLDivElement>(null);
  const size = useSize(ref, REST_MS);
  const isSeen = useSeen(ref);
  const [failed, setFailed] = useState<string>();
  const [good, setGood] = useState<string>();
  const { ask } = usePage();
  const clamp = (pixels: number) => Math.min(Math.max(pixels, LEAST), MOST);
  const address =
    size &&
    imageUrl !== null &&
    dataAddress(imageUrl, { width: clamp(size.width), height: clamp(size.height), revision });
  const hasFailed = failed !== undefined && failed === address;
  const shown = hasFailed || ask ? good : address;
  useEffect(() => {
    if (!ask || !address || !isSeen || hasFailed) return;
    const stop = new AbortController();
    ask<{ svg: string } | null>(address, stop.signal).then(
      (picture) => picture && setGood(`data:image/svg+xml,${encodeURIComponent(picture.svg)}`),
      () => !stop.signal.aborted && setFailed(address),
    );
    return () => stop.abort();
  }, [ask, address, isSeen, hasFailed]);
  if (imageUrl === null) return <Broken what="chart" />;
  const again = () => setFailed(undefined);
  return (
    <div ref={ref} class="paper">
      {hasFailed &&
        (good === undefined ? <Failed what="chart" again={again} /> : <Outdated what="chart" again={again} />)}
      {shown && isSeen && (
        <img
          src={shown}
          alt={`Chart: ${name}`}
          onLoad={() => setGood(shown)}
          onError={() => address && setFailed(address)}
        />
      )}
    </div>
  );
}
