import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createClient } from '@hey-api/openapi-ts';
import { build } from 'esbuild';
import { generateSource } from 'oazapfts';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { FetchingJSONSchemaStore, InputData, JSONSchemaInput, quicktype } from 'quicktype-core';
import type { ZodType } from 'zod';
import type { Json } from './documents.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Does something in a folder that exists for it alone. */
async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'tpay-generated-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs a generated program of TypeScript for its exports; it imports packages of ours. */
const run = (text: string): Promise<Record<string, unknown>> =>
  inFolder(async (folder) => {
    const outfile = join(folder, 'program.mjs');
    const stdin = { contents: text, resolveDir: root, loader: 'ts' } as const;
    await build({ stdin, outfile, bundle: true, format: 'esm', platform: 'node' });
    return import(pathToFileURL(outfile).href);
  });

const written = <T>(document: Json, work: (path: string, folder: string) => Promise<T>) =>
  inFolder((folder) => {
    const path = join(folder, 'openapi.json');
    writeFileSync(path, JSON.stringify(document));
    return work(path, folder);
  });

/** Types by openapi-typescript, the most used of its kind. */
export const openapiTypescriptOf = async (document: Json): Promise<string> =>
  astToString(await openapiTypescript(JSON.stringify(document)));

/** A client by oazapfts: its types, and what calls the service. */
export async function oazapftsOf(document: Json) {
  const text = await written(document, (path) => generateSource(path));
  return { text, client: await run(text) };
}

/** Schemas of zod by hey-api, which judge each reply when the program runs. */
export async function zodOf(document: Json): Promise<Readonly<Record<string, ZodType>>> {
  const text = await written(document, async (path, folder) => {
    const output = join(folder, 'made');
    const logs = { level: 'silent' } as const;
    await createClient({ input: path, output, plugins: ['zod'], logs });
    return readFileSync(join(output, 'zod.gen.ts'), 'utf8');
  });
  return (await run(text)) as Record<string, ZodType>;
}

/** Converters by quicktype, which judge each value when the program runs, by the name of its component. */
export async function quicktypeOf(
  document: Json,
  names: readonly string[],
): Promise<(name: string, value: unknown) => unknown> {
  const input = new JSONSchemaInput(new FetchingJSONSchemaStore());
  const { components } = document;
  for (const name of names) {
    const schema = JSON.stringify({ $ref: `#/components/schemas/${name}`, components });
    await input.addSource({ name, schema });
  }
  const inputData = new InputData();
  inputData.addInput(input);
  const { lines } = await quicktype({ inputData, lang: 'typescript' });
  const { Convert } = (await run(lines.join('\n'))) as {
    Convert: Record<string, (json: string) => unknown>;
  };
  return (name, value) => Convert[`to${name}`]?.(JSON.stringify(value));
}
