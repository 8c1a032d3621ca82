import type { SignInDeps } from '../../people/index.ts';
import type { Installation } from './ports.ts';

export type OperatorDeps = SignInDeps & { readonly installation: Installation };
