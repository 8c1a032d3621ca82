export { ModemServer } from './transport/modem-server.ts';
export { modemTransports } from './transport/modem-transports.ts';
export { pipeTransports } from './transport/pipe-transports.ts';
