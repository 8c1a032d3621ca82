import type { QuickJSContext, QuickJSRuntime } from 'quickjs-emscripten-core';
import { newEngine, RUNTIME_LIMITS } from './engine.ts';
import { readError } from './realm.ts';

/** Texts that one engine compiles: names that it has met stay in its memory. */
const MAX_TEXTS = 1_000;

let compiler: { readonly context: QuickJSContext; readonly runtime: QuickJSRuntime; texts: number } | undefined;

/** Has the engine read a script. Nothing of it is evaluated, so texts of all accounts share an engine. @returns what is wrong with it */
export async function compile(
  script: string,
): Promise<{ readonly message: string; readonly line: number } | undefined> {
  compiler ??= await newCompiler();
  const { context } = compiler;
  compiler.texts += 1;
  if (compiler.texts >= MAX_TEXTS) compiler = undefined;
  try {
    const result = context.evalCode(script, 'program', { compileOnly: true });
    if (result.error) return result.error.consume((error) => readError(context, error));
    result.value.dispose();
    return undefined;
  } catch {
    // The stack ran over: nothing of this engine can be believed any more.
    compiler = undefined;
    return { message: 'the program is nested too deeply', line: 0 };
  }
}

async function newCompiler() {
  const { engine } = await newEngine();
  const runtime = engine.newRuntime(RUNTIME_LIMITS);
  return { context: runtime.newContext(), runtime, texts: 0 };
}
