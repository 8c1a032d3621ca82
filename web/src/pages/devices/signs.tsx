import type { Device } from '../../data/sources/devices.ts';
import { Since } from '../../parts/since.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import type { ConfigState, SourceState } from './rows.ts';
import { say } from './words.ts';

/** Shows a sign and a word; the colour only where it means something. */
const Sign = ({ look, icon, text }: { readonly look: string; readonly icon: IconName; readonly text: string }) => (
  <span class={`device-sign is-${look}`}>
    <Icon name={icon} />
    {text}
  </span>
);

export function ConnectedSign({ device }: { readonly device: Pick<Device, 'isConnected'> }) {
  const text = say();
  return device.isConnected ? (
    <Sign look="good" icon="pulse" text={text.connected} />
  ) : (
    <Sign look="soft" icon="offline" text={text.notConnected} />
  );
}

/** Shows since when a device is connected, or when it was last. */
export const LastConnected = ({ device }: { readonly device: Pick<Device, 'lastConnected'> }) => (
  <Since iso={device.lastConnected} text={say().never} />
);

const CONFIG_LOOKS: Readonly<Record<ConfigState, readonly [string, IconName]>> = {
  confirmed: ['good', 'check'],
  pending: ['warn', 'clock'],
  sent: ['warn', 'right'],
  refused: ['bad', 'warning'],
  none: ['soft', 'minus'],
};

export function ConfigSign({ state, isShort = false }: { readonly state: ConfigState; readonly isShort?: boolean }) {
  const [look, icon] = CONFIG_LOOKS[state];
  return <Sign look={look} icon={icon} text={isShort ? say().config.short[state] : say().config[state]} />;
}

const SOURCE_LOOKS: Readonly<Record<SourceState, readonly [string, IconName]>> = {
  failing: ['bad', 'warning'],
  silent: ['bad', 'bell'],
  unheard: ['warn', 'clock'],
  fine: ['good', 'check'],
  disabled: ['soft', 'minus'],
};

export function SourceSign({ state }: { readonly state: SourceState }) {
  const [look, icon] = SOURCE_LOOKS[state];
  return <Sign look={look} icon={icon} text={say().transports[state]} />;
}
