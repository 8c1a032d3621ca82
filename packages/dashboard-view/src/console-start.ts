/** The attributes of nodes that the stream of the console brings. */
export const CONSOLE_ATTRIBUTES =
  '_id,_class,name,parentId,workspaceId,createdTime,revision,currentValue,currentTime,currentStateId,currentStatus,alarms';

/** What the console's page is made with: who is signed in, and the account of its address. */
export type ConsoleStart = {
  readonly person: {
    readonly id: string;
    readonly email: string;
    readonly name: string;
    /** IANA; empty: none was chosen. */
    readonly timezone: string;
    readonly adjustForDst: boolean;
    /** docs/reference/time.md: tokens such as `YYYY-MM-DD HH:mm:ss`. */
    readonly timeFormat: string;
  };
  readonly account: ConsoleAccount;
  /** All that the person may work in, this one too. */
  readonly accounts: readonly ConsoleAccount[];
  /** How many accounts wait for the person's answer, given at `/account`. */
  readonly invitations: number;
  /** The person operates the installation: the console has pages about it. */
  readonly isOperator?: true;
  /** The token of the session, for the header X-CSRF-Token of changes. */
  readonly csrf: string;
  /** Prefix of classes, such as `io.svc`. */
  readonly classNamespace: string;
  /** As `DashboardView` has it. */
  readonly mapTiles: { readonly url: string; readonly attribution: string } | null;
  /** Where files of sources are sent to by HTTP; null: below `/upload` of the page's own address. */
  readonly uploadUrl: string | null;
  /** Where devices connect, by the name of the listener: `mqtt` is `example.org:1883`, `mail` a domain. Those that the operator has named. */
  readonly deviceAddresses: Readonly<Record<string, string>>;
  /** Where the account's streams were when the page was made: behind that they tell what the page has not read. Empty: not known. */
  readonly streams: { readonly nodes: string; readonly events: string };
};

export type ConsoleAccount = {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly standing: 'OWNER' | 'ADMINISTRATOR' | 'MANAGER' | 'USER';
  readonly isDisabled: boolean;
};
