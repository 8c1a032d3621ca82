import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Devices and their clients connect here: the setting of the service, and the port that is taken where it is free. */
export const LISTENERS = {
  scout: { setting: 'SCOUT_PORT', port: 4331 },
  callback: { setting: 'CALLBACK_PORT', port: 4332 },
  mqtt: { setting: 'MQTT_PORT', port: 1883 },
  // Below 1024 they need rights that a trial does not have.
  ftp: { setting: 'FTP_PORT', port: 2121 },
  sftp: { setting: 'SFTP_PORT', port: 2222 },
  smtp: { setting: 'SMTP_INTAKE_PORT', port: 2525 },
  waterlog: { setting: 'WATERLOG_PORT', port: 32_213 },
  waspmote: { setting: 'WASPMOTE_PORT', port: 5566 },
} as const;
export type ListenerName = keyof typeof LISTENERS;
export type ListenerPorts = Readonly<Record<ListenerName, number>>;

const HOSTS = ['SCOUT_HOST', 'CALLBACK_HOST', 'MQTT_HOST', 'UPLOAD_HOST', 'STATIONS_HOST'] as const;

/** Settings of the devices service for its listeners; what the environment of this process says goes before: of a port that it is none, or none is to be opened. */
export function listenerSettings(ports: ListenerPorts, host: string, hostKeyFile: string): NodeJS.ProcessEnv {
  const own = {
    ...Object.fromEntries(HOSTS.map((name) => [name, host])),
    ...Object.fromEntries(
      Object.entries(LISTENERS).map(([name, { setting }]) => [setting, String(ports[name as ListenerName])]),
    ),
    SFTP_HOST_KEY_FILES: hostKeyFile,
    SMTP_INTAKE_DOMAIN: 'localhost',
    // Nothing stands between the clients and this machine that would hide their addresses.
    FTP_ACTIVE: 'true',
  };
  const isPort = (name: string) => Object.values(LISTENERS).some(({ setting }) => setting === name);
  const given = (name: string, value: string) => {
    const text = process.env[name];
    // It was chosen by that number already, or is one of several processes.
    return text === undefined || (isPort(name) && /^[1-9]\d*$/.test(text)) ? value : text;
  };
  return Object.fromEntries(Object.entries(own).map(([name, value]) => [name, given(name, value)]));
}

/** Returns what the console shows people to type into a logger. */
export function deviceAddresses({ smtp: _, ...ports }: ListenerPorts, baseUrl: string): string {
  const host = new URL(baseUrl).hostname;
  return [...Object.entries(ports).map(([name, port]) => `${name}=${host}:${port}`), 'mail=localhost'].join(',');
}

/** The key by which clients of SFTP know this installation; made at its first start. @returns its file */
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
