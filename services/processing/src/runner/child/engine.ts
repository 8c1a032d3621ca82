import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import bundled from '@jitl/quickjs-wasmfile-release-sync';
import { newQuickJSWASMModuleFromVariant, newVariant, type QuickJSSyncVariant } from 'quickjs-emscripten-core';

/** The declaration has what is used here; Node's types have none of it. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Memory: new (pages: { readonly initial: number; readonly maximum: number }) => EngineMemory;
};
/** All that an engine writes to; its buffer is another one when it has grown. */
export type EngineMemory = { readonly buffer: ArrayBuffer };

/**
 * QuickJS refuses more. Such a stack fits into that of the process (`--stack-size`): QuickJS throws before WebAssembly
 * does.
 */
export const RUNTIME_LIMITS = { memoryLimitBytes: 64 * 1024 * 1024, maxStackSizeBytes: 192 * 1024 };
/** This many pages of 64 KiB are for what programs may use (`RUNTIME_LIMITS`), and for QuickJS itself. */
const PAGES = { initial: 256, maximum: 1_536 };
// Its types are those of its CommonJS form.
const variant = bundled as unknown as QuickJSSyncVariant;
const path = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm');

/** Compiled once for all realms. */
const wasmModule = new WebAssembly.Module(readFileSync(path));

/** Makes a QuickJS with separate memory. */
export async function newEngine() {
  const memory = new WebAssembly.Memory(PAGES);
  const ownMemory = newVariant(variant, { wasmModule, wasmMemory: memory } as Parameters<typeof newVariant>[1]);
  return { memory, engine: await newQuickJSWASMModuleFromVariant(ownMemory) };
}
