/** The stream of the console brings these attributes of nodes. */
export const CONSOLE_ATTRIBUTES =
  '_id,_class,name,parentId,workspaceId,createdTime,revision,currentValue,currentTime,currentStateId,currentStatus,alarms';

/** The console's page is made with this: who is signed in, and the account of its address. */
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
  /** This many accounts wait for the person's answer, given at `/account`. */
  readonly invitations: number;
  /** The person operates the installation: the console has pages about it. */
  readonly isOperator?: true;
  /** The token of the session, for the header X-CSRF-Token of changes. */
  readonly csrf: string;
  /** Class prefix, such as `io.svc`. */
  readonly classNamespace: string;
  /** `DashboardView` has the same property. */
  readonly mapTiles: { readonly url: string; readonly attribution: string } | null;
  /** Files of sources are sent here by HTTP; null: below `/upload` of the page's own address. */
  readonly uploadUrl: string | null;
  /**
   * Devices connect here, by the name of the listener: `mqtt` is `example.org:1883`, `mail` a domain. The operator has
   * named them.
   */
  readonly deviceAddresses: Readonly<Record<string, string>>;
  /** A listener that the operator has not named is at this port of the page's own host. */
  readonly devicePorts: Readonly<Record<string, number>>;
  /**
   * The account's streams were here when the page was made: events behind that are those that the page has not read.
   * Empty: not known.
   */
  readonly streams: { readonly nodes: string; readonly events: string };
};

type ConsoleAccount = {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly standing: 'OWNER' | 'ADMINISTRATOR' | 'MANAGER' | 'USER';
  readonly isDisabled: boolean;
};
