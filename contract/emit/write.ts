import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { requestCollection } from './collection/collection.ts';
import { openApiDocument } from './openapi/openapi.ts';
import { portalDocument } from './openapi/portal.ts';
import type { Json } from './openapi/schemas.ts';
import { sdkFiles } from './sdk/files.ts';
import { sdkPages } from './sdk/reference.ts';
import { codePages, errorsPage } from './tables/errors.ts';
import { numbersPage } from './tables/numbers.ts';
import { operationsFile } from './tables/operations.ts';
import { indexPage } from './tables/reference_index.ts';
import {
  eventsPage,
  productionRulesPage,
  recipesPage,
  settingsPage,
  simulatePage,
  statesPage,
} from './tables/tables.ts';

/**
 * Writes docs/reference, what the portal's pages show of it, and the server SDK's types and table of operations
 * out of the contract, and removes from their folders what it no longer says. With `--check` it changes nothing
 * and exits with 1 when a file is not what the contract says.
 */
const folder = new URL('../../docs/reference/', import.meta.url);
const where = { baseUrl: 'http://localhost:8080' };

/** A document in both forms. */
const published = (name: string, document: Json): Record<string, string> => ({
  [`${name}.json`]: `${JSON.stringify(document, null, 2)}\n`,
  [`${name}.yaml`]: stringify(document, {
    aliasDuplicateObjects: false,
    blockQuote: 'literal',
    lineWidth: 0,
  }),
});

const files: Readonly<Record<string, string>> = {
  ...published('openapi', openApiDocument(where)),
  ...published('portal.openapi', portalDocument(where)),
  'collection.json': `${JSON.stringify(requestCollection(where), null, 2)}\n`,
  'README.md': indexPage(),
  'states.md': statesPage(),
  'recipes.md': recipesPage(),
  'events.md': eventsPage(),
  'errors.md': errorsPage(),
  ...codePages(),
  'simulate.md': simulatePage(),
  'production-rules.md': productionRulesPage(),
  'numbers.md': numbersPage(),
  'settings.md': settingsPage(),
  ...(await sdkPages()),
  '../../web/portal/traffic/code/operations.json': operationsFile(),
  ...Object.fromEntries(
    Object.entries(sdkFiles()).map(([name, text]) => [`../../sdk/server/generated/${name}`, text]),
  ),
};

function stale(): string[] {
  return Object.entries(files).flatMap(([name, text]) => {
    const path = new URL(name, folder);
    return existsSync(path) && readFileSync(path, 'utf8') === text ? [] : [fileURLToPath(path)];
  });
}

/** Written by scripts/page_texts.ts and scripts/reference_pages.ts, from the tables of the code. */
const others = ['page-texts.md', 'alarms.md', 'metrics.md', 'security-events.md', 'test-values.md'];

/** All else of these folders is written here. */
const whole = ['./', '../../sdk/server/generated/'].map((path) => new URL(path, folder));

/** Files that were written once and are no longer made: the page of a code that is gone. */
function leftover(): string[] {
  const made = new Set(
    [...Object.keys(files), ...others].map((name) => fileURLToPath(new URL(name, folder))),
  );
  return whole.flatMap((place) =>
    readdirSync(place, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !made.has(path)),
  );
}

if (process.argv.includes('--check')) {
  const paths = [...stale(), ...leftover()];
  for (const path of paths) console.error(`not what the contract says: ${path}`);
  if (paths.length > 0) {
    console.error('Run `npm run emit`.');
    process.exitCode = 1;
  }
} else {
  mkdirSync(new URL('errors/', folder), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(new URL(name, folder), text);
  for (const path of leftover()) rmSync(path);
}
