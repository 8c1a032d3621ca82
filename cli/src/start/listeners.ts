import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { LISTENER_NAMES, type ListenerName, listenerRow } from '@catchment/contracts/transports';

export type ListenerPorts = Readonly<Record<ListenerName, number>>;

const ROWS = LISTENER_NAMES.map(listenerRow);

/**
 * Returns the settings of the devices service for its listeners; what the environment of this process says goes before: of a port that it
 * is none, or none is to be opened.
 */
export function listenerSettings(ports: ListenerPorts, host: string, hostKeyFile: string): NodeJS.ProcessEnv {
  const defaults = {
    ...Object.fromEntries(ROWS.map(({ hostSetting }) => [hostSetting, host])),
    ...Object.fromEntries(ROWS.map(({ name, portSetting }) => [portSetting, String(ports[name])])),
    SFTP_HOST_KEY_FILES: hostKeyFile,
    SMTP_INTAKE_DOMAIN: 'localhost',
    // No proxy stands between the clients and this machine that would hide their addresses.
    FTP_ACTIVE: 'true',
  };
  const isPort = (name: string) => ROWS.some(({ portSetting }) => portSetting === name);
  const given = (name: string, value: string) => {
    const text = process.env[name];
    // It was chosen by that number already, or is one of several processes.
    return text === undefined || (isPort(name) && /^[1-9]\d*$/.test(text)) ? value : text;
  };
  return Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, given(name, value)]));
}

/** Returns what the console shows people to type into a logger. */
export function deviceAddresses({ smtp: _, ...ports }: ListenerPorts, baseUrl: string): string {
  const host = new URL(baseUrl).hostname;
  return [...Object.entries(ports).map(([name, port]) => `${name}=${host}:${port}`), 'mail=localhost'].join(',');
}

/** Returns the key by which clients of SFTP know this installation; made at its first start. @returns its file */
export async function keepHostKey(dataDir: string): Promise<string> {
  const file = path.join(dataDir, 'sftp-host-key.pem');
  const { privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'sec1', format: 'pem' },
  });
  await writeFile(file, privateKey, { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return file;
}
