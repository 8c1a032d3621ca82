/** A file of the pages for browsers goes out like this. */
export type FrontEndFile = {
  readonly bytes: Buffer;
  readonly contentType: string;
  /** Empty: as it is. */
  readonly encoding: '' | 'br' | 'gzip';
};

/** Dashboards and single nodes, which strangers may open; and what people work with. */
export type FrontEndPage = 'dashboard' | 'console';

export type FrontEndEntry = {
  readonly scripts: readonly string[];
  /** This script runs as soon as it is there. */
  readonly first?: string | undefined;
  /** Scripts that those ask for: a browser would know of them only when it has run the first. */
  readonly imported: readonly string[];
  readonly styles: readonly string[];
};

/** A page within the console. */
export type ShownPage = {
  /** The name in the address, such as `overview`; `n` is a node. */
  readonly name: string;
  /** Languages have two letters; those that the reader likes best come first. */
  readonly languages: readonly string[];
};

/** The pages for browsers were built like this. */
export type FrontEnd = {
  /**
   * Addresses of what a page begins with; undefined while there is no build.
   * @param shown what the console is going to show, whose scripts come along; what there is none of is left out
   */
  entry(page: FrontEndPage, shown?: ShownPage): Promise<FrontEndEntry | undefined>;
  /** @param encodings that the browser takes */
  file(path: string, encodings: readonly ('br' | 'gzip')[]): Promise<FrontEndFile | undefined>;
};
