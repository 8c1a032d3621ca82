import type { Command } from 'commander';

export const GROUPS = [
  'Data:',
  'Your installations and shell:',
  'Running Catchment:',
  'Operating an installation:',
] as const;

type LoadContext = {
  /** The word behind the name; undefined: all of its own commands. */
  readonly subcommand: string | undefined;
  /** All commands, loaded. */
  readonly whole: () => Promise<Command>;
};

/** A command in the help. */
export type CommandEntry = {
  readonly name: string;
  readonly group: (typeof GROUPS)[number];
  /** The help and the reference show this line. */
  readonly summary: string;
  /** Its options and what it does, with all that it needs. */
  readonly load: (context: LoadContext) => Promise<Command>;
};

const [DATA, OWN, RUNNING, OPERATING] = GROUPS;
const entry = (
  group: CommandEntry['group'],
  name: string,
  summary: string,
  load: CommandEntry['load'],
): CommandEntry => ({ name, group, summary, load });

/** The help shows the commands in this order. Help, completion and docs/reference/commands.md are made of it. */
export const COMMANDS: readonly CommandEntry[] = [
  entry(DATA, 'tree', 'the nodes of the account, as a tree', async () =>
    (await import('../tree/tree-command.ts')).treeCommand(),
  ),
  entry(DATA, 'read', 'print records, or results of intervals, in any format', async () =>
    (await import('../read/read-command.ts')).readCommand(),
  ),
  entry(DATA, 'write', 'write records from a CSV file or from standard input', async () =>
    (await import('../write/write-command.ts')).writeCommand(),
  ),
  entry(DATA, 'tail', 'print the newest events or records, and with -f all that follow', async () =>
    (await import('../tail/tail-command.ts')).tailCommand(),
  ),
  entry(DATA, 'why', 'say why a source is silent, and what to do', async () =>
    (await import('../why/why-command.ts')).whyCommand(),
  ),
  entry(DATA, 'import', 'write the records of a file: delimited text, TOA5, USGS RDB or JTS, also as .gz', async () =>
    (await import('../import/import-command.ts')).importCommand(),
  ),
  entry(DATA, 'export', 'read all records of one or several series into a file: CSV or JTS', async () =>
    (await import('../export/export-command.ts')).exportCommand(),
  ),
  entry(DATA, 'process', 'programs of process parameters and processors', async () =>
    (await import('../process/process-command.ts')).processCommand(),
  ),
  entry(OWN, 'login', 'keep the address and the key of an installation as a profile', async () =>
    (await import('../profiles/login-command.ts')).loginCommand(),
  ),
  entry(OWN, 'logout', 'forget a profile', async () => (await import('../profiles/logout-command.ts')).logoutCommand()),
  entry(OWN, 'profiles', 'list the profiles, without their keys', async () =>
    (await import('../profiles/profiles-command.ts')).profilesCommand(),
  ),
  entry(
    OWN,
    'completion',
    'print a script that completes commands and options in bash, zsh or fish',
    async ({ whole }) => (await import('../completion/completion-command.ts')).completionCommand(whole),
  ),
  entry(
    RUNNING,
    'start',
    'start everything on this machine: servers, services and, the first time, a demonstration',
    async () => (await import('../start/start-command.ts')).startCommand(),
  ),
  entry(RUNNING, 'simulate', 'simulated hardware, for trials', async ({ subcommand }) =>
    (await import('../simulate/simulate-command.ts')).simulateCommand(subcommand),
  ),
  entry(OPERATING, 'account', 'accounts of this installation', async () =>
    (await import('../account/account-command.ts')).accountCommand(),
  ),
  entry(OPERATING, 'person', 'people of this installation', async () =>
    (await import('../person/person-command.ts')).personCommand(),
  ),
  entry(OPERATING, 'device', 'devices of this installation, over all accounts', async () =>
    (await import('../device/device-command.ts')).deviceCommand(),
  ),
  entry(
    OPERATING,
    'doctor',
    'check an installation and say what is wrong with it and what to do; changes nothing',
    async () => (await import('../doctor/doctor-command.ts')).doctorCommand(),
  ),
  entry(
    OPERATING,
    'log-level',
    'log more, or less, for a while, at every replica of a service, without a restart',
    async () => (await import('../log-level/log-level-command.ts')).logLevelCommand(),
  ),
  entry(
    OPERATING,
    'deadletters',
    'messages that a reader could not handle, put aside for people: list, show, retry, drop',
    async () => (await import('../deadletters/deadletters-command.ts')).deadlettersCommand(),
  ),
  entry(OPERATING, 'backup', 'backups of the whole installation: create, list, verify', async () =>
    (await import('../backup/backup-command.ts')).backupCommand(),
  ),
  entry(OPERATING, 'restore', 'fill an empty installation from a backup; its services must not run', async () =>
    (await import('../backup/restore-command.ts')).restoreCommand(),
  ),
  entry(
    OPERATING,
    'shards',
    'several InfluxDBs behind this installation: list, assign, move, status, cancel, drain, remove',
    async () => (await import('../shards/shards-command.ts')).shardsCommand(),
  ),
  entry(
    OPERATING,
    'migrate',
    "bring every service's database schema up to date; safe to repeat and to run beside running services",
    async () => (await import('../migrate/migrate-command.ts')).migrateCommand(),
  ),
];
