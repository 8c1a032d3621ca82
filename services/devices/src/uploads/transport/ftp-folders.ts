import type { Socket } from 'node:net';
import { type ClientView, factLine, fromFtpTime, ftpTime, listLine, type ShownEntry } from '../domain/client-view.ts';
import { quoted } from '../domain/ftp-command.ts';
import { absolutePath } from '../domain/upload-name.ts';
import { CLOSING_MS, type FtpControl, type FtpHandler } from './ftp-control.ts';

export const PATH_CHARACTERS = 1_000;

type FtpFoldersDeps = {
  /** Returns what a client that has logged in may see. */
  readonly view: () => ClientView;
  /** Opens the connection for a listing. The client got the reason already when there is none (undefined). */
  readonly connection: () => Promise<Socket | undefined>;
  readonly now: () => number;
};

/** The folders and files that a client sees: what it has made and sent on this connection. */
export class FtpFolders {
  readonly #control: FtpControl;
  readonly #deps: FtpFoldersDeps;
  #folder = '/';

  constructor(control: FtpControl, deps: FtpFoldersDeps) {
    this.#control = control;
    this.#deps = deps;
  }

  get view(): ClientView {
    return this.#deps.view();
  }

  pathOf(argument: string): string {
    return absolutePath(this.#folder, argument);
  }

  readonly commands: Readonly<Record<string, FtpHandler>> = {
    PWD: () => this.#control.reply(257, `${quoted(this.#folder)} is the folder`),
    CWD: (argument) => this.#change(argument),
    CDUP: () => this.#change('..'),
    MKD: (argument) => {
      const path = this.pathOf(argument);
      if (path.length <= PATH_CHARACTERS) this.view.makeFolder(path);
      this.#control.reply(257, `${quoted(path)} made`);
    },
    RMD: (argument) => {
      this.view.removeFolder(this.pathOf(argument));
      this.#control.reply(250, 'OK');
    },
    XPWD: () => this.commands.PWD?.(''),
    XCWD: (argument) => this.#change(argument),
    XCUP: () => this.#change('..'),
    XMKD: (argument) => this.commands.MKD?.(argument),
    XRMD: (argument) => this.commands.RMD?.(argument),

    LIST: (argument) => this.#list(argument, (entry) => listLine(entry, this.#deps.now())),
    NLST: (argument) => this.#list(argument, ({ name }) => name),
    MLSD: (argument) => this.#list(argument, (entry) => factLine(entry, this.#deps.now())),
    MLST: (argument) => {
      const path = this.pathOf(argument);
      const file = this.view.file(path);
      if (!file && !this.view.isFolder(path)) return this.#control.reply(550, 'No such file');
      this.#control.reply(250, 'Listing', [factLine({ name: path, ...(file && { file }) }, this.#deps.now())]);
    },
    MDTM: (argument) => {
      // Some clients set a time with it.
      if (/^\d{14}(?:\.\d+)? /.test(argument)) return this.#setTime(argument);
      const file = this.view.file(this.pathOf(argument));
      this.#control.reply(file ? 213 : 550, file ? ftpTime(file.timeMs) : 'No such file');
    },
    SIZE: (argument) => {
      const file = this.view.file(this.pathOf(argument));
      this.#control.reply(file ? 213 : 550, file ? String(file.sizeBytes) : 'No such file');
    },
    MFMT: (argument) => this.#setTime(argument),
  };

  #change(argument: string): void {
    const path = this.pathOf(argument);
    const isTooLong = path.length > PATH_CHARACTERS;
    if (!isTooLong) this.#folder = path;
    this.#control.reply(isTooLong ? 550 : 250, isTooLong ? 'Path too long' : 'OK');
  }

  /** `MFMT YYYYMMDDhhmmss path` */
  #setTime(argument: string): void {
    const [, text = '', name = ''] = /^(\S+) (.+)$/s.exec(argument) ?? [];
    const [path, timeMs] = [this.pathOf(name), fromFtpTime(text)];
    if (timeMs === undefined) this.#control.reply(501, 'YYYYMMDDhhmmss and a name');
    else if (!this.view.file(path)) this.#control.reply(550, 'No such file');
    else {
      this.view.setTime(path, timeMs);
      this.#control.reply(213, `Modify=${text}; ${path}`);
    }
  }

  /** Clients see what they have sent on this connection. */
  async #list(argument: string, line: (entry: ShownEntry) => string): Promise<void> {
    // Options as of `ls`.
    const name = argument.trim().replace(/^(?:-\S*\s*)+/, '');
    const entries = this.view.list(this.#folder, name);
    if (!entries) return this.#control.reply(550, 'No such file');
    const socket = await this.#deps.connection();
    if (!socket) return;
    socket.end(entries.map((entry) => `${line(entry)}\r\n`).join(''));
    socket.resume();
    setTimeout(() => socket.destroy(), CLOSING_MS).unref();
    this.#control.reply(226, 'Files of this connection');
  }
}
