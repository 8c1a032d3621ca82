import { installedCommand } from './installed-command.ts';

/** The command `mosquitto_pub`. @throws Error as `installedCommand` */
export const mosquittoPub = (): Promise<string> => installedCommand('mosquitto_pub', 'mosquitto-clients');
