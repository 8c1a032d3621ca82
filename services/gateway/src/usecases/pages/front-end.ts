/** A file of the pages for browsers, as it goes out. */
export type FrontEndFile = {
  readonly bytes: Buffer;
  readonly contentType: string;
  /** Empty: as it is. */
  readonly encoding: '' | 'br' | 'gzip';
};

/** Dashboards and single nodes, which strangers may open; and what people work with. */
export type FrontEndPage = 'dashboard' | 'console';

/** The pages for browsers, as they were built. */
export type FrontEnd = {
  /** Addresses of the script and the styles of a page; undefined while there is no build. */
  entry(
    page: FrontEndPage,
  ): Promise<{ readonly scripts: readonly string[]; readonly styles: readonly string[] } | undefined>;
  /** @param encodings that the browser takes */
  file(path: string, encodings: readonly ('br' | 'gzip')[]): Promise<FrontEndFile | undefined>;
};
