export { CodeEditor } from './code-editor.tsx';
export type { CodeMark, CodeOption, CodePlace, CodeProblem } from './types.ts';
