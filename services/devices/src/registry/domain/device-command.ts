import type { JsonObject } from '@catchment/json-body';
import { formatIsoMs } from '@catchment/time';
import { type Attribute, choice, invalidAttribute, readAttributes, schemaOf, text } from '../../sources/index.ts';

const COMMANDS = ['REBOOT', 'RESET', 'SEND_LOGS', 'SET_CLOCK', 'UPDATE_SOFTWARE'] as const;
export type CommandName = (typeof COMMANDS)[number];

/** The command waits to be sent or answered. */
export type DeviceCommand = {
  readonly commandId: string;
  readonly deviceId: string;
  readonly name: CommandName;
  readonly arguments: JsonObject;
  readonly username: string;
  readonly createdMs: number;
};

/** An update replaces this part of the software; the attribute of `software` says when the part was last sent. */
export const SOFTWARE_SENT = {
  APP: 'appSentTime',
  FIRMWARE: 'firmwareSentTime',
  BOOTLOADER: 'bootloaderSentTime',
} as const;
type Component = keyof typeof SOFTWARE_SENT;

const NAME: Record<'command', Attribute<CommandName | ''>> = {
  command: choice<CommandName | ''>('', COMMANDS),
};
const SOFTWARE = {
  component: choice('APP', Object.keys(SOFTWARE_SENT) as Component[]),
  version: text('', { pattern: /^[\x20-\x7e]{1,64}$/, says: 'must be 1 to 64 ASCII characters' }),
  url: text('', { pattern: /^https?:\/\/[\x21-\x7e]{1,1990}$/, says: 'must be an http or https address' }),
  sha256: text('', { pattern: /^[0-9a-fA-F]{64}$/, says: 'must be 64 hexadecimal digits' }),
};

/** Returns the JSON Schema of a body for the description of the API. */
export const commandSchema = (): JsonObject => schemaOf({ ...NAME, ...SOFTWARE });

/** Reads the body of POST /devices/:id/commands. @throws DomainError invalid_argument naming the attribute and the rule */
export function readCommand(given: JsonObject): Pick<DeviceCommand, 'name' | 'arguments'> {
  const { command: name } = readAttributes(NAME, given);
  if (name === '') throw invalidAttribute('command', `must be one of ${COMMANDS.join(', ')}`);
  if (name !== 'UPDATE_SOFTWARE') return { name, arguments: {} };
  const software = readAttributes(SOFTWARE, given);
  for (const required of ['version', 'url', 'sha256'] as const)
    if (software[required] === '') throw invalidAttribute(required, 'is required to update software');
  return { name, arguments: software };
}

/** Returns the fields of the message to a Scout (docs/modem-protocol.md). */
export const commandMessage = ({ commandId, name, arguments: given }: DeviceCommand, nowMs: number): JsonObject => ({
  command: commandId,
  name,
  ...given,
  ...(name === 'SET_CLOCK' && { time: formatIsoMs(nowMs) }),
});
