declare module 'spdx-satisfies' {
  /** Returns whether a licence expression can be met with licences of a list. @throws Error for what is no expression */
  export default function satisfies(expression: string, licences: string[]): boolean;
}
