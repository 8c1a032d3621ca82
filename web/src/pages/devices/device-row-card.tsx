import { deviceAddress } from '../../data/addresses.ts';
import { Since } from '../../parts/since.tsx';
import { sourceText, wayText } from './row-texts.ts';
import { type DeviceRow, lastContactOf } from './rows.ts';
import { ConfigSign, ConnectedSign } from './signs.tsx';
import { say } from './words.ts';

/** Shows a device on a narrow screen, where a row of a table has no room. */
export function Card({ row }: { readonly row: DeviceRow }) {
  const { device, config } = row;
  const text = say();
  return (
    <>
      <p class="card-main">
        <a class="device-key" href={deviceAddress(device._id)}>
          {device.deviceKey}
        </a>
        <ConnectedSign device={device} />
      </p>
      <p class="card-facts">
        <bdi>{sourceText(row)}</bdi>
        <bdi>{wayText(row)}</bdi>
      </p>
      <p class="card-facts">
        <span>
          {text.columns.contact}: <Since iso={lastContactOf(row)} text={text.never} />
        </span>
        {config !== 'none' && config !== 'confirmed' && <ConfigSign state={config} isShort />}
      </p>
    </>
  );
}
