/** Returns the page of an alert, or of all without a name, as Markdown; undefined where there is none. */
export type Runbook = (alert?: string) => Promise<string | undefined>;
