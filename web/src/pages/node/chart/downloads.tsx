import type { Signal } from '@preact/signals';
import type { RefObject } from 'preact';
import type { ChartModel } from '../../../charts/chart-model.ts';
import type { Plot } from '../../../charts/plot/plot.ts';
import { transfersAddress } from '../../../data/addresses.ts';
import type { Node } from '../../../data/nodes/nodes.ts';
import { historicAddress } from '../../../data/records/historic-addresses.ts';
import { times } from '../../../data/times.ts';
import type { ExploredData } from '../../../parts/chart/chart-source.ts';
import type { ChartSeries } from '../../../parts/chart/series.ts';
import { fileName, saveAddress, saveBlob } from '../../../parts/download.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { toast } from '../../../ui/toast.tsx';
import { errorText } from '../../../words/error-text.ts';
import { words } from '../../../words/index.ts';
import { pictureOf } from './picture.ts';

type DownloadsProps = {
  readonly node: Node;
  readonly series: readonly ChartSeries[];
  readonly model: ChartModel<ExploredData>;
  readonly drawn: Signal<Plot | undefined>;
  readonly host: RefObject<HTMLDivElement | null>;
};

/** Saves what is shown as a picture, as records, as a link. */
export function Downloads({ node, series, model, drawn, host }: DownloadsProps) {
  const { node: say } = words.value;
  const name = fileName(node.name);
  const shown = () => model.window.peek() ?? model.bounds.peek()!;
  const ids = [...new Set(series.map((curve) => curve.node._id))];
  const records = (format: 'CSV' | 'ARROW') => {
    const { start, end } = shown();
    saveAddress(
      `${name}.${format === 'CSV' ? 'csv' : 'arrows'}`,
      historicAddress(ids, { startMs: start, endMs: end }, format),
    );
  };
  const picture = async () => {
    const { start, end } = shown();
    const subtitle = `${times().whole(start)} – ${times().whole(end)} (${times().zone.name})`;
    try {
      saveBlob(`${name}.png`, await pictureOf(host.current!, drawn.peek()!, series, { title: node.name, subtitle }));
    } catch (error) {
      toast(errorText(error), { isBad: true });
    }
  };
  const link = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      toast(say.linkCopied);
    } catch {
      // A page without HTTPS may not write there.
      toast(say.linkRefused, { isBad: true });
    }
  };
  return (
    <Menu
      label={`${say.save}: ${say.downloads}`}
      class="downloads"
      items={[
        { label: say.picture, onSelect: () => void picture() },
        { label: say.csv, onSelect: () => records('CSV') },
        { label: say.arrow, onSelect: () => records('ARROW') },
        { label: words.value.frame.transfers, href: transfersAddress('exports', { of: node._id }) },
        { label: say.link, isApart: true, onSelect: () => void link() },
      ]}
      button={
        <>
          <Icon name="down" />
          <span>{say.save}</span>
        </>
      }
    />
  );
}
