import { connect, isIPv4, type Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { plainAddress } from '../../listening/index.ts';
import { passiveAddress } from '../domain/ftp-command.ts';
import { PassivePort, type PortRange } from './passive-port.ts';
import { secured } from './secured.ts';

export type FtpDataDeps = {
  readonly host: string;
  readonly passivePorts: PortRange;
  /** Clients reach passive ports at this IPv4; absent: at the address that they have connected to. */
  readonly publicAddress: string | undefined;
  /** Clients may say at which of their ports they wait for the data connection. */
  readonly isActiveAllowed: boolean;
  /** Absent: no TLS. */
  readonly secureContext: SecureContext | undefined;
  readonly random: () => number;
};

type FtpAnswer = readonly [code: number, text: string];

const DATA_CONNECTION_MS = 30_000;
/** Below it are services of others. */
const ACTIVE_PORT_MIN = 1_024;

/** Makes the next data connection of an FTP client: the client connects at a port of ours, or we at a port of the client. */
export class FtpData {
  readonly #deps: FtpDataDeps;
  /** Address of the client. */
  readonly #address: string;
  #next: { open(): Promise<Socket>; close(): void } | undefined;
  isPrivate: boolean;

  constructor(deps: FtpDataDeps, address: string, isPrivate: boolean) {
    this.#deps = deps;
    this.#address = address;
    this.isPrivate = isPrivate;
  }

  /** @param local address that the client has connected to */
  async listen(how: 'PASV' | 'EPSV', local: string): Promise<FtpAnswer> {
    this.close();
    const { host, passivePorts, publicAddress, random } = this.#deps;
    const address = publicAddress ?? plainAddress(local);
    if (how === 'PASV' && !isIPv4(address)) return [522, 'Use EPSV'];
    const passive = await PassivePort.open(host, passivePorts, { peer: this.#address, random });
    if (!passive) return [425, 'No port is free: try again later'];
    this.#next = { open: () => passive.accept(DATA_CONNECTION_MS), close: () => passive.close() };
    return how === 'EPSV'
      ? [229, `Entering Extended Passive Mode (|||${passive.port}|)`]
      : [227, `Entering Passive Mode (${passiveAddress(address, passive.port)})`];
  }

  /** Nobody is connected to but the client itself: it could have others attacked. */
  call(how: 'PORT' | 'EPRT', wanted: { readonly address: string; readonly port: number } | undefined): FtpAnswer {
    const passive = how === 'PORT' ? 'use PASV or EPSV' : 'use EPSV';
    if (!this.#deps.isActiveAllowed) return [502, `Passive mode only: ${passive}`];
    if (!wanted) return [501, 'This is no address with a port'];
    const { address, port } = wanted;
    if (plainAddress(address) !== this.#address || port < ACTIVE_PORT_MIN)
      return [502, `Only to your own address, and to ports from ${ACTIVE_PORT_MIN} on: ${passive}`];
    this.close();
    this.#next = { open: () => connected(address, port), close: () => {} };
    return [200, 'OK'];
  }

  get isAwaited(): boolean {
    return this.#next !== undefined;
  }

  /** @throws Error when there is none in time */
  async open(tlsMs: number): Promise<Socket> {
    const next = this.#next;
    this.#next = undefined;
    if (!next) throw new Error('no data connection was asked for');
    const socket = await next.open();
    const { secureContext } = this.#deps;
    return this.isPrivate && secureContext ? secured(socket, secureContext, tlsMs) : socket;
  }

  close(): void {
    this.#next?.close();
    this.#next = undefined;
  }
}

function connected(host: string, port: number): Promise<Socket> {
  const socket = connect({ host, port, timeout: DATA_CONNECTION_MS });
  return new Promise((resolve, reject) => {
    socket.once('timeout', () => socket.destroy(new Error('nobody answers')));
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      socket.on('error', () => {});
      socket.setTimeout(0);
      resolve(socket);
    });
  });
}
