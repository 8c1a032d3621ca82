export { CodeEditor, type CodeEditorProps } from './code-editor.tsx';
export type { CodeMark, CodeOption, CodePlace, CodeProblem } from './types.ts';
