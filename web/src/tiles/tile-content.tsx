import type { TileView } from '@catchment/dashboard-view';
import { ScrollRegion } from '../components/scroll-region.tsx';
import { AlarmSummary } from './alarm-summary.tsx';
import { Alarms } from './alarms.tsx';
import { AttachmentImage } from './attachment-image.tsx';
import { CustomChart } from './custom-chart.tsx';
import { HistoricTable } from './historic-table.tsx';
import { LocationMap } from './location-map.tsx';
import { SolidGauge } from './solid-gauge.tsx';
import { StandardChart } from './standard-chart.tsx';
import { Value } from './value.tsx';
import { ValueList } from './value-list.tsx';

/** Shows the content of a tile by its type. */
export function TileContentView({ tile, name }: { readonly tile: TileView; readonly name: string }) {
  const { content } = tile;
  switch (content.type) {
    case 'VALUE':
      return <Value content={content} heading={name} />;
    case 'VALUE_LIST':
      return <ValueList content={content} name={name} />;
    case 'HISTORIC_TABLE':
      return <HistoricTable content={content} name={name} />;
    case 'STANDARD_CHART':
      return <StandardChart key={chartKey(content)} id={tile.id} content={content} name={name} />;
    case 'CUSTOM_CHART':
      return <CustomChart content={content} name={name} />;
    case 'ALARMS':
      return <Alarms content={content} />;
    case 'ALARM_SUMMARY':
      return <AlarmSummary content={content} name={name} />;
    case 'LOCATION_MAP':
      return <LocationMap content={content} name={name} />;
    case 'ATTACHMENT_IMAGE':
      return <AttachmentImage content={content} name={name} />;
    case 'SOLID_GAUGE':
      return <SolidGauge content={content} name={name} />;
    case 'STATIC_TEXT':
      return (
        <ScrollRegion label={name}>
          <p class="text">{content.text}</p>
        </ScrollRegion>
      );
  }
}

/** Other series are another chart; other data are not. */
const chartKey = ({ dataUrl, series, zoom }: Extract<TileView['content'], { type: 'STANDARD_CHART' }>): string =>
  JSON.stringify([dataUrl, series, zoom]);
