import { isIPv4, isIPv6 } from 'node:net';

export type FtpCommand = { readonly verb: string; readonly argument: string };

/** Parses a line of a client without its end. Telnet signals that clients send before ABOR are dropped. */
export function parseFtpLine(line: Buffer): FtpCommand {
  let from = 0;
  // IAC IP, IAC DM, and what else is no letter, are skipped.
  while (from < line.length && ((line[from] as number) > 0x7a || (line[from] as number) < 0x41)) from += 1;
  const text = decoded(line.subarray(from));
  const blank = text.indexOf(' ');
  return {
    verb: (blank < 0 ? text : text.slice(0, blank)).trim().toUpperCase(),
    argument: blank < 0 ? '' : text.slice(blank + 1),
  };
}

/** Names are UTF-8, or Latin 1 as older loggers write them. */
function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}

/** Returns a path in an answer: quotation marks are doubled. */
export const quoted = (path: string): string => `"${path.replaceAll('"', '""')}"`;

/** Returns the address part of an answer to PASV. */
export const passiveAddress = (address: string, port: number): string =>
  `${address.replaceAll('.', ',')},${port >> 8},${port & 255}`;

/** Reads the argument of PORT: `h1,h2,h3,h4,p1,p2`. */
export function activeAddress(text: string): { readonly address: string; readonly port: number } | undefined {
  const parts = text.trim().split(',').map(Number);
  if (parts.length !== 6 || !parts.every((part) => Number.isInteger(part) && part >= 0 && part <= 255))
    return undefined;
  const [high = 0, low = 0] = parts.slice(4);
  return { address: parts.slice(0, 4).join('.'), port: high * 256 + low };
}

/** Reads the argument of EPRT: `|1|address|port|`, 2 for IPv6. */
export function extendedAddress(text: string): { readonly address: string; readonly port: number } | undefined {
  const [, , family, address = '', port] = /^([!-~])([12])\1([0-9a-f.:]+)\1(\d{1,5})\1$/i.exec(text.trim()) ?? [];
  if ((family === '1' ? isIPv4 : isIPv6)(address) && Number(port) <= 65_535) return { address, port: Number(port) };
  return undefined;
}
