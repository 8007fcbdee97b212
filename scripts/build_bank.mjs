import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/** Bundles the sandbox bank, and the module of RAILS that speaks to it. */
export async function buildBank({ root, ...options }) {
  await build({
    ...options,
    format: 'esm',
    outdir: 'dist/bank',
    entryPoints: { main: 'bank/main.ts', rails: 'bank/adapter/rails.ts' },
  });
  cpSync(join(root, 'bank/openapi.yaml'), join(root, 'dist/bank/openapi.yaml'));
}
