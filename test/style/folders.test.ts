import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { sourcesOf } from '../kit/plane_files.ts';

/** The planes whose folders are held apart; the files at their top are what their folders share. */
const planes = ['engine', 'service', 'backoffice', 'fleet', 'bank', 'adapters', 'web'];

const files = sourcesOf(planes);

const importing =
  /^(?:import|export)\s(?:[^;']*?from\s)?'([^']+)'|\bimport\(\s*(?:\/\*[^*]*\*\/\s*)?'([^']+)'/gm;

function pathOf(from: string, name: string): string | null {
  if (name.startsWith('.')) return join(dirname(from), name);
  const [scope, ...path] = name.split('/');
  return scope === '@tenant-payments' ? path.join('/') : null;
}

/** `service/http` of what lies there; null: a file at the top of its plane, or of no plane. */
function folderOf(path: string): string | null {
  const [plane = '', folder, ...rest] = path.split('/');
  return planes.includes(plane) && rest.length > 0 ? `${plane}/${folder}` : null;
}

/** Folders by those that they import. */
function foldersImported(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const file of files)
    for (const [, plain, lazy] of readFileSync(file, 'utf8').matchAll(importing)) {
      const path = pathOf(file, plain ?? lazy ?? '');
      const [from, to] = [folderOf(file), path && folderOf(path)];
      if (from && to && from !== to) found.set(from, (found.get(from) ?? new Set()).add(to));
    }
  return found;
}

/** A way from a folder back to it; null: there is none. */
function circleFrom(start: string, graph: ReadonlyMap<string, ReadonlySet<string>>) {
  const seen = new Set<string>();
  const ways: string[][] = [[start]];
  for (const way of ways)
    for (const next of graph.get(way.at(-1) ?? '') ?? []) {
      if (next === start) return [...way, next];
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  return null;
}

test('no folder of a plane imports another that imports it', () => {
  const graph = foldersImported();
  expect(graph.size).toBeGreaterThan(20);
  expect([...graph.keys()].flatMap((folder) => circleFrom(folder, graph) ?? [])).toEqual([]);
});
