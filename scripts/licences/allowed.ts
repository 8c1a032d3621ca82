/** Anybody may pass on the image under these licences, whose texts lie in it. */
export const ALLOWED: readonly string[] = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'Unlicense',
  'Zlib',
];

type Exception = {
  readonly packages: RegExp;
  /** The package has this licence, where the package itself says it in another form. */
  readonly licence: string;
  /** The reason why it may be in the image. */
  readonly why: string;
};

/** These are not let in by the list above, but one by one. */
export const EXCEPTIONS: readonly Exception[] = [
  {
    packages: /^@img\/sharp-libvips-/,
    licence: 'LGPL-3.0-or-later',
    why: 'libvips is a shared library of its own file, which anybody may replace; its sources are named in its package',
  },
  {
    packages: /^@img\/sharp-(?:wasm32|win32-)/,
    licence: 'Apache-2.0 AND LGPL-3.0-or-later',
    why: 'builds of libvips for other systems, which are not installed',
  },
  {
    packages: /^(?:ssh2|cpu-features|buildcheck)$/,
    licence: 'MIT',
    why: 'named in an older form, which npm does not read',
  },
];
